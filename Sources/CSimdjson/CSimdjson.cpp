#include "CSimdjson.h"

// Codes instead of exceptions, and the same code in debug and release builds.
#define SIMDJSON_EXCEPTIONS 0
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#include <simdjson.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace {

using namespace simdjson;

constexpr size_t deepest = 512;
// Buffers above this size are given back after the document, so that one large message does not stay
// in memory for ever.
constexpr size_t kept = size_t(1) << 20;
// A hostile text may hold a value in every second byte, and each costs some sixty bytes on the way.
constexpr size_t most_steps = size_t(1) << 22;

// A growable array that reports the lack of memory instead of throwing.
template <typename Element>
struct Buffer {
  Element *elements = nullptr;
  size_t count = 0;
  size_t capacity = 0;

  Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { std::free(elements); }

  bool reserve(size_t wanted) noexcept {
    if (wanted <= capacity) return true;
    size_t grown = capacity < 64 ? 64 : capacity;
    while (grown < wanted) grown *= 2;
    void *moved = std::realloc(elements, grown * sizeof(Element));
    if (moved == nullptr) return false;
    elements = static_cast<Element *>(moved);
    capacity = grown;
    return true;
  }

  bool append(const Element &element) noexcept {
    if (!reserve(count + 1)) return false;
    elements[count++] = element;
    return true;
  }

  void shrink() noexcept {
    if (capacity * sizeof(Element) <= kept) return;
    std::free(elements);
    elements = nullptr;
    count = capacity = 0;
  }
};

