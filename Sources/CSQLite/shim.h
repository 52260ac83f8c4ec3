// SQLite, plus functions for what Swift cannot import: SQLITE_TRANSIENT and the variadic sqlite3_config and
// sqlite3_db_config; and one for statements.
#ifndef PARLOUR_CSQLITE_H
#define PARLOUR_CSQLITE_H
#include <sqlite3.h>
#include <string.h>

/// Binds bytes of UTF-8, which SQLite copies.
static inline int cs_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// Switches an option such as SQLITE_DBCONFIG_DEFENSIVE.
static inline int cs_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// To be called once, before anything else: the memory that SQLite takes is not counted, which costs a lock each time.
static inline int cs_prepare(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// A text with spaces in the place of NULs, behind which neither LIKE nor the tokenizers look.
static inline void cs_searchable(sqlite3_context *context, int count, sqlite3_value **values) {
  const char *text = (const char *)sqlite3_value_text(values[0]);
  int size = sqlite3_value_bytes(values[0]);
  if (count != 1 || text == 0 || memchr(text, 0, (size_t)size) == 0) {
    sqlite3_result_value(context, values[0]);
    return;
  }
  char *copy = sqlite3_malloc(size);
  if (copy == 0) {
    sqlite3_result_error_nomem(context);
    return;
  }
  for (int index = 0; index < size; index++) copy[index] = text[index] == 0 ? ' ' : text[index];
  sqlite3_result_text(context, copy, size, sqlite3_free);
}

/// Statements know `searchable(text)` from now on.
static inline int cs_add_searchable(sqlite3 *database) {
  return sqlite3_create_function_v2(
      database, "searchable", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, cs_searchable, 0, 0, 0);
}
#endif
