#include "lowering/kernels/emitter.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"
#include "lowering/kernels/marks.h"
#include "lowering/numerics/integer_ops.h"

namespace halyard::lowering {

using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;

namespace {

constexpr OpLowering kLowerings[] = {
    {Opcode::kBroadcast, LowerBroadcast},
    {Opcode::kReshape, LowerReshape},
    {Opcode::kBitcast, LowerReshape},
    {Opcode::kTranspose, LowerTranspose},
    {Opcode::kReverse, LowerReverse},
    {Opcode::kSlice, LowerSlice},
    {Opcode::kConcatenate, LowerConcatenate},
    {Opcode::kPad, LowerPad},
    {Opcode::kIota, LowerIota},
    {Opcode::kConstant, LowerConstant},
    {Opcode::kDynamicSlice, LowerDynamicSlice},
    {Opcode::kGather, LowerGather},
    {Opcode::kCopy, LowerIdentity},
    {Opcode::kBitcastConvert, LowerBitcastConvert},
    {Opcode::kReduce, nullptr, LowerReduce},
    {Opcode::kDot, nullptr, LowerDot},
    {Opcode::kConvolution, nullptr, LowerConvolution},
    {Opcode::kReduceWindow, nullptr, LowerReduceWindow},
    {Opcode::kCountingPass, nullptr, nullptr, nullptr, LowerCountingPass},
    {Opcode::kSortPass, nullptr, nullptr, LowerSortPass},
    {Opcode::kUnscaledFft, nullptr, nullptr, LowerLibraryOp},
    {Opcode::kDynamicUpdateSlice, nullptr, nullptr, nullptr, LowerDynamicUpdateSlice},
    {Opcode::kCholeskyBlock, nullptr, nullptr, nullptr, LowerCholeskyBlock},
    {Opcode::kTriangularBlock, nullptr, nullptr, nullptr, LowerTriangularBlock},
    {Opcode::kScatter, nullptr, nullptr, nullptr, LowerScatter},
};

}  // namespace

const OpLowering* LoweringOf(Opcode opcode) {
  for (const OpLowering& row : kLowerings) {
    if (row.opcode == opcode) return &row;
  }
  return nullptr;
}

Halide::Expr ClampInt(const Halide::Expr& index, int64_t low, int64_t high) {
  return Halide::max(Halide::min(index, static_cast<int32_t>(high)), static_cast<int32_t>(low));
}

Halide::Expr ClampedIndex(const Value& value, int64_t limit) {
  const Halide::Type type = value.re.type();
  if (type.is_int() && type.bits() <= 32)
    return ClampInt(OfUnknownBounds(Halide::cast<int32_t>(value.re)), 0, limit);
  // Clamp before narrowing. A limit that the index type cannot hold clamps nothing from above.
  Halide::Expr index = value.re;
  const int value_bits = type.is_int() ? 63 : type.bits();
  if (value_bits >= 63 || limit < (int64_t{1} << value_bits))
    index = Halide::min(index, Halide::cast(type, Halide::Expr(limit)));
  if (type.is_int()) index = Halide::max(index, Halide::cast(type, 0));
  return Halide::unsafe_promise_clamped(OfUnknownBounds(Halide::cast<int32_t>(index)), 0,
                                        static_cast<int32_t>(limit));
}

Value SelectValue(const Halide::Expr& condition, const Value& on_true, const Value& on_false) {
  Value result{on_true.type, Halide::select(condition, on_true.re, on_false.re), {}};
  if (on_true.im.defined()) result.im = Halide::select(condition, on_true.im, on_false.im);
  const auto choose = [&](const Halide::Expr& a, const Halide::Expr& b) {
    return Halide::select(condition, a, b);
  };
  ChooseStored(on_true, on_false, choose, &result);
  return result;
}

Value Emitter::Load(const Halide::ImageParam& input, ElementType type, const LogicalIndex& index) {
  Indices halide = ToHalide(index);
  const auto is_constant = [](const Halide::Expr& e) {
    return Halide::Internal::is_const(Halide::Internal::simplify(e));
  };
  const bool hide =
      hidden_ == Hidden::kAll ||
      (hidden_ == Hidden::kAtConstants && std::all_of(halide.begin(), halide.end(), is_constant));
  auto load = [&] {
    const Halide::Expr stored = input(halide);
    return hide ? numerics::Opaque(stored) : stored;
  };
  if (!hlo::IsComplex(type)) return FromStorage(type, load());
  halide.insert(halide.begin(), Halide::Expr(0));
  const Halide::Expr re = load();
  halide[0] = 1;
  return FromStorage(type, re, load());
}

Value Emitter::At(const Instruction* instruction, const LogicalIndex& index) {
  Key key{instruction, {}};
  key.second.reserve(index.size());
  for (const Halide::Expr& e : index) key.second.push_back(e.get());
  if (auto it = memo_.find(key); it != memo_.end()) return it->second.value;
  Value value = Compute(instruction, index);
  memo_.emplace(std::move(key), Remembered{index, value});
  return value;
}

Value Emitter::Compute(const Instruction* instruction, const LogicalIndex& index) {
  if (auto it = readers_.find(instruction); it != readers_.end() && it->second)
    return it->second(index);
  if (auto it = stored_.find(instruction); it != stored_.end()) {
    Indices halide = ToHalide(index);
    const ElementType type = instruction->shape.element_type();
    if (!hlo::IsComplex(type)) return FromStorage(type, it->second(halide));
    Halide::FuncRef ref = it->second(halide);
    return FromStorage(type, ref[0], ref[1]);
  }
  if (auto it = inputs_.find(instruction); it != inputs_.end()) {
    return Load(it->second, instruction->shape.element_type(), index);
  }
  if (heroes_.count(instruction)) return LeavesAt(instruction, index)[0];
  if (instruction->opcode == Opcode::kGetTupleElement) {
    return LeavesAt(instruction->operand(0), index)[instruction->GetInt(hlo::Attr::kIndex)];
  }
  if (const OpLowering* row = LoweringOf(instruction->opcode); row != nullptr) {
    if (row->expr != nullptr) return row->expr(*this, *instruction, index);
    if (row->leaves != nullptr) return row->leaves(*this, *instruction, index)[0];
  }
  std::vector<Value> operands;
  for (const Instruction* operand : instruction->operands) {
    // Scalar operands of select and clamp apply to every element.
    operands.push_back(At(operand, operand->shape.IsScalar() ? LogicalIndex{} : index));
  }
  absl::StatusOr<Value> value = ApplyElementwise(*instruction, operands);
  if (!value.ok()) throw EmitError(std::string(value.status().message()));
  return *value;
}

std::vector<Value> Emitter::Apply(const hlo::Computation& computation,
                                  const std::vector<Value>& arguments) {
  std::unordered_map<const Instruction*, std::vector<Value>> values;
  for (const auto& owned : computation.instructions()) {
    const Instruction* instruction = owned.get();
    std::vector<Value>& result = values[instruction];
    switch (instruction->opcode) {
      case Opcode::kParameter:
        result = {ConvertTo(arguments.at(instruction->parameter_number),
                            instruction->shape.element_type())};
        continue;
      case Opcode::kConstant:
        result = {ConstantValue(instruction->literal, 0)};
        continue;
      case Opcode::kTuple:
        for (const Instruction* operand : instruction->operands)
          result.push_back(values.at(operand)[0]);
        continue;
      case Opcode::kGetTupleElement:
        result = {values.at(instruction->operand(0)).at(instruction->GetInt(hlo::Attr::kIndex))};
        continue;
      case Opcode::kReshape:
      case Opcode::kBroadcast:
      case Opcode::kCopy:
      case Opcode::kBitcast:
        result = values.at(instruction->operand(0));  // of scalars
        continue;
      case Opcode::kCall: {
        std::vector<Value> inner;
        for (const Instruction* operand : instruction->operands)
          inner.push_back(values.at(operand)[0]);
        result = Apply(*instruction->called[0], inner);
        continue;
      }
      default:
        break;
    }
    std::vector<Value> operands;
    for (const Instruction* operand : instruction->operands)
      operands.push_back(values.at(operand)[0]);
    absl::StatusOr<Value> value = ApplyElementwise(*instruction, operands);
    if (!value.ok()) throw EmitError(std::string(value.status().message()));
    result = {*value};
  }
  return values.at(computation.root());
}

std::vector<Value> Emitter::LeavesAt(const Instruction* instruction, const LogicalIndex& index) {
  if (instruction->opcode == Opcode::kTuple) {
    std::vector<Value> leaves;
    for (const Instruction* operand : instruction->operands) leaves.push_back(At(operand, index));
    return leaves;
  }
  if (const OpLowering* row = LoweringOf(instruction->opcode);
      row != nullptr && row->leaves != nullptr) {
    return row->leaves(*this, *instruction, index);
  }
  auto it = heroes_.find(instruction);
  if (it == heroes_.end()) return {At(instruction, index)};
  const Hero& hero = *it->second;
  if (!hero.read)
    throw EmitError(
        absl::StrCat(instruction->name, ": read before its schedule template defined it"));
  const std::vector<Halide::Expr> stored = hero.read(ToHalide(index));
  const std::vector<hlo::Shape> shapes = hlo::FlattenShape(instruction->shape);
  std::vector<Value> leaves;
  size_t position = 0;
  for (ElementType type : hero.types) {
    Halide::Expr re = stored.at(position++);
    Value leaf =
        hlo::IsComplex(type) ? FromStorage(type, re, stored.at(position++)) : FromStorage(type, re);
    if (hero.finish) leaf = hero.finish(leaf);
    // Products of narrow floats accumulate in f32 and are rounded here, once.
    leaves.push_back(ConvertTo(leaf, shapes[leaves.size()].element_type()));
  }
  return leaves;
}

}  // namespace halyard::lowering
