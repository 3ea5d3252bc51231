// Runs one elementwise op on arrays through Halide's own JIT, on x86 levels and on Vulkan.
#ifndef HALYARD_TESTS_LOWERING_NUMERICS_HARNESS_H_
#define HALYARD_TESTS_LOWERING_NUMERICS_HARNESS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/types/span.h"
#include "lowering/numerics/numerics.h"

namespace halyard::lowering::testing {

struct Device {
  std::string name;  // "x86:v2", "x86:v3", "x86:v4", "vulkan"
  Halide::Target target;
  bool gpu = false;
  bool keeps_denormals = true;
};
// Returns the x86 levels of this machine, then Vulkan if there is a device.
const std::vector<Device>& Devices();
const Device& BestX86();

// The stored bits of each element, with one array for each part of an operand (a complex operand
// has two).
using Planes = std::vector<std::vector<uint64_t>>;

struct Op {
  hlo::Opcode opcode;
  std::vector<hlo::ElementType> operands;
  hlo::ElementType result;
  hlo::AttrMap attrs;
};
Op UnaryOp(hlo::Opcode opcode, hlo::ElementType type);
Op BinaryOp(hlo::Opcode opcode, hlo::ElementType type);
Op ConvertOp(hlo::ElementType from, hlo::ElementType to);

// Any function of values.
using Build = std::function<Value(absl::Span<const Value>)>;
Planes RunBuild(const Build& build, const std::vector<hlo::ElementType>& operands,
                const Device& device, const Planes& inputs);
// Runs the op. Fails the test if the op has no lowering.
Planes RunOp(const Op& op, const Device& device, const Planes& inputs);
Build BuildOf(const Op& op);
// Run functions of the same operands. Those whose vectors have as many lanes are one kernel, which
// is several times faster to compile than one for each of them; with HALYARD_ALL_CASES
// (tests/sample.h), each is a kernel of its own. No result may be complex.
std::vector<Planes> RunBuilds(const std::vector<Build>& builds,
                              const std::vector<hlo::ElementType>& operands, const Device& device,
                              const Planes& inputs);
std::vector<Planes> RunOps(const std::vector<Op>& ops, const Device& device, const Planes& inputs);
// The Func that RunOp would realise, with its inputs left open, for compiling to text.
struct OpenKernel {
  Halide::Func func;
  std::vector<Halide::ImageParam> inputs;
};
OpenKernel MakeKernel(const Build& build, const std::vector<hlo::ElementType>& operands, bool gpu,
                      const Halide::Target& target);
// A Func of several results, each of which is one of its values.
OpenKernel MakeKernel(const std::vector<Build>& builds,
                      const std::vector<hlo::ElementType>& operands, bool gpu,
                      const Halide::Target& target);

uint64_t Bits32(float x);
uint64_t Bits64(double x);
// Returns all codes, as stored, of a type of at most 16 bits.
std::vector<uint64_t> AllCodes(hlo::ElementType type);
// Returns the stored form of an integer of the type, sign-extended to the storage width.
uint64_t StoredInteger(hlo::ElementType type, uint64_t value);
// SplitMix64, for data that is the same everywhere.
uint64_t Hash(uint64_t x);

}  // namespace halyard::lowering::testing

#endif  // HALYARD_TESTS_LOWERING_NUMERICS_HARNESS_H_
