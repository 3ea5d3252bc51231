// Operands of wgmma in shared memory (PTX ISA 9.7.15.5, "Shared Memory Matrix Layout" and "Matrix
// descriptor").
#ifndef HALYARD_TESTS_FAKES_PTX_MATRIX_OPERAND_H_
#define HALYARD_TESTS_FAKES_PTX_MATRIX_OPERAND_H_

#include <cstdint>

#include "tests/fakes/ptx/warp.h"

namespace halyard::testing::ptx {

// Some rows of A or columns of B, both called rows here. Each has 32 bytes along k. The numbers are
// multiples of 8.
struct Operand {
  static constexpr int kRowBytes = 32;
  uint64_t descriptor = 0;
  bool transposed = false;  // rows follow each other along a line of memory ("MN-major"), not k
  int all = 0;              // rows that the descriptor describes
  int first = 0, rows = 0;  // those that are meant
  size_t bytes() const { return static_cast<size_t>(rows) * kRowBytes; }
};

// Copies the operand to `out`: row after row or, if it is transposed, the elements of 16 bits of
// all rows for each k. Throws Fault if it is not there yet, or not to be read by wgmma.
void ReadOperand(Warp& warp, const Operand& operand, uint8_t* out);
// Throws Fault unless the operand of a product that is now complete stayed as it was read.
void CheckOperandKept(Warp& warp, const Operand& operand, const Product& product,
                      const uint8_t* read);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_MATRIX_OPERAND_H_
