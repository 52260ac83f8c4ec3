// libidn2. Its flags are an anonymous enum, which Swift imports with a type that no function takes.
#ifndef PARLOUR_CIDN2_H
#define PARLOUR_CIDN2_H
#include <idn2.h>

/// The form of a host name that is looked up (IDNA 2008 by UTS 46, not transitional), for UTF-8 in any
/// normal form. `*out` is freed with idn2_free.
static inline int ci_ascii(const char *name, char **out) {
  return idn2_to_ascii_8z(name, out, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
}
#endif
