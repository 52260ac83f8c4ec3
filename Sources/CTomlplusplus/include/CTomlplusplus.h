// The C face of toml++, for the TOML module.
#ifndef PARLOUR_CTOMLPLUSPLUS_H
#define PARLOUR_CTOMLPLUSPLUS_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
int parlour_toml_major(void);
#ifdef __cplusplus
}
#endif
#endif
