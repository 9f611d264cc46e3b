#pragma once
#include <string.h>
#include <zlib.h>

// inflateInit2 is a macro. A window of 15 bits, plus 16 to accept only gzip (zlib.h).
static inline int nv_gzip_begin(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    return inflateInit2(stream, 15 + 16);
}