bool is_space(char byte) noexcept {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

parlour_json_error translated(error_code code) noexcept {
  switch (code) {
    case SUCCESS: return PARLOUR_JSON_OK;
    case CAPACITY: return PARLOUR_JSON_TOO_LARGE;
    case MEMALLOC: return PARLOUR_JSON_NO_MEMORY;
    case DEPTH_ERROR: return PARLOUR_JSON_TOO_DEEP;
    case STRING_ERROR:
    case UNCLOSED_STRING:
    case UNESCAPED_CHARS: return PARLOUR_JSON_BAD_STRING;
    case T_ATOM_ERROR:
    case F_ATOM_ERROR:
    case N_ATOM_ERROR: return PARLOUR_JSON_BAD_LITERAL;
    case NUMBER_ERROR: return PARLOUR_JSON_BAD_NUMBER;
    case UTF8_ERROR: return PARLOUR_JSON_BAD_UTF8;
    case EMPTY: return PARLOUR_JSON_EMPTY;
    case INCOMPLETE_ARRAY_OR_OBJECT: return PARLOUR_JSON_UNCLOSED;
    case TRAILING_CONTENT: return PARLOUR_JSON_TRAILING;
    default: return PARLOUR_JSON_SYNTAX;
  }
}

// RFC 8259 section 6: [ minus ] int [ frac ] [ exp ].
struct NumberShape {
  bool is_valid = false;
  bool is_integer = false;
};

NumberShape shape_of(std::string_view token) noexcept {
  NumberShape shape;
  size_t at = 0;
  const size_t end = token.size();
  if (at < end && token[at] == '-') at++;
  if (at >= end || !is_digit(token[at])) return shape;
  if (token[at] == '0') {
    at++;
  } else {
    while (at < end && is_digit(token[at])) at++;
  }
  if (at == end) {
    shape.is_valid = shape.is_integer = true;
    return shape;
  }
  if (token[at] == '.') {
    at++;
    if (at >= end || !is_digit(token[at])) return shape;
    while (at < end && is_digit(token[at])) at++;
  }
  if (at < end && (token[at] == 'e' || token[at] == 'E')) {
    at++;
    if (at < end && (token[at] == '+' || token[at] == '-')) at++;
    if (at >= end || !is_digit(token[at])) return shape;
    while (at < end && is_digit(token[at])) at++;
  }
  shape.is_valid = at == end;
  return shape;
}

bool read_integer(std::string_view token, int64_t &value) noexcept {
  const bool negative = token[0] == '-';
  uint64_t magnitude = 0;
  for (size_t at = negative ? 1 : 0; at < token.size(); at++) {
    const uint64_t digit = uint64_t(token[at] - '0');
    if (magnitude > (UINT64_MAX - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
  }
  const uint64_t limit = uint64_t(INT64_MAX) + (negative ? 1 : 0);
  if (magnitude > limit) return false;
  value = negative ? int64_t(~magnitude + 1) : int64_t(magnitude);
  return true;
}

class Reader {
 public:
  parlour_json_result read(const uint8_t *bytes, size_t count, size_t depth) noexcept {
    steps.count = 0;
    limit = depth < deepest ? depth : deepest;
    parlour_json_result result{PARLOUR_JSON_OK, -1, nullptr, 0};
    // simdjson counts in 32 bits.
    if (count > 0xF0000000u) {
      result.error = PARLOUR_JSON_TOO_LARGE;
      return result;
    }
    result.error = run(bytes, count, result.offset);
    result.steps = steps.elements;
    result.count = result.error == PARLOUR_JSON_OK ? steps.count : 0;
    return result;
  }

  // Called before the next document, since the strings of the last one point into these buffers.
  void trim() noexcept {
    text.shrink();
    steps.shrink();
    if (parser.capacity() > kept) parser = ondemand::parser();
  }

 private:
  ondemand::parser parser;
  Buffer<char> text;
  Buffer<parlour_json_step> steps;
  size_t limit = 0;

  // The text is read as the only element of an array: simdjson treats scalars at the root apart, and
  // this way every kind of value goes the same, well-worn way.
  parlour_json_error run(const uint8_t *bytes, size_t count, int64_t &offset) noexcept {
    const size_t length = count + 2;
    if (!text.reserve(length + SIMDJSON_PADDING)) return PARLOUR_JSON_NO_MEMORY;
    text.elements[0] = '[';
    if (count > 0) std::memcpy(text.elements + 1, bytes, count);
    text.elements[count + 1] = ']';
    std::memset(text.elements + length, ' ', SIMDJSON_PADDING);

    ondemand::document document;
    error_code code = parser.iterate(text.elements, length, length + SIMDJSON_PADDING).get(document);
    if (code != SUCCESS) return translated(code);
    parlour_json_error error = elements(document);
    if (error != PARLOUR_JSON_OK) {
      const char *place = nullptr;
      if (document.current_location().get(place) == SUCCESS) {
        const int64_t at = place - text.elements - 1;
        if (at >= 0 && at <= int64_t(count)) offset = at;
      }
      return error;
    }
    const char *rest = nullptr;
    return document.current_location().get(rest) == OUT_OF_BOUNDS ? PARLOUR_JSON_OK
                                                                  : PARLOUR_JSON_TRAILING;
  }

  parlour_json_error elements(ondemand::document &document) noexcept {
    ondemand::array outer;
    error_code code = document.get_array().get(outer);
    if (code != SUCCESS) return translated(code);
    size_t found = 0;
    for (auto element : outer) {
      ondemand::value value;
      code = std::move(element).get(value);
      if (code != SUCCESS) return translated(code);
      if (++found > 1) return PARLOUR_JSON_TRAILING;
      const parlour_json_error error = visit(value, 0);
      if (error != PARLOUR_JSON_OK) return error;
    }
    return found == 0 ? PARLOUR_JSON_EMPTY : PARLOUR_JSON_OK;
  }

  parlour_json_error add(uint32_t kind, uint32_t size = 0) noexcept {
    parlour_json_step step{};
    step.kind = kind;
    step.size = size;
    return add(step);
  }

  parlour_json_error add(const parlour_json_step &step) noexcept {
    if (steps.count >= most_steps) return PARLOUR_JSON_TOO_LARGE;
    return steps.append(step) ? PARLOUR_JSON_OK : PARLOUR_JSON_NO_MEMORY;
  }

  parlour_json_error add_text(uint32_t kind, std::string_view view) noexcept {
    parlour_json_step step{};
    step.kind = kind;
    step.size = uint32_t(view.size());
    step.value.text = view.data();
    return add(step);
  }

  parlour_json_error visit(ondemand::value &value, size_t depth) noexcept {
    ondemand::json_type type;
    error_code code = value.type().get(type);
    if (code != SUCCESS) return translated(code);
    switch (type) {
      case ondemand::json_type::array: return visit_array(value, depth + 1);
      case ondemand::json_type::object: return visit_object(value, depth + 1);
      case ondemand::json_type::number: return visit_number(value);
      case ondemand::json_type::string: {
        std::string_view view;
        code = value.get_string().get(view);
        if (code != SUCCESS) return translated(code);
        return add_text(PARLOUR_JSON_STRING, view);
      }
      case ondemand::json_type::boolean: {
        bool flag;
        code = value.get_bool().get(flag);
        // What begins like a literal and is none.
        if (code != SUCCESS) return PARLOUR_JSON_BAD_LITERAL;
        return add(flag ? PARLOUR_JSON_TRUE : PARLOUR_JSON_FALSE);
      }
      case ondemand::json_type::null: {
        if (trimmed(value.raw_json_token()) != "null") return PARLOUR_JSON_BAD_LITERAL;
        bool is_null;
        code = value.is_null().get(is_null);
        if (code != SUCCESS || !is_null) return PARLOUR_JSON_BAD_LITERAL;
        return add(PARLOUR_JSON_NULL);
      }
    }
    return PARLOUR_JSON_SYNTAX;
  }

  parlour_json_error visit_array(ondemand::value &value, size_t depth) noexcept {
    if (depth > limit) return PARLOUR_JSON_TOO_DEEP;
    ondemand::array array;
    error_code code = value.get_array().get(array);
    if (code != SUCCESS) return translated(code);
    const size_t begin = steps.count;
    parlour_json_error error = add(PARLOUR_JSON_ARRAY);
    if (error != PARLOUR_JSON_OK) return error;
    uint32_t count = 0;
    for (auto element : array) {
      ondemand::value inner;
      code = std::move(element).get(inner);
      if (code != SUCCESS) return translated(code);
      error = visit(inner, depth);
      if (error != PARLOUR_JSON_OK) return error;
      count++;
    }
    steps.elements[begin].size = count;
    return PARLOUR_JSON_OK;
  }

  parlour_json_error visit_object(ondemand::value &value, size_t depth) noexcept {
    if (depth > limit) return PARLOUR_JSON_TOO_DEEP;
    ondemand::object object;
    error_code code = value.get_object().get(object);
    if (code != SUCCESS) return translated(code);
    const size_t begin = steps.count;
    parlour_json_error error = add(PARLOUR_JSON_OBJECT);
    if (error != PARLOUR_JSON_OK) return error;
    uint32_t count = 0;
    for (auto member : object) {
      ondemand::field field;
      code = std::move(member).get(field);
      if (code != SUCCESS) return translated(code);
      std::string_view key;
      code = field.unescaped_key().get(key);
      if (code != SUCCESS) return translated(code);
      error = add_text(PARLOUR_JSON_STRING, key);
      if (error != PARLOUR_JSON_OK) return error;
      error = visit(field.value(), depth);
      if (error != PARLOUR_JSON_OK) return error;
      count++;
    }
    steps.elements[begin].size = count;
    return PARLOUR_JSON_OK;
  }

  static std::string_view trimmed(std::string_view token) noexcept {
    size_t length = token.size();
    while (length > 0 && is_space(token[length - 1])) length--;
    return token.substr(0, length);
  }

  parlour_json_error visit_number(ondemand::value &value) noexcept {
    // Up to the next structural character, so white space may stand behind it.
    const std::string_view token = trimmed(value.raw_json_token());
    const NumberShape shape = shape_of(token);
    if (!shape.is_valid) return PARLOUR_JSON_BAD_NUMBER;
    parlour_json_step step{};
    if (shape.is_integer) {
      int64_t integer;
      // The loops over arrays and objects step over a value that was not taken by a get function.
      if (!read_integer(token, integer)) return add_text(PARLOUR_JSON_BIG_INTEGER, token);
      step.kind = PARLOUR_JSON_INTEGER;
      step.value.integer = integer;
      return add(step);
    }
    double number;
    if (value.get_double().get(number) != SUCCESS) return PARLOUR_JSON_NUMBER_RANGE;
    step.kind = PARLOUR_JSON_DOUBLE;
    step.value.number = number;
    return add(step);
  }
};

// One per thread: its buffers are used again by the next document.
Reader *reader_of_thread() noexcept {
  thread_local std::unique_ptr<Reader> reader;
  if (!reader) reader.reset(new (std::nothrow) Reader());
  return reader.get();
}

}  // namespace

parlour_json_result parlour_json_parse(const uint8_t *bytes, size_t count, size_t depth) {
  Reader *reader = reader_of_thread();
  if (reader == nullptr) return {PARLOUR_JSON_NO_MEMORY, -1, nullptr, 0};
  reader->trim();
  return reader->read(bytes, count, depth);
}

bool parlour_utf8_is_valid(const uint8_t *bytes, size_t count) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), count);
}
