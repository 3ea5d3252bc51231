#include "lowering/plan/expand/collectives.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::IntLists;
using hlo::Literal;
using hlo::Opcode;
using hlo::ProcessGroup;
using hlo::Shape;
using Dims = std::vector<int64_t>;

// Above this, every member folds its own part of an array only, and the parts are gathered: each
// then sends and receives two arrays, however many members there are. Below, each folds all.
constexpr int64_t kWholeBytes = 16 << 10;

class CollectiveExpander {
 public:
  CollectiveExpander(Rewriter& rewriter, const Instruction& source, const hlo::GridShape& grid)
      : rewriter_(rewriter), source_(source), grid_(grid) {
    for (const ProcessGroup& group : hlo::GroupsOf(source, grid)) {
      std::vector<int64_t>& ids = groups_.emplace_back();
      for (hlo::ProcessId id : group) ids.push_back(grid.IndexOf(id));
      members_ = std::max(members_, static_cast<int64_t>(ids.size()));
      uneven_ |= ids.size() != groups_[0].size();
    }
  }

  absl::StatusOr<Instruction*> Expand() {
    switch (source_.opcode) {
      case Opcode::kAllGather:
        return ForEach([this](Instruction* operand) { return AllGather(operand); });
      case Opcode::kAllReduce:
        return ForEach([this](Instruction* operand) { return AllReduce(operand); });
      case Opcode::kReduceScatter:
        return ForEach([this](Instruction* operand) { return ReduceScatter(operand); });
      case Opcode::kAllToAll:
        if (!source_.Has(Attr::kSplitDimension) && !source_.Has(Attr::kDimensions))
          return AllToAllOfTuple();
        return ForEach([this](Instruction* operand) { return AllToAll(operand); });
      case Opcode::kCollectivePermute:
        return Exchange("permute", source_.operands[0], source_.operands[0]->shape);
      case Opcode::kCollectiveBroadcast:
        return Exchange("broadcast", source_.operands[0], source_.operands[0]->shape);
      default:
        return LocatedError(absl::StatusCode::kInternal, source_, "not a collective");
    }
  }

 private:
  template <typename One>
  Instruction* ForEach(One&& one) {
    std::vector<Instruction*> results;
    for (Instruction* operand : source_.operands) results.push_back(one(operand));
    if (!source_.shape.IsTuple()) return results[0];
    return rewriter_.Add(source_, Opcode::kTuple, source_.shape, std::move(results));
  }

  Instruction* Exchange(const char* kind, Instruction* operand, Shape shape) {
    hlo::AttrMap attrs;
    attrs.Set(Attr::kKind, std::string(kind));
    attrs.Set(Attr::kReplicaGroups, groups_);
    return rewriter_.Add(source_, Opcode::kExchange, shape.WithDefaultLayout(), {operand},
                         std::move(attrs));
  }

  // [d…] -> [members, d…]
  Instruction* Gather(Instruction* operand) {
    Dims dims = operand->shape.dims();
    dims.insert(dims.begin(), members_);
    return Exchange("gather", operand, operand->shape.WithDims(std::move(dims)));
  }

  // Splits dimension `dim` into a block for each member, which becomes the first dimension.
  Instruction* BlocksFirst(Instruction* operand, int64_t dim) {
    Dims split = operand->shape.dims();
    split[dim] /= members_;
    split.insert(split.begin() + dim, members_);
    Dims order = {dim};
    for (int64_t d = 0; d < static_cast<int64_t>(split.size()); ++d) {
      if (d != dim) order.push_back(d);
    }
    return rewriter_.AddTranspose(source_, rewriter_.AddReshape(source_, operand, split), order);
  }

  // Puts blocks [members, d…] one after the other along dimension `dim` of d.
  Instruction* Joined(Instruction* blocks, int64_t dim) {
    Dims order;
    for (int64_t d = 1; d < blocks->shape.rank(); ++d) {
      if (d == dim + 1) order.push_back(0);
      order.push_back(d);
    }
    Dims dims(blocks->shape.dims().begin() + 1, blocks->shape.dims().end());
    dims[dim] *= members_;
    return rewriter_.AddReshape(source_, rewriter_.AddTranspose(source_, blocks, order), dims);
  }

