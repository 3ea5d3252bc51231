// Products of one array by several constant matrices, such as those of queries, keys and values,
// become one product: it reads the array once, is one launch, and has more tiles for all units.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/hlo/values/strided.h"
#include "lowering/plan/fuse/fusion_group.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

// A product by a constant matrix, with the conversions and constant biases that follow it.
struct Branch {
  Instruction* dot = nullptr;
  std::vector<Instruction*> steps;   // after the dot, each the only user of the one before
  std::vector<Instruction*> biases;  // of each step: a constant, or null for a conversion
  Instruction* last() const { return steps.empty() ? dot : steps.back(); }
};

// The constant that `add` adds to `to`: along the last dimension, or (where a small one was
// broadcast when constants were folded) of all dimensions. Null: it is something else.
Instruction* BiasOf(const Instruction& add, const Instruction* to) {
  if (add.opcode != Opcode::kAdd || add.operand(0) == add.operand(1)) return nullptr;
  Instruction* other = add.operands[add.operand(0) == to ? 1 : 0];
  if (other->opcode == Opcode::kConstant && other->shape.rank() == add.shape.rank()) return other;
  if (other->opcode != Opcode::kBroadcast ||
      other->GetInts(Attr::kDimensions) != Ints{add.shape.rank() - 1})
    return nullptr;
  Instruction* bias = other->operands[0];
  return bias->opcode == Opcode::kConstant && bias->shape.rank() == 1 ? bias : nullptr;
}

// Returns whether every use of the value is a factor of products that comes straight from memory,
// which reads a part of an array as well as an array.
bool FeedsProducts(const Instruction& value, const UserMap& users, const Instruction* root,
                   int depth = 0) {
  if (&value == root || users.at(&value).empty() || depth > 4) return false;
  for (const Instruction* user : users.at(&value)) {
    if (user->opcode == Opcode::kDot) continue;
    const bool moves = user->opcode == Opcode::kReshape || user->opcode == Opcode::kTranspose;
    if (!moves || !FeedsProducts(*user, users, root, depth + 1)) return false;
  }
  return true;
}

std::optional<Branch> BranchOf(Instruction* dot, const UserMap& users, const Instruction* root) {
  const Shape& rhs = dot->operand(1)->shape;
  if (dot->operand(1)->opcode != Opcode::kConstant || rhs.rank() != 2 ||
      dot->shape.NumElements() == 0 || rhs.NumElements() == 0 ||
      hlo::BitWidth(rhs.element_type()) < 8 || !dot->GetInts(Attr::kRhsBatchDims).empty() ||
      dot->GetInts(Attr::kRhsContractingDims).size() != 1)
    return std::nullopt;
  Branch branch;
  branch.dot = dot;
  while (users.at(branch.last()).size() == 1 && branch.last() != root) {
    Instruction* next = users.at(branch.last())[0];
    Instruction* bias = BiasOf(*next, branch.last());
    if (next->opcode != Opcode::kConvert && bias == nullptr) break;
    branch.steps.push_back(next);
    branch.biases.push_back(bias);
  }
  // The parts of the result begin at multiples of 16 bytes.
  const Shape& result = branch.last()->shape;
  if (result.dims().back() * hlo::BitWidth(result.element_type()) % 128 != 0 ||
      !FeedsProducts(*branch.last(), users, root))
    return std::nullopt;
  return branch;
}

// Returns whether the branches become one product.
bool AreAlike(const Branch& a, const Branch& b) {
  const auto same_type = [](const Instruction& x, const Instruction& y) {
    return x.shape.element_type() == y.shape.element_type();
  };
  hlo::AttrMap of_a = a.dot->attrs, of_b = b.dot->attrs;
  for (hlo::AttrMap* attrs : {&of_a, &of_b}) attrs->Erase(Attr::kFrontendAttributes);
  if (a.dot->operand(0) != b.dot->operand(0) || !(of_a == of_b) || !same_type(*a.dot, *b.dot) ||
      !same_type(*a.dot->operand(1), *b.dot->operand(1)) || a.steps.size() != b.steps.size())
    return false;
  for (size_t i = 0; i < a.steps.size(); ++i) {
    const auto rank = [i](const Branch& c) {
      return c.biases[i] == nullptr ? -1 : c.biases[i]->shape.rank();
    };
    if (!same_type(*a.steps[i], *b.steps[i]) || rank(a) != rank(b)) return false;
  }
  return true;
}

