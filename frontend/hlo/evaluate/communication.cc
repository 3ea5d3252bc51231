// Collectives, infeed and outfeed, send and receive, as one process sees them.
#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/batch_body.h"
#include "frontend/hlo/evaluate/elementwise.h"
#include "frontend/hlo/evaluate/evaluate.h"
#include "frontend/hlo/processes/process.h"
#include "frontend/hlo/processes/transfer_pairs.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo {
namespace {

// Without a process, the evaluator counts as the only one.
ProcessId SelfOf(const Evaluator& evaluator) {
  return evaluator.process == nullptr ? ProcessId() : evaluator.process->id();
}
GridShape GridOf(const Evaluator& evaluator) {
  return evaluator.process == nullptr ? GridShape() : evaluator.process->grid();
}

absl::Status NoProcess() {
  return absl::FailedPreconditionError(
      "the program runs alone: there is no host and no other process");
}

absl::Span<const Literal> ElementsOf(const Literal& literal) {
  if (literal.shape().IsTuple()) return literal.elements();
  return absl::MakeConstSpan(&literal, 1);
}

// Returns the group that this process is in, and its place in it. The group is empty if the process
// is in none of them.
struct Membership {
  ProcessGroup group;
  int64_t index = 0;
};

absl::StatusOr<Membership> MembershipOf(const Evaluator& evaluator, const Instruction& inst) {
  GridShape grid = GridOf(evaluator);
  if (absl::Status status = CheckCommunication(inst, grid); !status.ok()) return status;
  ProcessId self = SelfOf(evaluator);
  for (ProcessGroup& group : GroupsOf(inst, grid)) {
    auto at = std::find(group.begin(), group.end(), self);
    if (at == group.end()) continue;
    int64_t index = at - group.begin();
    return Membership{std::move(group), index};
  }
  return Membership();
}

using Operands = std::vector<Literal>;

absl::StatusOr<std::vector<Operands>> Exchange(Evaluator& evaluator, const Instruction& inst,
                                               absl::Span<const Literal> operands, int64_t readers,
                                               absl::Span<const ProcessId> sources) {
  if (evaluator.process != nullptr) {
    return evaluator.process->Exchange(inst, operands, readers, sources);
  }
  return std::vector<Operands>(sources.size(), Operands(operands.begin(), operands.end()));
}

// Returns what each member of the group contributed.
absl::StatusOr<std::vector<Operands>> ExchangeAll(Evaluator& evaluator, const Instruction& inst,
                                                  absl::Span<const Literal> operands,
                                                  const Membership& in) {
  return Exchange(evaluator, inst, operands, static_cast<int64_t>(in.group.size()), in.group);
}

Literal Packed(std::vector<Literal> results) {
  return results.size() == 1 ? std::move(results[0]) : Literal::Tuple(std::move(results));
}

// The number of bytes of one step along `dim`, and how many such runs there are.
struct Runs {
  int64_t step, count;
};
Runs RunsOf(const Shape& shape, int64_t dim) {
  Runs runs{StorageBytes(shape.element_type()), 1};
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d > dim) runs.step *= shape.dim(d);
    if (d < dim) runs.count *= shape.dim(d);
  }
  return runs;
}

Literal Concatenated(const std::vector<Literal>& parts, int64_t dim) {
  std::vector<int64_t> dims = parts[0].shape().dims();
  dims[dim] = 0;
  for (const Literal& part : parts) dims[dim] += part.shape().dim(dim);
  Literal result(parts[0].shape().WithDims(dims));
  Runs runs = RunsOf(result.shape(), dim);
  std::byte* to = result.mutable_bytes().data();
  for (int64_t run = 0; run < runs.count; ++run) {
    for (const Literal& part : parts) {
      int64_t bytes = part.shape().dim(dim) * runs.step;
      if (bytes > 0) std::memcpy(to, part.bytes().data() + run * bytes, bytes);
      to += bytes;
    }
  }
  return result;
}

