// A run is the neighbours of one place. Chunks of a fixed size cut the runs, whatever their
// lengths. A reduction sums what each chunk has of the run that it ends in; a scan over these sums,
// which does the same over chunks of chunks, says what a run has before a chunk; and this is added
// to the chunk's first update. Then the chunk in which a run ends has all of it. Each of these is a
// reduction of rows of one length, so no time depends on the places.
#include "lowering/plan/expand/run_sums.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/graph_builder.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// No place.
constexpr double kNowhere = -2;

// Returns whether the op has a neutral element on the type, and sums of runs may use it.
bool HasIdentity(Opcode op, ElementType type) {
  const bool bits = op == Opcode::kAnd || op == Opcode::kOr || op == Opcode::kXor;
  if (type == ElementType::kPred) return bits;
  if (hlo::IsInteger(type)) return hlo::BitWidth(type) >= 8;
  // Narrower floats have no infinity, or no -0.
  return hlo::IsFloat(type) && hlo::BitWidth(type) >= 16 && !bits;
}

class RunSummer {
 public:
  RunSummer(Rewriter& rewriter, const Instruction& scatter, Instruction* places,
            Instruction* updates, Instruction* again)
      : rewriter_(rewriter),
        scatter_(scatter),
        build_(&rewriter, &scatter),
        op_(*SingleCommutativeOp(*scatter.called[0])),
        type_(updates->shape.element_type()),
        length_(places->shape.dim(0)),
        rest_(updates->shape.dims().begin() + 2, updates->shape.dims().end()),
        places_(places),
        updates_(updates),
        again_(again),
        identity_(rewriter.AddConstant(scatter, NeutralElement(op_, type_)[0])) {}

  RunSums Sum();

 private:
  // Returns `dims` and the dimensions of a row.
  Ints Rows(Ints dims) const {
    dims.insert(dims.end(), rest_.begin(), rest_.end());
    return dims;
  }
  // Dimension i of x, which has rows, is dimension at[i] of the result.
  Instruction* Spread(Instruction* x, const Ints& dims, Ints at);
  // Returns `rows` where `condition`, of the leading dimensions `dims`, holds, else identities.
  Instruction* Where(Instruction* condition, Instruction* rows, const Ints& dims);
  // Folds one of the leading dimensions, of which the results are `dims`.
  Instruction* Fold(Instruction* rows, int64_t dim, Ints dims);
  // Returns the place of update `at` of each group of `size` updates, as an array of `dims`.
  Instruction* PlaceOf(int64_t size, int64_t at, Ints dims);
  // The rows [chunks, kRunChunk, rest…] are of groups of `size` updates. Returns, for each chunk,
  // what is before it of the run that its first update belongs to.
  Instruction* Carries(Instruction* rows, int64_t size);
  // Adds that to the first row of each chunk. `again` are the same rows.
  Instruction* WithCarries(Instruction* rows, Instruction* again, int64_t size);
  // Of groups of `size` updates, the rows have what each comes to of the run that it ends in.
  // Returns what all of this run comes to up to there.
  Instruction* Scan(Instruction* rows, int64_t size);

  Rewriter& rewriter_;
  const Instruction& scatter_;
  GraphBuilder build_;
  const Opcode op_;
  const ElementType type_;
  const int64_t length_;
  const Ints rest_;
  Instruction* const places_;
  Instruction* const updates_;
  Instruction* const again_;
  Instruction* const identity_;
};

Instruction* RunSummer::Spread(Instruction* x, const Ints& dims, Ints at) {
  for (size_t d = 0; d < rest_.size(); ++d) at.push_back(static_cast<int64_t>(dims.size() + d));
  return build_.Broadcast(x, Rows(dims), at);
}

Instruction* RunSummer::Where(Instruction* condition, Instruction* rows, const Ints& dims) {
  Ints leading;
  for (size_t d = 0; d < dims.size(); ++d) leading.push_back(static_cast<int64_t>(d));
  if (!rest_.empty()) condition = build_.Broadcast(condition, Rows(dims), leading);
  return build_.Select(condition, rows, build_.Broadcast(identity_, Rows(dims), {}));
}

Instruction* RunSummer::Fold(Instruction* rows, int64_t dim, Ints dims) {
  return rewriter_.Add(scatter_, Opcode::kReduce, Shape::Array(type_, Rows(std::move(dims))),
                       {rows, identity_}, OneAttr(Attr::kDimensions, Ints{dim}), scatter_.called);
}

Instruction* RunSummer::PlaceOf(int64_t size, int64_t at, Ints dims) {
  // The places are an array in memory, of which each reshape is a view.
  Ints grouped = dims;
  grouped.push_back(size);
  const auto last = static_cast<int64_t>(dims.size());
  return build_.Reshape(build_.Slice(build_.Reshape(places_, grouped), last, at, at + 1), dims);
}

