#include "CSimdjson.h"

#include <simdjson.h>

const char *parlour_simdjson_version(void) { return SIMDJSON_STRINGIFY(SIMDJSON_VERSION); }