// Returns block `index` of `count` equal blocks along `dim`.
Literal Block(const Literal& from, int64_t dim, int64_t count, int64_t index) {
  std::vector<int64_t> dims = from.shape().dims();
  int64_t all = dims[dim];
  dims[dim] /= count;
  Literal result(from.shape().WithDims(dims));
  Runs runs = RunsOf(from.shape(), dim);
  int64_t bytes = dims[dim] * runs.step;
  for (int64_t run = 0; bytes > 0 && run < runs.count; ++run) {
    std::memcpy(result.mutable_bytes().data() + run * bytes,
                from.bytes().data() + run * all * runs.step + index * bytes, bytes);
  }
  return result;
}

// Combines the members' operands `k` element by element, in the order of the group.
absl::StatusOr<Literal> Combined(Evaluator& evaluator, const Computation& body,
                                 const std::vector<Operands>& members, size_t k) {
  const Shape& shape = members[0][k].shape();
  ElementType type = body.root()->shape.element_type();
  int64_t count = shape.NumElements();
  Shape flat = Shape::Array(type, {count});
  BatchBody batch(&evaluator, body);
  Literal value = WithShape(ConvertLiteral(members[0][k], type), flat);
  for (size_t m = 1; m < members.size(); ++m) {
    Literal next = WithShape(ConvertLiteral(members[m][k], type), flat);
    absl::StatusOr<std::vector<Literal>> results = batch.Run({value, next}, count);
    if (!results.ok()) return results.status();
    value = (*results)[0];
  }
  return WithShape(value, Shape::Array(type, shape.dims()));
}

absl::StatusOr<std::vector<Literal>> ReducedOverGroup(Evaluator& evaluator, const Instruction& inst,
                                                      absl::Span<const Literal> operands,
                                                      const Membership& in) {
  absl::StatusOr<std::vector<Operands>> members = ExchangeAll(evaluator, inst, operands, in);
  if (!members.ok()) return members.status();
  std::vector<Literal> results;
  for (size_t k = 0; k < operands.size(); ++k) {
    absl::StatusOr<Literal> value = Combined(evaluator, *inst.called[0], *members, k);
    if (!value.ok()) return value.status();
    results.push_back(*std::move(value));
  }
  return results;
}

}  // namespace

absl::StatusOr<Literal> EvaluateAllGather(Evaluator& evaluator, const Instruction& inst,
                                          absl::Span<const Literal> operands) {
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  absl::StatusOr<std::vector<Operands>> members = ExchangeAll(evaluator, inst, operands, *in);
  if (!members.ok()) return members.status();
  std::vector<Literal> results;
  for (size_t k = 0; k < operands.size(); ++k) {
    std::vector<Literal> parts;
    for (const Operands& member : *members) parts.push_back(member[k]);
    results.push_back(Concatenated(parts, inst.GetInts(Attr::kDimensions)[0]));
  }
  return Packed(std::move(results));
}

absl::StatusOr<Literal> EvaluateAllReduce(Evaluator& evaluator, const Instruction& inst,
                                          absl::Span<const Literal> operands) {
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  absl::StatusOr<std::vector<Literal>> results = ReducedOverGroup(evaluator, inst, operands, *in);
  if (!results.ok()) return results.status();
  return Packed(*std::move(results));
}

absl::StatusOr<Literal> EvaluateReduceScatter(Evaluator& evaluator, const Instruction& inst,
                                              absl::Span<const Literal> operands) {
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  absl::StatusOr<std::vector<Literal>> results = ReducedOverGroup(evaluator, inst, operands, *in);
  if (!results.ok()) return results.status();
  for (Literal& result : *results) {
    result = Block(result, inst.GetInts(Attr::kDimensions)[0],
                   static_cast<int64_t>(in->group.size()), in->index);
  }
  return Packed(*std::move(results));
}