Instruction* RunSummer::Carries(Instruction* rows, int64_t size) {
  const int64_t chunk = size * kRunChunk, chunks = length_ / chunk;
  const Ints cut = {chunks, kRunChunk};
  Instruction* last = PlaceOf(chunk, chunk - 1, {chunks});
  Instruction* same =
      build_.Compare(PlaceOf(size, size - 1, cut), build_.Broadcast(last, cut, {0}), "EQ");
  Instruction* sums = Scan(Fold(Where(same, rows, cut), 1, {chunks}), chunk);
  Instruction* next = build_.Slice(PlaceOf(chunk, 0, {chunks}), 0, 1, chunks);
  Instruction* goes_on = build_.Compare(build_.Slice(last, 0, 0, chunks - 1), next, "EQ");
  Instruction* carries = Where(goes_on, build_.Slice(sums, 0, 0, chunks - 1), {chunks - 1});
  hlo::PaddingConfig one_before(rest_.size() + 1);
  one_before[0].low = 1;
  return build_.Add(Opcode::kPad, {carries, identity_}, OneAttr(Attr::kPadding, one_before));
}

Instruction* RunSummer::WithCarries(Instruction* rows, Instruction* again, int64_t size) {
  const Ints cut = {length_ / (size * kRunChunk), kRunChunk};
  Instruction* carries = Spread(Carries(again, size), cut, {0});
  Instruction* first = build_.Compare(build_.Iota(ElementType::kS32, Rows(cut), 1),
                                      build_.Splat(ElementType::kS32, 0, Rows(cut)), "EQ");
  return build_.Select(first, build_.Add(op_, {carries, rows}), rows);
}

Instruction* RunSummer::Scan(Instruction* rows, int64_t size) {
  const int64_t groups = length_ / size;
  const int64_t block = groups <= kRunBlock ? groups : kRunChunk, blocks = groups / block;
  rows = build_.Reshape(rows, Rows({blocks, block}));
  if (blocks > 1) rows = WithCarries(rows, rows, size);
  const Ints square = {blocks, block, block};
  Instruction* places = PlaceOf(size, size - 1, {blocks, block});
  Instruction* same = build_.Compare(build_.Broadcast(places, square, {0, 1}),
                                     build_.Broadcast(places, square, {0, 2}), "EQ");
  Instruction* before = build_.Compare(build_.Iota(ElementType::kS32, square, 2),
                                       build_.Iota(ElementType::kS32, square, 1), "LE");
  Instruction* mine = build_.Add(Opcode::kAnd, {same, before});
  Instruction* sums = Fold(Where(mine, Spread(rows, square, {0, 2}), square), 2, {blocks, block});
  return build_.Reshape(sums, Rows({groups}));
}

RunSums RunSummer::Sum() {
  const int64_t chunks = length_ / kRunChunk;
  const Ints cut = {chunks, kRunChunk}, column = {chunks, kRunChunk, 1};
  // An update is left out if its run goes on in the next chunk.
  hlo::PaddingConfig one_after(1);
  one_after[0].high = 1;
  Instruction* next = build_.Add(Opcode::kPad,
                                 {build_.Slice(PlaceOf(kRunChunk, 0, {chunks}), 0, 1, chunks),
                                  build_.Splat(ElementType::kS32, kNowhere, {})},
                                 OneAttr(Attr::kPadding, one_after));
  Instruction* places = build_.Reshape(places_, cut);
  Instruction* out = build_.Compare(places, build_.Broadcast(next, cut, {0}), "EQ");
  Instruction* kept = build_.Select(out, build_.Splat(ElementType::kS32, -1, cut),
                                    build_.Splat(ElementType::kS32, 0, cut));
  Instruction* indices =
      build_.Concatenate({build_.Reshape(places, column), build_.Reshape(kept, column)}, 2);
  return {indices, WithCarries(updates_, again_, 1)};
}

}  // namespace

bool HasRunSums(const Instruction& scatter, int64_t vectors, int64_t row_elements) {
  if (scatter.operands.size() != 3 || !scatter.shape.IsArray() || vectors <= kRunChunk)
    return false;
  // Sums of blocks have places for up to four elements for each update.
  if (row_elements > INT32_MAX / (8 * vectors)) return false;
  const hlo::Computation& body = *scatter.called[0];
  const std::optional<Opcode> op = SingleCommutativeOp(body);
  const ElementType type = scatter.shape.element_type();
  if (!op.has_value() || !HasIdentity(*op, type)) return false;
  for (const Instruction* value : {body.root(), body.parameters()[0], body.parameters()[1]}) {
    if (value->shape.element_type() != type) return false;
  }
  return scatter.operand(0)->shape.element_type() == type &&
         scatter.operand(2)->shape.element_type() == type;
}

int64_t PaddedForRunSums(int64_t vectors) {
  int64_t group = kRunChunk;
  while ((vectors + group - 1) / group > kRunBlock) group *= kRunChunk;
  return (vectors + group - 1) / group * group;
}

RunSums SumRuns(Rewriter& rewriter, const Instruction& scatter, Instruction* places,
                Instruction* updates, Instruction* again) {
  return RunSummer(rewriter, scatter, places, updates, again).Sum();
}

}  // namespace halyard::lowering
