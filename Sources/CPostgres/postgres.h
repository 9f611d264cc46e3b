#pragma once
// Debian installs libpq's headers under postgresql/, which is not on the default search path.
#include <postgresql/libpq-fe.h>
