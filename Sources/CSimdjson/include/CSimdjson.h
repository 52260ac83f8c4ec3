// The C face of simdjson, for the modules JSON and WebSocket. Nothing here throws: every failure is a code.
#ifndef PARLOUR_CSIMDJSON_H
#define PARLOUR_CSIMDJSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  PARLOUR_JSON_NULL = 0,
  PARLOUR_JSON_FALSE,
  PARLOUR_JSON_TRUE,
  PARLOUR_JSON_INTEGER,      // value.integer
  PARLOUR_JSON_DOUBLE,       // value.number
  PARLOUR_JSON_BIG_INTEGER,  // value.text, `size` bytes: an integer beyond int64_t as it stood
  PARLOUR_JSON_STRING,       // value.text, `size` bytes of UTF-8, escapes resolved
  PARLOUR_JSON_ARRAY,        // `size` elements follow
  PARLOUR_JSON_OBJECT        // `size` members follow, each a STRING and a value
} parlour_json_kind;

// One step of the flat form of a document: values in the order in which they stand.
typedef struct {
  uint32_t kind;
  uint32_t size;
  union {
    int64_t integer;
    double number;
    const char *_Nullable text;
  } value;
} parlour_json_step;

typedef enum {
  PARLOUR_JSON_OK = 0,
  PARLOUR_JSON_EMPTY,
  PARLOUR_JSON_TOO_DEEP,
  PARLOUR_JSON_TOO_LARGE,
  PARLOUR_JSON_NO_MEMORY,
  PARLOUR_JSON_BAD_UTF8,
  PARLOUR_JSON_BAD_STRING,
  PARLOUR_JSON_BAD_NUMBER,
  PARLOUR_JSON_NUMBER_RANGE,
  PARLOUR_JSON_BAD_LITERAL,
  PARLOUR_JSON_TRAILING,
  PARLOUR_JSON_UNCLOSED,
  PARLOUR_JSON_SYNTAX
} parlour_json_error;

typedef struct {
  parlour_json_error error;
  // Where the parser stood when it failed, in bytes; -1 where that is not known.
  int64_t offset;
  // Valid until the next call on the same thread.
  const parlour_json_step *_Nullable steps;
  size_t count;
} parlour_json_result;

// Reads one JSON value of `count` bytes; `depth` levels of arrays and objects at most (capped at 512).
parlour_json_result parlour_json_parse(
    const uint8_t *_Nullable bytes, size_t count, size_t depth);

// Whether this is a whole, well-formed text in UTF-8 (RFC 3629), by the vector instructions of this processor.
bool parlour_utf8_is_valid(const uint8_t *_Nonnull bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif
