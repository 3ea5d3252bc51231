#include "lowering/plan/sizes/sized_builder.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

Instruction* SizedBuilder::Int(const Instruction& source, int64_t value) {
  Literal literal(Shape::Scalar(ElementType::kS32));
  literal.SetInt(0, value);
  return rewriter_.AddConstant(source, std::move(literal));
}

Instruction* SizedBuilder::Linear(const Instruction& source, const SizeFunction& function) {
  const SizeBox& box = facts_.box();
  std::vector<int64_t> factors;
  int64_t constant = function[0];
  for (size_t i = 0; i < box.low.size(); ++i) {
    factors.push_back(box.high[i] > box.low[i] ? function[box.Stride(i)] - function[0] : 0);
    constant -= factors[i] * box.low[i];
  }
  for (int64_t k = 0; k < box.Count(); ++k) {
    const std::vector<int64_t> sizes = box.At(k);
    int64_t value = constant;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t part = factors[i] * sizes[i];
      value += part;
      if (std::abs(part) > std::numeric_limits<int32_t>::max()) return nullptr;
    }
    if (value != function[k]) return nullptr;
  }
  GraphBuilder graph = For(source);
  Instruction* sum = nullptr;
  for (size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] == 0) continue;
    Instruction* part = variables_[i];
    if (factors[i] != 1) part = graph.Add(Opcode::kMultiply, {part, Int(source, factors[i])});
    sum = sum == nullptr ? part : graph.Add(Opcode::kAdd, {sum, part});
  }
  if (sum == nullptr) return Int(source, constant);
  return constant == 0 ? sum : graph.Add(Opcode::kAdd, {sum, Int(source, constant)});
}

Instruction* SizedBuilder::Index(const Instruction& source) {
  if (index_ != nullptr) return index_;
  SizeFunction positions;
  for (int64_t k = 0; k < facts_.box().Count(); ++k) positions.push_back(k);
  return index_ = Linear(source, positions);
}

Instruction* SizedBuilder::Value(const Instruction& source, const SizeFunction& function) {
  Instruction*& value = values_[function];
  if (value != nullptr) return value;
  Instruction* made = Linear(source, function);
  if (made == nullptr) {
    std::vector<Literal> literals;
    for (const int64_t each : function) {
      literals.emplace_back(Shape::Scalar(ElementType::kS32)).SetInt(0, each);
    }
    made = Choose(source, literals);
  }
  return values_[function] = made;
}

Instruction* SizedBuilder::Choose(const Instruction& source, const std::vector<Literal>& values) {
  const Shape& shape = values[0].shape();
  std::vector<int64_t> dims = shape.dims();
  dims.insert(dims.begin(), static_cast<int64_t>(values.size()));
  Literal table(shape.WithDims(dims));
  const int64_t each = shape.NumElements();
  for (size_t k = 0; k < values.size(); ++k) {
    for (int64_t i = 0; i < each; ++i)
      table.CopyElement(static_cast<int64_t>(k) * each + i, values[k], i);
  }
  std::vector<Instruction*> operands = {rewriter_.AddConstant(source, std::move(table)),
                                        Index(source)};
  operands.resize(dims.size() + 1, Int(source, 0));
  dims[0] = 1;
  GraphBuilder graph = For(source);
  Instruction* row = graph.Add(Opcode::kDynamicSlice, operands,
                               OneAttr(Attr::kDynamicSliceSizes, hlo::Ints(dims)));
  return graph.Reshape(row, shape.dims());
}

Instruction* SizedBuilder::Mask(const Instruction& source, const std::vector<int64_t>& dims,
                                const std::vector<Limit>& limits) {
  GraphBuilder graph = For(source);
  Instruction* mask = nullptr;
  for (const Limit& limit : limits) {
    Instruction* position = graph.Iota(ElementType::kS32, dims, limit.dim);
    Instruction* size = graph.Broadcast(Value(source, *limit.size), dims, {});
    Instruction* inside = graph.Compare(position, size, "LT");
    mask = mask == nullptr ? inside : graph.Add(Opcode::kAnd, {mask, inside});
  }
  return mask;
}

std::vector<SizedBuilder::Limit> SizedBuilder::Varying(const Instruction* array,
                                                       const std::vector<int64_t>& dims) const {
  std::vector<Limit> limits;
  for (const int64_t d : dims) {
    if (const SizeFunction* size = facts_.Size(array, d)) limits.push_back({d, size});
  }
  return limits;
}

std::vector<SizedBuilder::Limit> SizedBuilder::Varying(const Instruction* array) const {
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < array->shape.rank(); ++d) dims.push_back(d);
  return Varying(array, dims);
}

Instruction* SizedBuilder::Masked(const Instruction& source, Instruction* array,
                                  const std::vector<Limit>& limits, Instruction* fill) {
  if (limits.empty()) return array;
  GraphBuilder graph = For(source);
  const std::vector<int64_t>& dims = array->shape.dims();
  return graph.Select(Mask(source, dims, limits), array, graph.Broadcast(fill, dims, {}));
}

Instruction* SizedBuilder::PadHigh(const Instruction& source, Instruction* array, int64_t dim,
                                   int64_t amount) {
  if (amount <= 0) return array;
  std::vector<int64_t> dims = array->shape.dims();
  dims[dim] += amount;
  return For(source).PadTo(array, dims);
}

Instruction* SizedBuilder::SliceFrom(const Instruction& source, Instruction* array, int64_t dim,
                                     const SizeFunction& start, int64_t size) {
  const int64_t last = *std::max_element(start.begin(), start.end());
  array = PadHigh(source, array, dim, last + size - array->shape.dim(dim));
  std::vector<Instruction*> operands = {array};
  hlo::Ints sizes = array->shape.dims();
  for (int64_t d = 0; d < array->shape.rank(); ++d)
    operands.push_back(d == dim ? Value(source, start) : Int(source, 0));
  sizes[dim] = size;
  return For(source).Add(Opcode::kDynamicSlice, std::move(operands),
                         OneAttr(Attr::kDynamicSliceSizes, std::move(sizes)));
}

Instruction* SizedBuilder::Splat(const Instruction& source, const Shape& shape, int64_t value) {
  Literal literal(Shape::Scalar(shape.element_type()));
  literal.SetInt(0, value);
  Instruction* scalar = rewriter_.AddConstant(source, std::move(literal));
  return shape.IsScalar() ? scalar : For(source).Broadcast(scalar, shape.dims(), {});
}

Instruction* SizedBuilder::WideIndex(const Instruction& source, Instruction* index) {
  const ElementType type = index->shape.element_type();
  GraphBuilder graph = For(source);
  if (type == ElementType::kU64)
    index = graph.Add(Opcode::kMinimum, {index, Splat(source, index->shape, int64_t{1} << 62)});
  const bool fits = hlo::BitWidth(type) < 32 || type == ElementType::kS32;
  return graph.Convert(index, fits ? ElementType::kS32 : ElementType::kS64);
}

absl::Status SizedBuilder::NoRule(const Instruction& inst, const std::string& why) {
  return hlo::LocatedError(absl::StatusCode::kUnimplemented, inst,
                           absl::StrCat("cannot be computed for a range of sizes: ", why));
}

}  // namespace halyard::lowering
