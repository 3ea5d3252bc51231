#include "lowering/plan/sizes/size_facts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/located_error.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::lowering {

using hlo::Attr;
using hlo::Computation;
using hlo::Instruction;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;

namespace {

// Attributes in which sizes occur. The rules for the ops read them.
bool MayFollowFromSizes(Attr attr) {
  switch (attr) {
    case Attr::kWindow:
    case Attr::kPadding:
    case Attr::kSlice:
    case Attr::kDynamicSliceSizes:
    case Attr::kSliceSizes:
      return true;
    default:
      return false;
  }
}

// Large constants, the weights, are mostly the same memory.
bool SameBytes(const hlo::Literal& a, const hlo::Literal& b) {
  return a.bytes().data() == b.bytes().data() || a.BitwiseEqual(b);
}

}  // namespace

int64_t SizeBox::Count() const {
  int64_t count = 1;
  for (size_t i = 0; i < low.size(); ++i) count *= high[i] - low[i] + 1;
  return count;
}

int64_t SizeBox::Stride(size_t i) const {
  int64_t stride = 1;
  for (size_t k = i + 1; k < low.size(); ++k) stride *= high[k] - low[k] + 1;
  return stride;
}

std::vector<int64_t> SizeBox::At(int64_t index) const {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < low.size(); ++i)
    sizes.push_back(low[i] + index / Stride(i) % (high[i] - low[i] + 1));
  return sizes;
}

std::string SizeBox::Text(int64_t index) const {
  const std::vector<int64_t> sizes = At(index);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    absl::StrAppend(&text, i == 0 ? "" : ", ", names[i], "=", sizes[i]);
  return text;
}

bool IsConstant(const SizeFunction& function) {
  return std::all_of(function.begin(), function.end(),
                     [&](int64_t value) { return value == function[0]; });
}

absl::StatusOr<SizeFacts> SizeFacts::Compare(const Module& largest, const SizeBox& box,
                                             const MakeStatic& make) {
  SizeFacts facts;
  facts.box_ = box;
  for (int64_t i = 0; i + 1 < box.Count(); ++i) {
    absl::StatusOr<std::unique_ptr<Module>> other = make(box.At(i));
    if (!other.ok()) return other.status();
    if (absl::Status s = facts.CompareModule(largest, **other, i); !s.ok()) return s;
  }
  if (absl::Status s = facts.Intern(); !s.ok()) return s;
  return facts;
}

absl::Status SizeFacts::Differs(const Instruction& inst, int64_t index,
                                const std::string& what) const {
  return hlo::LocatedError(
      absl::StatusCode::kUnimplemented, inst,
      absl::StrCat(what, " with ", box_.Text(index), " than with ", box_.Text(box_.Count() - 1)));
}

absl::Status SizeFacts::CompareModule(const Module& largest, const Module& other, int64_t index) {
  partners_.clear();
  compared_.clear();
  return CompareComputation(*largest.entry(), *other.entry(), index);
}

absl::Status SizeFacts::CompareComputation(const Computation& largest, const Computation& other,
                                           int64_t index) {
  if (!compared_.insert(&largest).second) return absl::OkStatus();
  const auto &first = largest.instructions(), &second = other.instructions();
  const size_t common = std::min(first.size(), second.size());
  for (size_t i = 0; i < common; ++i) {
    partners_[first[i].get()] = second[i].get();
    if (absl::Status s = CompareInstruction(*first[i], *second[i], index); !s.ok()) return s;
  }
  if (first.size() != second.size()) return Differs(*largest.root(), index, "is made of other ops");
  if (partners_[largest.root()] != other.root())
    return Differs(*largest.root(), index, "is another result");
  return absl::OkStatus();
}

