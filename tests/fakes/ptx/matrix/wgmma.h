// wgmma: the four warps of a warpgroup multiply matrices, asynchronously (PTX ISA 9.7.15,
// "Asynchronous Warpgroup Level Matrix Instructions").
//
// Each warp computes its 16 rows when it issues the instruction, and stores the sums at once. What
// makes this indistinguishable from a product that runs until it is waited for are checks: no other
// instruction may access the registers until then (registers.cc), and operands in shared memory
// must be the same when the product is issued and when it is waited for (operand.cc).
#ifndef HALYARD_TESTS_FAKES_PTX_MATRIX_WGMMA_H_
#define HALYARD_TESTS_FAKES_PTX_MATRIX_WGMMA_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::testing::ptx {

struct Block;
struct Function;
struct Instruction;
struct Warp;

// A wgmma instruction that a warp of a warpgroup has reached. The other three must follow.
struct Arrival {
  const Instruction* instruction = nullptr;
  uint64_t a = 0, b = 0;  // descriptors; 0 if there are none
  bool accumulates = false;
  bool operator==(const Arrival&) const = default;
};

// A product that its warp has not waited for.
struct Product {
  Arrival what;
  uint32_t group = 0;             // with which it is committed
  uint32_t epoch = 0;             // of the block when it was issued
  std::vector<uint8_t> operands;  // the bytes that it read: of A, if it is in memory, and of B
};

struct SharedPart {
  uint32_t at = 0, bytes = 0;  // from kSharedBase
};

// A warp's.
struct WarpProducts {
  std::vector<Product> running;
  uint32_t groups = 0;  // committed
  size_t arrivals = 0;  // at wgmma instructions
  // By a register's offset / 32: its last use (registers.cc), and how many running products
  // accumulate in it or read A from it.
  std::vector<uint8_t> uses;
  std::vector<uint16_t> results, fragments;
  std::vector<SharedPart> unfenced[32];  // what each lane has written since fence.proxy.async

  void Reset(const Function& function);
};

// The registers of a product: results, then those of A, if it is in registers.
struct ProductRegisters {
  const uint32_t *results, *fragments, *end;
};
bool IsProduct(const Instruction& i);
ProductRegisters RegistersOf(const Instruction& i);

// Makes other instructions that access registers of products say so. `named` holds the registers
// of each instruction.
void GuardRegisters(const std::vector<std::vector<uint32_t>>& named, Function* function);
// Called when a product is issued and when it is complete. Throws Fault if the registers are in
// use, or were accessed since wgmma.fence.
void TakeRegisters(Warp& warp, const Instruction& product);
void ReleaseRegisters(Warp& warp, const Instruction& product);
void FenceRegisters(Warp& warp);

// Throws Fault if a warp that has ended has products that it has not waited for, or has run fewer
// than other warps of its warpgroup.
void CheckProductsDone(const Warp& warp);

}  // namespace halyard::testing::ptx

#endif  // HALYARD_TESTS_FAKES_PTX_MATRIX_WGMMA_H_
