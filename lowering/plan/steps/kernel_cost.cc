#include "lowering/plan/steps/kernel_cost.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/kernel_form.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

int64_t Elements(const Shape& shape) {
  if (shape.IsArray()) return shape.NumElements();
  int64_t sum = 0;
  for (const Shape& element : shape.elements()) sum += Elements(element);
  return sum;
}

// The multiplications and additions of real parts that an operation on complex numbers takes.
int64_t MultiplyWeight(const Shape& shape) { return HasComplex(shape) ? 6 : 1; }
int64_t AddWeight(const Shape& shape) { return HasComplex(shape) ? 2 : 1; }

bool MovesOnly(Opcode opcode) {
  switch (opcode) {
    case Opcode::kConvert:
    case Opcode::kBitcastConvert:
    case Opcode::kReal:
    case Opcode::kImag:
    case Opcode::kComplex:
    case Opcode::kSelect:
    case Opcode::kCopy:
      return true;
    default:
      return false;
  }
}

int64_t ElementwiseFlops(const Instruction& inst) {
  const int64_t elements = Elements(inst.shape);
  if (inst.opcode == Opcode::kMultiply || inst.opcode == Opcode::kDivide)
    return elements * MultiplyWeight(inst.shape);
  return elements * AddWeight(inst.shape);
}

int64_t CombinerFlops(const Instruction& inst) {
  int64_t flops = 0;
  for (const Computation* called : inst.called) {
    for (const auto& inner : called->instructions()) {
      if (hlo::RowOf(inner->opcode).elementwise && !MovesOnly(inner->opcode))
        flops += ElementwiseFlops(*inner);
    }
  }
  return std::max<int64_t>(flops, inst.called.empty() ? 0 : 1);
}

int64_t ProductFlops(const Instruction& inst) {
  return inst.shape.NumElements() * TermsOfProduct(inst) *
         (MultiplyWeight(inst.shape) + AddWeight(inst.shape));
}

int64_t ReduceWindowFlops(const Instruction& inst) {
  int64_t size = 1;
  for (const hlo::WindowDim& dim : inst.GetWindow().dims) size *= dim.size;
  return Elements(inst.shape) * size * CombinerFlops(inst);
}

int64_t FlopsOf(const Instruction& inst) {
  switch (inst.opcode) {
    case Opcode::kDot:
    case Opcode::kConvolution:
      return ProductFlops(inst);
    case Opcode::kReduce:
      // There is one combination for each element that goes in, over all operands.
      return inst.operand(0)->shape.NumElements() * CombinerFlops(inst);
    case Opcode::kReduceWindow:
      return ReduceWindowFlops(inst);
    case Opcode::kScatter:
      return inst.operands.back()->shape.NumElements() * CombinerFlops(inst);
    case Opcode::kSortPass: {
      const Shape& first = inst.operands.back()->shape;
      return first.NumElements() * CombinerFlops(inst);
    }
    case Opcode::kCholeskyBlock:
      return inst.shape.NumElements() * inst.shape.dim(inst.shape.rank() - 1) / 3;
    case Opcode::kTriangularBlock:
      return inst.shape.NumElements() *
             inst.operand(1)->shape.dim(inst.operand(1)->shape.rank() - 1);
    case Opcode::kFftPass: {
      // A radix of 2^k takes about 5 k operations per element; smaller ones count as 16.
      int64_t flops = 20;
      for (int64_t r = 16; r < inst.operand(0)->shape.dim(1); r *= 2) flops += 5;
      return Elements(inst.shape) * flops;
    }
    case Opcode::kUnscaledFft: {
      int64_t points = 1, flops = 5;  // 5 n log2(n)
      for (const int64_t length : inst.GetInts(hlo::Attr::kFftLength)) points *= length;
      for (int64_t p = 2; p < points; p *= 2) flops += 5;
      return inst.operand(0)->shape.NumElements() * flops;
    }
    default:
      break;
  }
  if (hlo::RowOf(inst.opcode).elementwise && !MovesOnly(inst.opcode)) return ElementwiseFlops(inst);
  return 0;
}

// Finds out how much of a parameter the kernel must read.
class Reads {
 public:
  explicit Reads(const Computation& kernel) : users_(kernel.Users()) {}

  int64_t Bytes(const Instruction& parameter) const {
    const auto found = users_.find(&parameter);
    if (found == users_.end()) return 0;
    const int64_t all = parameter.shape.ByteSize();
    int64_t sum = 0;
    for (const Instruction* user : found->second) {
      for (size_t i = 0; i < user->operands.size(); ++i) {
        if (user->operands[i] == &parameter) sum += BytesOf(*user, i, all);
      }
      if (sum >= all) return all;
    }
    return sum;
  }

 private:
  int64_t BytesOf(const Instruction& user, size_t operand, int64_t all) const {
    switch (user.opcode) {
      case Opcode::kSlice:
      case Opcode::kDynamicSlice:
      case Opcode::kGather:
        return operand == 0 ? user.shape.ByteSize() : all;
      default:
        break;
    }
    if (!IsSequence(user.opcode) || SequenceOperandOf(user, operand) != SequenceOperand::kInPlace) {
      return all;
    }
    // A scatter combines with the values that are there; writing a window does not read them.
    if (user.opcode == Opcode::kDynamicUpdateSlice) return 0;
    if (user.opcode == Opcode::kScatter)
      return std::min(all, UpdatedBytes(user, static_cast<int64_t>(operand)));
    return all;
  }

  static int64_t UpdatedBytes(const Instruction& scatter, int64_t operand) {
    const int64_t outputs = static_cast<int64_t>(scatter.operands.size()) / 2;
    return scatter.operand(outputs + 1 + operand)->shape.ByteSize();
  }

  std::unordered_map<const Instruction*, std::vector<Instruction*>> users_;
};

int64_t WrittenBytes(const Instruction& root) {
  const int64_t all = root.shape.ByteSize();
  if (root.opcode == Opcode::kDynamicUpdateSlice)
    return std::min(all, root.operand(1)->shape.ByteSize());
  if (root.opcode == Opcode::kScatter) {
    int64_t updates = 0;
    for (size_t i = root.operands.size() / 2 + 1; i < root.operands.size(); ++i)
      updates += root.operands[i]->shape.ByteSize();
    return std::min(all, updates);
  }
  return all;
}

}  // namespace

int64_t TermsOfProduct(const Instruction& product) {
  if (product.opcode == Opcode::kDot) {
    int64_t terms = 1;
    for (int64_t d : product.GetInts(Attr::kLhsContractingDims))
      terms *= product.operand(0)->shape.dim(d);
    return terms;
  }
  // A convolution's kernel has that many elements for one output feature.
  const Shape& kernel = product.operand(1)->shape;
  const int64_t features = kernel.dim(product.GetConvDims().kernel_output_feature);
  return features == 0 ? 0 : kernel.NumElements() / features;
}

KernelCost CostOf(const Computation& kernel) {
  KernelCost cost;
  const Reads reads(kernel);
  for (const auto& inst : kernel.instructions()) {
    if (inst->opcode == Opcode::kParameter) {
      cost.bytes_read += reads.Bytes(*inst);
    } else {
      cost.flops += FlopsOf(*inst);
    }
  }
  cost.bytes_written = WrittenBytes(*kernel.root());
  return cost;
}

}  // namespace halyard::lowering