// The arrays one after the other along `dim`.
Literal Joined(const std::vector<const Literal*>& parts, int64_t dim) {
  std::vector<int64_t> dims = parts[0]->shape().dims();
  dims[dim] = 0;
  for (const Literal* part : parts) dims[dim] += part->shape().dim(dim);
  Literal joined(Shape::Array(parts[0]->shape().element_type(), dims));
  const std::vector<int64_t> strides = joined.shape().Strides();
  int64_t first = 0;
  for (const Literal* part : parts) {
    hlo::StridedWrite(*part, first * strides[dim], strides, &joined);
    first += part->shape().dim(dim);
  }
  return joined;
}

void Merge(Rewriter& rewriter, const std::vector<Branch>& branches) {
  const Instruction& dot = *branches[0].dot;
  const int64_t features = 1 - dot.GetInts(Attr::kRhsContractingDims)[0];
  const auto constant = [&](auto&& literal_of, int64_t dim) {
    std::vector<const Literal*> parts;
    for (const Branch& branch : branches) parts.push_back(&literal_of(branch)->literal);
    return rewriter.AddConstant(dot, Joined(parts, dim));
  };
  Instruction* weights = constant([](const Branch& b) { return b.dot->operand(1); }, features);
  std::vector<int64_t> dims = dot.shape.dims();
  dims.back() = weights->shape.dim(features);
  Instruction* all = rewriter.Add(dot, Opcode::kDot, dot.shape.WithDims(dims),
                                  {dot.operands[0], weights}, dot.attrs);
  for (const Branch& branch : branches) all->provenance.Unite(branch.dot->provenance);
  for (size_t i = 0; i < branches[0].steps.size(); ++i) {
    const Instruction& step = *branches[0].steps[i];
    std::vector<Instruction*> operands = {all};
    if (const Instruction* first = branches[0].biases[i]; first != nullptr) {
      Instruction* bias =
          constant([i](const Branch& b) { return b.biases[i]; }, first->shape.rank() - 1);
      operands.push_back(first->shape.rank() == step.shape.rank() && step.shape.rank() > 1
                             ? bias
                             : rewriter.AddBroadcast(step, bias, dims, {step.shape.rank() - 1}));
    }
    all = rewriter.Add(step, step.opcode, step.shape.WithDims(dims), operands);
  }
  int64_t first = 0;
  for (const Branch& branch : branches) {
    Instruction* last = branch.last();
    hlo::SliceDims slice;
    for (int64_t size : last->shape.dims()) slice.push_back({0, size, 1});
    slice.back() = {first, first + last->shape.dims().back(), 1};
    first = slice.back().limit;
    rewriter.Replace(last, rewriter.Add(*last, Opcode::kSlice, last->shape, {all},
                                        OneAttr(Attr::kSlice, slice)));
  }
}

}  // namespace

absl::Status MergeProducts(hlo::Module& module) {
  for (hlo::Computation* sequence : SequencesOf(module)) {
    const UserMap users = sequence->Users();
    Rewriter rewriter(sequence);
    std::vector<std::vector<Branch>> groups;
    std::unordered_map<const Instruction*, std::vector<size_t>> of_factor;  // groups
    for (Instruction* inst : rewriter.Snapshot()) {
      if (inst->opcode != Opcode::kDot || IsOnHost(*inst)) continue;
      std::optional<Branch> branch = BranchOf(inst, users, sequence->root());
      if (!branch.has_value()) continue;
      std::vector<size_t>& candidates = of_factor[inst->operand(0)];
      const auto group = std::find_if(candidates.begin(), candidates.end(),
                                      [&](size_t g) { return AreAlike(groups[g][0], *branch); });
      if (group != candidates.end()) {
        groups[*group].push_back(*std::move(branch));
        continue;
      }
      candidates.push_back(groups.size());
      groups.push_back({*std::move(branch)});
    }
    for (const std::vector<Branch>& branches : groups) {
      if (branches.size() > 1) Merge(rewriter, branches);
    }
    if (!rewriter.changed()) continue;
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
