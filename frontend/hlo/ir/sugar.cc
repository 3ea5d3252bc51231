#include "frontend/hlo/ir/sugar.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {
namespace {

// Instructions as they come; the first error stays, and what follows it gives null.
class Appender {
 public:
  explicit Appender(Computation* computation) : computation_(computation) {}

  Instruction* Add(Opcode opcode, std::vector<Instruction*> operands, AttrMap attrs = {},
                   std::vector<Computation*> called = {}, Shape given = {}) {
    if (!status_.ok()) return nullptr;
    Instruction inst{.opcode = opcode, .shape = std::move(given), .attrs = std::move(attrs)};
    inst.operands = std::move(operands);
    inst.called = std::move(called);
    inst.parent = computation_;
    absl::StatusOr<Shape> shape = InferShape(inst);
    if (!shape.ok()) {
      status_ = shape.status();
      return nullptr;
    }
    return computation_->Add(opcode, *std::move(shape), std::move(inst.operands),
                             std::move(inst.attrs), std::move(inst.called));
  }
  // (x, y) -> x + y of scalars.
  Computation* Sum(ElementType type) {
    Computation* sum = computation_->module()->AddComputation("sum");
    Shape scalar = Shape::Scalar(type);
    Instruction* x = sum->AddParameter(0, scalar);
    Instruction* y = sum->AddParameter(1, scalar);
    sum->set_root(sum->Add(Opcode::kAdd, scalar, {x, y}));
    return sum;
  }
  Instruction* Zero(ElementType type) {
    return computation_->AddConstant(Literal(Shape::Scalar(type)));
  }
  absl::StatusOr<Instruction*> Result(Instruction* result) const {
    if (!status_.ok()) return status_;
    return result;
  }

 private:
  Computation* computation_;
  absl::Status status_;
};

// An operand of einsum, with the letters of its dimensions.
struct Term {
  Instruction* value = nullptr;
  std::string letters;
};

AttrMap WithInts(Attr attr, Ints values) {
  AttrMap attrs;
  attrs.Set(attr, std::move(values));
  return attrs;
}

// Elements whose index is the same on both dimensions, which become one, the first.
void TakeDiagonal(Appender& append, Term* term, int64_t first, int64_t second) {
  const Shape& shape = term->value->shape;
  Ints sizes = shape.dims(), rest;
  std::string letters(1, term->letters[first]);
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d == first || d == second) continue;
    letters += term->letters[d];
    rest.push_back(static_cast<int64_t>(rest.size()) + 1);
  }
  Shape indices = Shape::Array(ElementType::kS64, {shape.dim(first), 2});
  sizes[first] = sizes[second] = 1;
  AttrMap iota;
  iota.Set(Attr::kIotaDimension, int64_t{0});
  AttrMap gather;
  gather.Set(Attr::kOffsetDims, rest);
  gather.Set(Attr::kCollapsedSliceDims, Ints{first, second});
  gather.Set(Attr::kStartIndexMap, Ints{first, second});
  gather.Set(Attr::kIndexVectorDim, int64_t{1});
  gather.Set(Attr::kSliceSizes, sizes);
  Instruction* positions = append.Add(Opcode::kIota, {}, std::move(iota), {}, indices);
  term->value = append.Add(Opcode::kGather, {term->value, positions}, std::move(gather));
  term->letters = letters;
}

// No letter twice, and none that neither the result nor the other operand has.
bool Normalise(Appender& append, Term* term, absl::string_view wanted) {
  for (size_t i = 0; i < term->letters.size(); ++i) {
    size_t again = term->letters.find(term->letters[i], i + 1);
    if (again == std::string::npos) continue;
    TakeDiagonal(append, term, static_cast<int64_t>(i), static_cast<int64_t>(again));
    if (term->value == nullptr) return false;
    i = static_cast<size_t>(-1);  // the letters have moved
  }
  Ints summed;
  std::string kept;
  for (size_t i = 0; i < term->letters.size(); ++i) {
    if (absl::StrContains(wanted, term->letters[i])) {
      kept += term->letters[i];
    } else {
      summed.push_back(static_cast<int64_t>(i));
    }
  }
  if (summed.empty()) return true;
  ElementType type = term->value->shape.element_type();
  term->value = append.Add(Opcode::kReduce, {term->value, append.Zero(type)},
                           WithInts(Attr::kDimensions, summed), {append.Sum(type)});
  term->letters = kept;
  return term->value != nullptr;
}