absl::StatusOr<Literal> EvaluateAllToAll(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  absl::StatusOr<std::vector<Operands>> members = ExchangeAll(evaluator, inst, operands, *in);
  if (!members.ok()) return members.status();
  std::vector<Literal> results;
  bool stablehlo = inst.Has(Attr::kSplitDimension);
  if (!stablehlo && !inst.Has(Attr::kDimensions)) {
    for (const Operands& member : *members) results.push_back(member[in->index]);
    return Literal::Tuple(std::move(results));
  }
  int64_t split =
      stablehlo ? inst.GetInt(Attr::kSplitDimension) : inst.GetInts(Attr::kDimensions)[0];
  int64_t concat = stablehlo ? inst.GetInt(Attr::kConcatDimension) : split;
  int64_t count = static_cast<int64_t>(in->group.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    std::vector<Literal> blocks;
    for (const Operands& member : *members) {
      blocks.push_back(Block(member[k], split, count, in->index));
    }
    results.push_back(Concatenated(blocks, concat));
  }
  return Packed(std::move(results));
}

absl::StatusOr<Literal> EvaluateCollectivePermute(Evaluator& evaluator, const Instruction& inst,
                                                  absl::Span<const Literal> operands) {
  GridShape grid = GridOf(evaluator);
  if (absl::Status status = CheckCommunication(inst, grid); !status.ok()) return status;
  ProcessId self = SelfOf(evaluator);
  int64_t readers = 0;
  ProcessGroup sources;
  for (const ProcessGroup& pair : GroupsOf(inst, grid)) {
    if (pair[0] == self) readers = 1;
    if (pair[1] == self) sources = {pair[0]};
  }
  absl::StatusOr<std::vector<Operands>> found =
      Exchange(evaluator, inst, operands, readers, sources);
  if (!found.ok()) return found.status();
  return found->empty() ? RealZeros(inst.shape) : (*found)[0][0];
}

absl::StatusOr<Literal> EvaluateCollectiveBroadcast(Evaluator& evaluator, const Instruction& inst,
                                                    absl::Span<const Literal> operands) {
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  int64_t readers =
      !in->group.empty() && in->index == 0 ? static_cast<int64_t>(in->group.size()) : 0;
  if (!in->group.empty()) in->group.resize(1);
  absl::StatusOr<std::vector<Operands>> found =
      Exchange(evaluator, inst, operands, readers, in->group);
  if (!found.ok()) return found.status();
  return found->empty() ? RealZeros(inst.shape) : (*found)[0][0];
}

absl::StatusOr<Literal> EvaluateExchange(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  absl::StatusOr<ExchangeKind> kind = ExchangeKindOf(inst);
  if (!kind.ok()) return kind.status();
  if (*kind == ExchangeKind::kPermute || *kind == ExchangeKind::kBroadcast) {
    if (operands.size() != 1) return absl::UnimplementedError("exchange of several arrays");
    return *kind == ExchangeKind::kPermute ? EvaluateCollectivePermute(evaluator, inst, operands)
                                           : EvaluateCollectiveBroadcast(evaluator, inst, operands);
  }
  absl::StatusOr<Membership> in = MembershipOf(evaluator, inst);
  if (!in.ok()) return in.status();
  absl::StatusOr<std::vector<Operands>> members = ExchangeAll(evaluator, inst, operands, *in);
  if (!members.ok()) return members.status();
  const int64_t count = static_cast<int64_t>(in->group.size());
  std::vector<Literal> results;
  for (size_t k = 0; k < operands.size(); ++k) {
    const Shape& shape = inst.shape.IsTuple() ? inst.shape.elements()[k] : inst.shape;
    std::vector<Literal> parts;
    for (const Operands& member : *members) {
      if (*kind == ExchangeKind::kGather) {
        std::vector<int64_t> dims = member[k].shape().dims();
        dims.insert(dims.begin(), 1);
        parts.push_back(WithShape(member[k], member[k].shape().WithDims(dims)));
      } else {
        parts.push_back(Block(member[k], 0, count, in->index));
      }
    }
    // A smaller group leaves zeros.
    if (*kind == ExchangeKind::kGather) {
      const Shape one = shape.WithDims([&] {
        std::vector<int64_t> dims = shape.dims();
        dims[0] = 1;
        return dims;
      }());
      while (static_cast<int64_t>(parts.size()) < shape.dim(0)) parts.push_back(RealZeros(one));
    }
    results.push_back(parts.empty() ? RealZeros(shape) : Concatenated(parts, 0));
  }
  return Packed(std::move(results));
}

