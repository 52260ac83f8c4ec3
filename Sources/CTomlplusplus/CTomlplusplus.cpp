#include "CTomlplusplus.h"

#include <toml++/toml.h>

int parlour_toml_major(void) { return TOML_LIB_MAJOR; }
