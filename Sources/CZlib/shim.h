// zlib, plus functions for the macros that Swift cannot import.
#ifndef PARLOUR_CZLIB_H
#define PARLOUR_CZLIB_H
#include <zlib.h>

/// A stream of bare DEFLATE blocks (RFC 1951), without header and checksum; 9 to 15 window bits.
static inline int cz_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
  return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int cz_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, -window_bits);
}

/// Whether the input so far ends at the end of a block and of a byte: nothing is cut off.
static inline int cz_is_between_blocks(const z_stream *stream) {
  return (stream->data_type & 128) != 0 && (stream->data_type & 63) == 0;
}
#endif
