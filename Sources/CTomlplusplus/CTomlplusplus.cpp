#include "CTomlplusplus.h"

// Error values instead of exceptions; the parser's own bound on nested arrays and inline tables.
#define TOML_EXCEPTIONS 0
#define TOML_MAX_NESTED_VALUES 64
#define TOML_ENABLE_FORMATTERS 0

// Version 3.3 asserts, or in release builds lets the compiler assume, what it has not checked: that a value
// does not begin with a bracket ("a = ]" ends the process), and that certain letters beyond ASCII are never
// asked whether they are spaces ("é = 1" is undefined behaviour). Without the assertion the parser goes on
// to its own error, and in the tests of characters "no" is the right answer where it expects nothing.
#include <toml++/impl/forward_declarations.h>
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE return false
#include <toml++/impl/unicode.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE __builtin_unreachable()

#include <toml++/toml.h>

#include <algorithm>
#include <deque>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

struct parlour_toml_document {
  std::string error;
  uint32_t error_line = 0;
  std::vector<parlour_toml_step> steps;
  // A deque, since its strings do not move when it grows.
  std::deque<std::string> texts;
};

namespace {

// toml++ 3.3 does not bound dotted keys, and each part of one is a table inside a table: a key of a
// hundred thousand parts would overflow the stack when the tables are freed.
constexpr size_t most_key_parts = 32;

// The line of the first key with too many parts, 0 where there is none. Strings and comments are passed
// over; what is no valid TOML in other ways is left to the parser.
uint32_t line_of_overlong_key(std::string_view text) {
  uint32_t line = 1;
  size_t dots = 0;
  for (size_t at = 0; at < text.size(); at++) {
    const char byte = text[at];
    switch (byte) {
      case '\n': line++; dots = 0; break;
      case ',': case '=': case '[': case ']': case '{': case '}': dots = 0; break;
      case '.':
        if (++dots >= most_key_parts) return line;
        break;
      case '#':
        while (at + 1 < text.size() && text[at + 1] != '\n') at++;
        break;
      case '"':
      case '\'': {
        const std::string_view three(text.substr(at, 3));
        const bool is_long = three.size() == 3 && three[1] == byte && three[2] == byte;
        const size_t quotes = is_long ? 3 : 1;
        at += quotes;
        size_t run = 0;
        for (; at < text.size(); at++) {
          if (text[at] == '\n') {
            line++;
            // A string of one line ends here: the parser will say that it is not closed.
            if (!is_long) break;
          }
          if (text[at] == byte) {
            if (++run == quotes) break;
            continue;
          }
          run = 0;
          if (byte == '"' && text[at] == '\\' && at + 1 < text.size()) {
            at++;
            if (text[at] == '\n') line++;
          }
        }
        if (!is_long && at < text.size() && text[at] == '\n') dots = 0;
        break;
      }
      default: break;
    }
  }
  return 0;
}

uint32_t line_of(const toml::source_region &source) { return uint32_t(source.begin.line); }

class Flattener {
 public:
  Flattener(parlour_toml_document &document, size_t depth) : document(document), limit(depth) {}

  bool visit(const toml::node &node, const toml::key *key, size_t depth) {
    parlour_toml_step step{};
    step.line = line_of(node.source());
    if (key != nullptr) {
      if (line_of(key->source()) != 0) step.line = line_of(key->source());
      const std::string_view name = keep(std::string(key->str()));
      step.key = name.data();
      step.key_size = name.size();
    }
    if (const toml::table *table = node.as_table()) return visit_table(*table, step, depth + 1);
    if (const toml::array *array = node.as_array()) return visit_array(*array, step, depth + 1);
    fill(step, node);
    document.steps.push_back(step);
    return true;
  }

 private:
  parlour_toml_document &document;
  size_t limit;

  std::string_view keep(std::string text) {
    document.texts.push_back(std::move(text));
    return document.texts.back();
  }