absl::StatusOr<Literal> EvaluateReplicaId(Evaluator& evaluator, const Instruction& inst,
                                          absl::Span<const Literal>) {
  Literal result(inst.shape);
  result.SetInt(0, SelfOf(evaluator).replica);
  return result;
}

absl::StatusOr<Literal> EvaluatePartitionId(Evaluator& evaluator, const Instruction& inst,
                                            absl::Span<const Literal>) {
  Literal result(inst.shape);
  result.SetInt(0, SelfOf(evaluator).partition);
  return result;
}

absl::StatusOr<Literal> EvaluateInfeed(Evaluator& evaluator, const Instruction& inst,
                                       absl::Span<const Literal>) {
  const Shape& shape = inst.shape.elements()[0];
  if (shape.IsTuple() && shape.elements().empty()) {
    return Literal::Tuple({Literal::Tuple({}), Literal::Token()});
  }
  if (evaluator.process == nullptr) return NoProcess();
  absl::StatusOr<Literal> data = evaluator.process->Infeed(inst);
  if (!data.ok()) return data.status();
  return Literal::Tuple({*std::move(data), Literal::Token()});
}

absl::StatusOr<Literal> EvaluateOutfeed(Evaluator& evaluator, const Instruction& inst,
                                        absl::Span<const Literal> operands) {
  if (evaluator.process == nullptr) return NoProcess();
  std::vector<Literal> data;
  for (const Literal& operand : operands.first(operands.size() - 1)) {
    absl::Span<const Literal> elements = ElementsOf(operand);
    data.insert(data.end(), elements.begin(), elements.end());
  }
  absl::Status status = evaluator.process->Outfeed(inst, Packed(std::move(data)));
  if (!status.ok()) return status;
  return Literal::Token();
}

absl::StatusOr<Literal> EvaluateSend(Evaluator& evaluator, const Instruction& inst,
                                     absl::Span<const Literal> operands) {
  if (evaluator.process == nullptr) return NoProcess();
  if (TakesPart(inst, GridOf(evaluator), SelfOf(evaluator))) {
    absl::Status status = evaluator.process->Send(inst, operands[0]);
    if (!status.ok()) return status;
  }
  return Literal::Tuple({operands[0], Literal(Shape::Scalar(ElementType::kU32)), Literal::Token()});
}

absl::StatusOr<Literal> EvaluateSendDone(Evaluator&, const Instruction&,
                                         absl::Span<const Literal>) {
  return Literal::Token();
}

namespace {

Literal ZerosOf(const Shape& shape) {
  if (shape.IsToken()) return Literal::Token();
  if (shape.IsArray()) return RealZeros(shape);
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(ZerosOf(element));
  return Literal::Tuple(std::move(elements));
}

}  // namespace

// A buffer to receive into; recv-done waits for the data. It stays what it is in processes to which
// nobody sends.
absl::StatusOr<Literal> EvaluateRecv(Evaluator&, const Instruction& inst,
                                     absl::Span<const Literal>) {
  return ZerosOf(inst.shape);
}

absl::StatusOr<Literal> EvaluateRecvDone(Evaluator& evaluator, const Instruction& inst,
                                         absl::Span<const Literal> operands) {
  if (evaluator.process == nullptr) return NoProcess();
  const Instruction& recv = *inst.operand(0);
  if (!TakesPart(recv, GridOf(evaluator), SelfOf(evaluator)))
    return Literal::Tuple({operands[0].elements()[0], Literal::Token()});
  absl::StatusOr<Literal> data = evaluator.process->Receive(recv);
  if (!data.ok()) return data.status();
  return Literal::Tuple({*std::move(data), Literal::Token()});
}

}  // namespace halyard::hlo