  Instruction* Row(Instruction* rows, int64_t index) {
    Dims dims = rows->shape.dims();
    hlo::SliceDims slice;
    for (int64_t size : dims) slice.push_back({0, size, 1});
    slice[0] = {index, index + 1, 1};
    dims[0] = 1;
    Instruction* row = rewriter_.Add(source_, Opcode::kSlice, rows->shape.WithDims(dims), {rows},
                                     OneAttr(Attr::kSlice, std::move(slice)));
    return rewriter_.AddReshape(source_, row, Dims(dims.begin() + 1, dims.end()));
  }

  Instruction* Converted(Instruction* operand) {
    const ElementType type = source_.called[0]->root()->shape.element_type();
    if (operand->shape.element_type() == type) return operand;
    return rewriter_.Add(source_, Opcode::kConvert, Shape::Array(type, operand->shape.dims()),
                         {operand});
  }

  Instruction* Combined(Instruction* a, Instruction* b) {
    Dims dimensions;
    for (int64_t d = 0; d < a->shape.rank(); ++d) dimensions.push_back(d);
    return rewriter_.Add(source_, Opcode::kMap, a->shape, {a, b},
                         OneAttr(Attr::kDimensions, std::move(dimensions)), {source_.called[0]});
  }

  // Folds rows [members, d…], in the group's order, which decides the bits of a sum.
  Instruction* Folded(Instruction* rows) {
    Instruction* value = Row(rows, 0);
    for (int64_t i = 1; i < rows->shape.dim(0); ++i) value = Combined(value, Row(rows, i));
    return value;
  }

  Instruction* AllGather(Instruction* operand) {
    return Joined(Gather(operand), source_.GetInts(Attr::kDimensions)[0]);
  }

  Instruction* ReduceScatter(Instruction* operand) {
    Instruction* blocks = BlocksFirst(Converted(operand), source_.GetInts(Attr::kDimensions)[0]);
    return Folded(Exchange("all-to-all", blocks, blocks->shape));
  }

  Instruction* AllReduce(Instruction* operand) {
    operand = Converted(operand);
    if (uneven_) return AllReduceOfUneven(operand);
    const Shape shape = operand->shape;
    const int64_t elements = shape.NumElements();
    Instruction* flat = rewriter_.AddReshape(source_, operand, {elements});
    if (members_ == 1) return operand;
    if (shape.ByteSize() <= kWholeBytes || members_ == 2 || elements < members_)
      return rewriter_.AddReshape(source_, Folded(Gather(flat)), shape.dims());
    const int64_t part = (elements + members_ - 1) / members_, padded = part * members_;
    Instruction* rows = rewriter_.AddReshape(source_, Padded(flat, padded), {members_, part});
    Instruction* own = Folded(Exchange("all-to-all", rows, rows->shape));
    Instruction* all = rewriter_.AddReshape(source_, Gather(own), {padded});
    return rewriter_.AddReshape(source_, Prefix(all, elements), shape.dims());
  }

  Instruction* Padded(Instruction* flat, int64_t elements) {
    const int64_t more = elements - flat->shape.dim(0);
    if (more == 0) return flat;
    Instruction* zero =
        rewriter_.AddConstant(source_, Literal(Shape::Scalar(flat->shape.element_type())));
    Instruction* zeros = rewriter_.AddBroadcast(source_, zero, {more}, {});
    return rewriter_.Add(source_, Opcode::kConcatenate, flat->shape.WithDims({elements}),
                         {flat, zeros}, OneAttr(Attr::kDimensions, Dims{0}));
  }

  Instruction* Prefix(Instruction* flat, int64_t elements) {
    if (flat->shape.dim(0) == elements) return flat;
    return rewriter_.Add(source_, Opcode::kSlice, flat->shape.WithDims({elements}), {flat},
                         OneAttr(Attr::kSlice, hlo::SliceDims{{0, elements, 1}}));
  }

  Instruction* ConstantS32(const Dims& dims, const std::vector<int64_t>& values) {
    Literal literal(Shape::Array(ElementType::kS32, dims));
    for (size_t i = 0; i < values.size(); ++i) literal.SetInt(static_cast<int64_t>(i), values[i]);
    return rewriter_.AddConstant(source_, std::move(literal));
  }

