// The C face of simdjson, for the JSON module.
#ifndef PARLOUR_CSIMDJSON_H
#define PARLOUR_CSIMDJSON_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
const char *_Nonnull parlour_simdjson_version(void);
#ifdef __cplusplus
}
#endif
#endif