absl::Status SizeFacts::CompareInstruction(const Instruction& largest, const Instruction& other,
                                           int64_t index) {
  bool same = largest.opcode == other.opcode && largest.operands.size() == other.operands.size() &&
              largest.called.size() == other.called.size() &&
              largest.parameter_number == other.parameter_number;
  for (size_t i = 0; same && i < largest.operands.size(); ++i)
    same = partners_[largest.operands[i]] == other.operands[i];
  if (!same) return Differs(largest, index, "is another op, or one of other operands,");
  if (absl::Status s = CompareShapes(largest, other, index); !s.ok()) return s;
  if (absl::Status s = CompareAttributes(largest, other, index); !s.ok()) return s;
  if (largest.opcode == Opcode::kConstant && largest.shape.IsArray() &&
      !(Shape::SameIgnoringLayout(largest.shape, other.shape) &&
        SameBytes(largest.literal, other.literal))) {
    std::vector<hlo::Literal>& literals = facts_[&largest].literals;
    if (literals.empty()) literals.assign(box_.Count(), largest.literal);
    literals[index] = other.literal;
  }
  for (size_t i = 0; i < largest.called.size(); ++i) {
    absl::Status s = CompareComputation(*largest.called[i], *other.called[i], index);
    if (!s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status SizeFacts::CompareShapes(const Instruction& largest, const Instruction& other,
                                      int64_t index) {
  if (Shape::SameIgnoringLayout(largest.shape, other.shape)) return absl::OkStatus();
  const std::vector<Shape> first = hlo::FlattenShape(largest.shape);
  const std::vector<Shape> second = hlo::FlattenShape(other.shape);
  bool same = first.size() == second.size();
  for (size_t leaf = 0; same && leaf < first.size(); ++leaf) {
    same = first[leaf].kind() == second[leaf].kind() &&
           (!first[leaf].IsArray() || (first[leaf].element_type() == second[leaf].element_type() &&
                                       first[leaf].rank() == second[leaf].rank()));
  }
  if (!same) return Differs(largest, index, "has another type or rank");
  auto& sizes = facts_[&largest].collected;
  if (sizes.empty()) {
    for (const Shape& leaf : first) {
      auto& of_leaf = sizes.emplace_back();
      for (int64_t d = 0; leaf.IsArray() && d < leaf.rank(); ++d)
        of_leaf.emplace_back(box_.Count(), leaf.dim(d));
    }
  }
  for (size_t leaf = 0; leaf < first.size(); ++leaf) {
    for (size_t d = 0; d < sizes[leaf].size(); ++d) {
      sizes[leaf][d][index] = second[leaf].dim(d);
      if (second[leaf].dim(d) > first[leaf].dim(d))
        return Differs(largest, index, absl::StrCat("has a larger dimension ", d));
    }
  }
  return absl::OkStatus();
}

absl::Status SizeFacts::CompareAttributes(const Instruction& largest, const Instruction& other,
                                          int64_t index) {
  if (largest.attrs == other.attrs) return absl::OkStatus();
  const auto &first = largest.attrs.entries(), &second = other.attrs.entries();
  bool same = first.size() == second.size();
  for (size_t i = 0; same && i < first.size(); ++i) {
    same = first[i].first == second[i].first &&
           (first[i].second == second[i].second || MayFollowFromSizes(first[i].first));
    if (!same) {
      return Differs(largest, index,
                     absl::StrCat("has another attribute ", hlo::AttrName(first[i].first)));
    }
  }
  if (!same) return Differs(largest, index, "has other attributes");
  std::vector<hlo::AttrMap>& attrs = facts_[&largest].attrs;
  if (attrs.empty()) attrs.assign(box_.Count(), largest.attrs);
  attrs[index] = other.attrs;
  return absl::OkStatus();
}

absl::Status SizeFacts::Intern() {
  for (auto& [inst, fact] : facts_) {
    for (auto& leaf : fact.collected) {
      auto& sizes = fact.sizes.emplace_back();
      for (SizeFunction& function : leaf) {
        sizes.push_back(nullptr);
        if (IsConstant(function)) continue;
        std::unique_ptr<SizeFunction>& known = functions_[function];
        if (known == nullptr) known = std::make_unique<SizeFunction>(std::move(function));
        sizes.back() = known.get();
      }
    }
    fact.collected.clear();
  }
  return absl::OkStatus();
}

const SizeFunction* SizeFacts::Size(const Instruction* inst, size_t leaf, int64_t dim) const {
  auto found = facts_.find(inst);
  if (found == facts_.end() || found->second.sizes.empty()) return nullptr;
  return found->second.sizes[leaf][dim];
}

SizeFunction SizeFacts::SizesOf(const Instruction* array, int64_t dim) const {
  const SizeFunction* varying = Size(array, dim);
  return varying != nullptr ? *varying : SizeFunction(box_.Count(), array->shape.dim(dim));
}

bool SizeFacts::HasVaryingShape(const Instruction* inst) const {
  auto found = facts_.find(inst);
  if (found == facts_.end()) return false;
  for (const auto& leaf : found->second.sizes) {
    for (const SizeFunction* function : leaf) {
      if (function != nullptr) return true;
    }
  }
  return false;
}

bool SizeFacts::Varies(const Computation& computation) const {
  for (const auto& inst : computation.instructions()) {
    if (facts_.count(inst.get()) != 0) return true;
    for (const Computation* callee : inst->called) {
      if (Varies(*callee)) return true;
    }
  }
  return false;
}

const std::vector<hlo::AttrMap>* SizeFacts::Attributes(const Instruction* inst) const {
  auto found = facts_.find(inst);
  return found == facts_.end() || found->second.attrs.empty() ? nullptr : &found->second.attrs;
}

const std::vector<hlo::Literal>* SizeFacts::Literals(const Instruction* inst) const {
  auto found = facts_.find(inst);
  return found == facts_.end() || found->second.literals.empty() ? nullptr
                                                                 : &found->second.literals;
}

}  // namespace halyard::lowering