  // Element [this process] of a table.
  Instruction* Own(const std::vector<int64_t>& table) {
    Instruction* values = ConstantS32({grid_.size()}, table);
    const Shape u32 = Shape::Scalar(ElementType::kU32), s32 = Shape::Scalar(ElementType::kS32);
    auto id = [&](Opcode opcode) {
      Instruction* u = rewriter_.Add(source_, opcode, u32, {});
      return rewriter_.Add(source_, Opcode::kConvert, s32, {u});
    };
    Instruction* replica =
        rewriter_.Add(source_, Opcode::kMultiply, s32,
                      {id(Opcode::kReplicaId), ConstantS32({}, {grid_.partitions})});
    Instruction* self =
        rewriter_.Add(source_, Opcode::kAdd, s32, {replica, id(Opcode::kPartitionId)});
    Instruction* one =
        rewriter_.Add(source_, Opcode::kDynamicSlice, Shape::Array(ElementType::kS32, {1}),
                      {values, self}, OneAttr(Attr::kDynamicSliceSizes, Dims{1}));
    return rewriter_.AddReshape(source_, one, {});
  }

  // Groups of different sizes: a process folds as many rows as its group has members.
  Instruction* AllReduceOfUneven(Instruction* operand) {
    const Shape shape = operand->shape;
    Instruction* rows = Gather(rewriter_.AddReshape(source_, operand, {shape.NumElements()}));
    std::vector<int64_t> sizes(grid_.size(), 1);
    for (const auto& group : groups_) {
      for (int64_t process : group) sizes[process] = static_cast<int64_t>(group.size());
    }
    Instruction* size = Own(sizes);
    Instruction* value = Row(rows, 0);
    for (int64_t i = 1; i < members_; ++i) {
      Instruction* is_member =
          rewriter_.Add(source_, Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                        {ConstantS32({}, {i}), size}, OneAttr(Attr::kDirection, std::string("LT")));
      value = rewriter_.Add(source_, Opcode::kSelect, value->shape,
                            {is_member, Combined(value, Row(rows, i)), value});
    }
    return rewriter_.AddReshape(source_, value, shape.dims());
  }

  Instruction* AllToAll(Instruction* operand) {
    const bool stablehlo = source_.Has(Attr::kSplitDimension);
    const int64_t split =
        stablehlo ? source_.GetInt(Attr::kSplitDimension) : source_.GetInts(Attr::kDimensions)[0];
    const int64_t concat = stablehlo ? source_.GetInt(Attr::kConcatDimension) : split;
    Instruction* blocks = BlocksFirst(operand, split);
    return Joined(Exchange("all-to-all", blocks, blocks->shape), concat);
  }

  // HLO's form with an operand for each member.
  Instruction* AllToAllOfTuple() {
    std::vector<Instruction*> rows;
    Dims dims = source_.operands[0]->shape.dims();
    dims.insert(dims.begin(), 1);
    for (Instruction* operand : source_.operands)
      rows.push_back(rewriter_.AddReshape(source_, operand, dims));
    dims[0] = members_;
    Instruction* blocks =
        rewriter_.Add(source_, Opcode::kConcatenate, rows[0]->shape.WithDims(dims), rows,
                      OneAttr(Attr::kDimensions, Dims{0}));
    Instruction* got = Exchange("all-to-all", blocks, blocks->shape);
    std::vector<Instruction*> results;
    for (int64_t i = 0; i < members_; ++i) results.push_back(Row(got, i));
    return rewriter_.Add(source_, Opcode::kTuple, source_.shape, std::move(results));
  }

  Rewriter& rewriter_;
  const Instruction& source_;
  const hlo::GridShape grid_;
  IntLists groups_;      // of processes, by number
  int64_t members_ = 0;  // of the largest group
  bool uneven_ = false;
};

}  // namespace

absl::StatusOr<Instruction*> ExpandCollective(Rewriter& rewriter, Instruction* collective,
                                              const hlo::GridShape& grid) {
  return CollectiveExpander(rewriter, *collective, grid).Expand();
}

}  // namespace halyard::lowering
