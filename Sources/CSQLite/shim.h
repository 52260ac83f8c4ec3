// SQLite, plus functions for what Swift cannot import: SQLITE_TRANSIENT and the variadic sqlite3_db_config.
#ifndef PARLOUR_CSQLITE_H
#define PARLOUR_CSQLITE_H
#include <sqlite3.h>

/// Binds bytes of UTF-8, which SQLite copies.
static inline int cs_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// Switches an option such as SQLITE_DBCONFIG_DEFENSIVE.
static inline int cs_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
#endif
