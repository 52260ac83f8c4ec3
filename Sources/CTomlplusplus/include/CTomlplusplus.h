// The C face of toml++, for the TOML module. Nothing here throws.
#ifndef PARLOUR_CTOMLPLUSPLUS_H
#define PARLOUR_CTOMLPLUSPLUS_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  PARLOUR_TOML_FALSE = 0,
  PARLOUR_TOML_TRUE,
  PARLOUR_TOML_INTEGER,  // integer
  PARLOUR_TOML_FLOAT,    // number
  PARLOUR_TOML_STRING,   // text; dates and times too, in RFC 3339 form
  PARLOUR_TOML_ARRAY,    // `size` values follow
  PARLOUR_TOML_TABLE     // `size` values with keys follow
} parlour_toml_kind;

// One step of the flat form of a document: values in order, those of a table in the order of the file.
typedef struct {
  uint32_t kind;
  // Counted from 1; of the key where there is one. 0 where it is not known.
  uint32_t line;
  // Elements or members that follow, or the bytes of `text`.
  size_t size;
  int64_t integer;
  double number;
  const char *_Nullable text;
  // The key within the table around it; null elsewhere.
  const char *_Nullable key;
  size_t key_size;
} parlour_toml_step;

typedef struct parlour_toml_document parlour_toml_document;

// Reads a document of `count` bytes of UTF-8; tables and arrays may be nested `depth` deep at most.
// Null only without memory. To be freed.
parlour_toml_document *_Nullable parlour_toml_parse(
    const char *_Nullable bytes, size_t count, size_t depth);
void parlour_toml_free(parlour_toml_document *_Nullable document);

// What is wrong with the text, null where nothing is.
const char *_Nullable parlour_toml_error(const parlour_toml_document *_Nonnull document);
uint32_t parlour_toml_error_line(const parlour_toml_document *_Nonnull document);

// Valid until the document is freed. None after an error.
const parlour_toml_step *_Nullable parlour_toml_steps(
    const parlour_toml_document *_Nonnull document);
size_t parlour_toml_count(const parlour_toml_document *_Nonnull document);

#ifdef __cplusplus
}
#endif
#endif