  bool too_deep(const parlour_toml_step &step) {
    document.error = "tables and arrays are nested too deep";
    document.error_line = step.line;
    return false;
  }

  bool visit_array(const toml::array &array, parlour_toml_step &step, size_t depth) {
    if (depth > limit) return too_deep(step);
    step.kind = PARLOUR_TOML_ARRAY;
    step.size = array.size();
    document.steps.push_back(step);
    for (const toml::node &element : array) {
      if (!visit(element, nullptr, depth)) return false;
    }
    return true;
  }

  // toml++ keeps the members of a table sorted by key; people expect the order of the file.
  bool visit_table(const toml::table &table, parlour_toml_step &step, size_t depth) {
    if (depth > limit) return too_deep(step);
    step.kind = PARLOUR_TOML_TABLE;
    step.size = table.size();
    document.steps.push_back(step);
    std::vector<std::pair<const toml::key *, const toml::node *>> members;
    members.reserve(table.size());
    for (auto &&[key, value] : table) members.emplace_back(&key, &value);
    std::stable_sort(members.begin(), members.end(), [](const auto &left, const auto &right) {
      const toml::source_position &a = left.first->source().begin;
      const toml::source_position &b = right.first->source().begin;
      return a.line != b.line ? a.line < b.line : a.column < b.column;
    });
    for (const auto &[key, value] : members) {
      if (!visit(*value, key, depth)) return false;
    }
    return true;
  }

  void fill(parlour_toml_step &step, const toml::node &node) {
    if (const auto *value = node.as_boolean()) {
      step.kind = value->get() ? PARLOUR_TOML_TRUE : PARLOUR_TOML_FALSE;
    } else if (const auto *value = node.as_integer()) {
      step.kind = PARLOUR_TOML_INTEGER;
      step.integer = value->get();
    } else if (const auto *value = node.as_floating_point()) {
      step.kind = PARLOUR_TOML_FLOAT;
      step.number = value->get();
    } else {
      std::string text;
      if (const auto *value = node.as_string()) {
        text = value->get();
      } else {
        std::ostringstream stream;
        if (const auto *value = node.as_date()) stream << value->get();
        if (const auto *value = node.as_time()) stream << value->get();
        if (const auto *value = node.as_date_time()) stream << value->get();
        text = stream.str();
      }
      const std::string_view kept = keep(std::move(text));
      step.kind = PARLOUR_TOML_STRING;
      step.text = kept.data();
      step.size = kept.size();
    }
  }
};

// The standard containers throw when memory runs out; `noexcept` ends the process there, as Swift does.
void parse(parlour_toml_document &document, std::string_view text, size_t depth) noexcept {
  if (const uint32_t line = line_of_overlong_key(text)) {
    document.error = "a dotted key has too many parts";
    document.error_line = line;
    return;
  }
  const toml::parse_result result = toml::parse(text);
  if (!result) {
    document.error = std::string(result.error().description());
    document.error_line = line_of(result.error().source());
    if (document.error.empty()) document.error = "the text is not valid TOML";
    return;
  }
  if (!Flattener(document, depth).visit(result.table(), nullptr, 0)) document.steps.clear();
}

}  // namespace

parlour_toml_document *parlour_toml_parse(const char *bytes, size_t count, size_t depth) {
  auto *document = new (std::nothrow) parlour_toml_document();
  if (document == nullptr) return nullptr;
  parse(*document, count == 0 ? std::string_view() : std::string_view(bytes, count), depth);
  return document;
}

void parlour_toml_free(parlour_toml_document *document) { delete document; }

const char *parlour_toml_error(const parlour_toml_document *document) {
  return document->error.empty() ? nullptr : document->error.c_str();
}

uint32_t parlour_toml_error_line(const parlour_toml_document *document) {
  return document->error_line;
}

const parlour_toml_step *parlour_toml_steps(const parlour_toml_document *document) {
  return document->steps.data();
}

size_t parlour_toml_count(const parlour_toml_document *document) { return document->steps.size(); }