Instruction* InOrder(Appender& append, const Term& term, const std::string& result) {
  if (term.value == nullptr || term.letters == result) return term.value;
  Ints permutation;
  for (char letter : result) {
    permutation.push_back(static_cast<int64_t>(term.letters.find(letter)));
  }
  return append.Add(Opcode::kTranspose, {term.value},
                    WithInts(Attr::kDimensions, std::move(permutation)));
}

struct Subscripts {
  std::vector<std::string> operands;
  std::string result;
};

absl::Status Wrong(absl::string_view config, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("einsum_config \"", config, "\": ", what));
}

// The letters, checked against each other and against the operands' shapes.
absl::StatusOr<Subscripts> ParseSubscripts(absl::string_view config,
                                           const std::vector<Instruction*>& operands) {
  std::string text;
  for (char c : config) {
    if (c != ' ') text += c;
  }
  std::vector<std::string> sides = absl::StrSplit(text, "->");
  if (sides.size() > 2) return Wrong(config, "\"->\" stands twice");
  Subscripts subscripts;
  subscripts.operands = absl::StrSplit(sides[0], ',');
  if (subscripts.operands.size() != operands.size()) {
    return Wrong(config, absl::StrCat("is of ", subscripts.operands.size(), " operands, not ",
                                      operands.size()));
  }
  int64_t sizes[256];
  int count[256] = {};
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string& letters = subscripts.operands[i];
    if (!operands[i]->shape.IsArray()) return Wrong(config, "operands must be arrays");
    const Ints& dims = operands[i]->shape.dims();
    if (letters.size() != dims.size()) {
      return Wrong(config,
                   absl::StrCat("\"", letters, "\" does not fit ", operands[i]->shape.ToString()));
    }
    for (size_t d = 0; d < letters.size(); ++d) {
      auto letter = static_cast<unsigned char>(letters[d]);
      if (!absl::ascii_isalpha(letter)) {
        return Wrong(config, absl::StrCat("'", letters.substr(d, 1), "' is no letter"));
      }
      if (count[letter]++ > 0 && sizes[letter] != dims[d]) {
        return Wrong(config, absl::StrCat("'", letters.substr(d, 1), "' is of size ", sizes[letter],
                                          " and ", dims[d]));
      }
      sizes[letter] = dims[d];
    }
  }
  if (sides.size() == 1) {
    for (int letter = 0; letter < 256; ++letter) {
      if (count[letter] == 1) subscripts.result += static_cast<char>(letter);
    }
    return subscripts;
  }
  subscripts.result = sides[1];
  for (size_t i = 0; i < subscripts.result.size(); ++i) {
    std::string letter = subscripts.result.substr(i, 1);
    if (count[static_cast<unsigned char>(letter[0])] == 0) {
      return Wrong(config, absl::StrCat("no operand has the result's '", letter, "'"));
    }
    if (subscripts.result.find(letter, i + 1) != std::string::npos) {
      return Wrong(config, absl::StrCat("the result has '", letter, "' twice"));
    }
  }
  return subscripts;
}

}  // namespace

absl::StatusOr<Instruction*> AddUnaryEinsum(Computation* computation, Instruction* operand,
                                            absl::string_view config) {
  absl::StatusOr<Subscripts> subscripts = ParseSubscripts(config, {operand});
  if (!subscripts.ok()) return subscripts.status();
  Appender append(computation);
  Term term{operand, subscripts->operands[0]};
  Instruction* result = nullptr;
  if (Normalise(append, &term, subscripts->result)) {
    result = InOrder(append, term, subscripts->result);
  }
  return append.Result(result);
}

