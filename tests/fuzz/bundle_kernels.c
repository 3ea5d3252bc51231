/* Kernels of the bundles that damaged_bundles_test.cc makes. They are linked into the test, where a
 * sanitizer watches them, and compiled by gcc into the bundles' machine code. Each takes pointers to
 * halide_buffer_t, inputs then outputs, and reads and writes whole buffers. */
#include <stdint.h>
#include <string.h>

struct dimension {
  int32_t min, extent, stride;
  uint32_t flags;
};
struct buffer {
  uint64_t device;
  const void* device_interface;
  uint8_t* host;
  uint64_t flags;
  uint8_t code, bits;
  uint16_t lanes;
  int32_t dimensions;
  struct dimension* dim;
  void* padding;
};

static int64_t count(const struct buffer* b) {
  int64_t elements = 1;
  int d;
  for (d = 0; d < b->dimensions; ++d) elements *= b->dim[d].extent;
  return elements;
}

/* out = in0 * 2 + in1, f32. Damaged programs may give any address. */
int hyk_scale(void** arguments) {
  struct buffer** b = (struct buffer**)arguments;
  const int64_t elements = count(b[2]);
  int64_t i;
  for (i = 0; i < elements; ++i) {
    float x, y;
    memcpy(&x, b[0]->host + 4 * i, 4);
    memcpy(&y, b[1]->host + 4 * i, 4);
    x = x * 2.0f + y;
    memcpy(b[2]->host + 4 * i, &x, 4);
  }
  return 0;
}

/* out = in < 5, as a byte. */
int hyk_less(void** arguments) {
  struct buffer** b = (struct buffer**)arguments;
  int32_t x;
  memcpy(&x, b[0]->host, 4);
  *b[1]->host = x < 5;
  return 0;
}

/* out = in + 1, s32. */
int hyk_increment(void** arguments) {
  struct buffer** b = (struct buffer**)arguments;
  uint32_t x;
  memcpy(&x, b[0]->host, 4);
  ++x;
  memcpy(b[1]->host, &x, 4);
  return 0;
}