absl::StatusOr<Instruction*> AddEinsum(Computation* computation, Instruction* lhs, Instruction* rhs,
                                       absl::string_view config) {
  absl::StatusOr<Subscripts> subscripts = ParseSubscripts(config, {lhs, rhs});
  if (!subscripts.ok()) return subscripts.status();
  Appender append(computation);
  Term left{lhs, subscripts->operands[0]}, right{rhs, subscripts->operands[1]};
  const std::string& result = subscripts->result;
  if (!Normalise(append, &left, absl::StrCat(result, right.letters)) ||
      !Normalise(append, &right, absl::StrCat(result, left.letters))) {
    return append.Result(nullptr);
  }
  // Shared letters are batch dimensions if the result has them; else they are contracted.
  Ints batch[2], contracting[2];
  std::string batch_letters, left_letters, right_letters;
  for (size_t i = 0; i < left.letters.size(); ++i) {
    size_t other = right.letters.find(left.letters[i]);
    if (other == std::string::npos) {
      left_letters += left.letters[i];
      continue;
    }
    bool kept = absl::StrContains(result, left.letters[i]);
    (kept ? batch : contracting)[0].push_back(static_cast<int64_t>(i));
    (kept ? batch : contracting)[1].push_back(static_cast<int64_t>(other));
    if (kept) batch_letters += left.letters[i];
  }
  for (char letter : right.letters) {
    if (!absl::StrContains(left.letters, letter)) right_letters += letter;
  }
  AttrMap attrs;
  attrs.Set(Attr::kLhsBatchDims, batch[0]);
  attrs.Set(Attr::kRhsBatchDims, batch[1]);
  attrs.Set(Attr::kLhsContractingDims, contracting[0]);
  attrs.Set(Attr::kRhsContractingDims, contracting[1]);
  Term product{append.Add(Opcode::kDot, {left.value, right.value}, std::move(attrs), {},
                          Shape::Scalar(lhs->shape.element_type())),
               absl::StrCat(batch_letters, left_letters, right_letters)};
  return append.Result(InOrder(append, product, result));
}

absl::StatusOr<Instruction*> AddTorchIndexSelect(Computation* computation, Instruction* operand,
                                                 Instruction* index, int64_t dim,
                                                 int64_t batch_dims) {
  if (!operand->shape.IsArray() || !index->shape.IsArray()) {
    return absl::InvalidArgumentError("torch_index_select: takes arrays");
  }
  const int64_t rank = operand->shape.rank(), index_rank = index->shape.rank();
  if (dim < 0) dim += rank;
  if (batch_dims < 0) batch_dims += index_rank;
  if (dim < 0 || dim >= rank || batch_dims < 0 || batch_dims > index_rank || batch_dims > dim) {
    return absl::InvalidArgumentError(
        absl::StrCat("torch_index_select: dim ", dim, " and batch_dims ", batch_dims,
                     " do not fit ", operand->shape.ToString(), " and ", index->shape.ToString()));
  }
  Ints batch(batch_dims), sizes = operand->shape.dims(), offsets;
  std::iota(batch.begin(), batch.end(), 0);
  for (int64_t d : batch) sizes[d] = std::min<int64_t>(sizes[d], 1);
  sizes[dim] = 1;
  // The index's own dimensions stand where `dim` was.
  for (int64_t d = batch_dims; d < rank; ++d) {
    if (d != dim) offsets.push_back(d < dim ? d : d + index_rank - batch_dims - 1);
  }
  AttrMap attrs;
  attrs.Set(Attr::kOffsetDims, offsets);
  attrs.Set(Attr::kCollapsedSliceDims, Ints{dim});
  attrs.Set(Attr::kStartIndexMap, Ints{dim});
  if (batch_dims > 0) {
    attrs.Set(Attr::kOperandBatchingDims, batch);
    attrs.Set(Attr::kStartIndicesBatchingDims, batch);
  }
  attrs.Set(Attr::kIndexVectorDim, index_rank);
  attrs.Set(Attr::kSliceSizes, sizes);
  Appender append(computation);
  return append.Result(append.Add(Opcode::kGather, {operand, index}, std::move(attrs)));
}

absl::StatusOr<Instruction*> AddCrossReplicaSum(Computation* computation, Instruction* operand,
                                                const IntLists& replica_groups) {
  if (!operand->shape.IsArray()) {
    return absl::InvalidArgumentError("cross-replica-sum: takes an array");
  }
  AttrMap attrs;
  if (!replica_groups.empty()) attrs.Set(Attr::kReplicaGroups, replica_groups);
  Appender append(computation);
  return append.Result(append.Add(Opcode::kAllReduce, {operand}, std::move(attrs),
                                  {append.Sum(operand->shape.element_type())}));
}

}  // namespace halyard::hlo
