// Large scatters on GPUs: updates that meet at one place become neighbours, by a stable sort of the
// places, so that each place of the result does only its own updates, in their order. The work is
// that of a radix sort over the places' bits. Without it, every place looks through all indices.
// Where the updates may be combined in any grouping, a place is left with a few of them
// (run_sums.h), however many it has.
#include <algorithm>

#include "lowering/plan/expand/run_sums.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"
#include "runtime/device_class.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::AttrMap;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// With fewer index vectors, to look through them takes less time than some fifty launches.
constexpr int64_t kLeastVectors = 8192;
// On GPUs, a thread keeps a counter for each digit.
constexpr int64_t kDigitBits = 4;
// What GPUs read at least.
constexpr int64_t kSectorBytes = 32;

bool Contains(const Ints& list, int64_t d) {
  return std::find(list.begin(), list.end(), d) != list.end();
}

// A scatter of scalars or of whole rows: index vectors choose places along the first dimensions of
// the inputs, and an update covers all of the others.
class GroupedScatter {
 public:
  GroupedScatter(hlo::Module& module, Rewriter& rewriter, const Instruction& scatter)
      : module_(module),
        rewriter_(rewriter),
        scatter_(scatter),
        build_(&rewriter, &scatter),
        inputs_(scatter.operands.size() / 2),
        input_(scatter.operand(0)->shape),
        indices_(scatter.operand(inputs_)->shape),
        update_(scatter.operand(inputs_ + 1)->shape) {}

  bool Fits();
  // Returns the scatters' results, as a tuple if there are several.
  Instruction* Group();

 private:
  // Returns the place of each index vector, `places_` for one that is out of bounds.
  Instruction* Places();
  // Returns the same of sorted numbers, which stay sorted: -1 for one below the places.
  Instruction* SortedPlaces();
  // Returns a scatter of neighbours.
  Instruction* ScatterInOrder(const std::vector<Instruction*>& inputs, Instruction* places,
                              std::vector<Instruction*> updates, Instruction* again);
  // Returns an operand's updates as [vectors, rest…].
  Instruction* UpdateRows(size_t k);
  // Returns rows[numbers[i], …] at i, of dimensions `leading_`. `scalars`: the indices are scalars
  // instead of vectors of one number.
  Instruction* RowsAt(Instruction* rows, Instruction* numbers, bool scalars = false);
  // Adds elements of this value after the vectors, up to the size of `leading_`.
  Instruction* Padded(Instruction* x, int64_t value);
  // Sorts the arrays by the first one, which holds places.
  void SortByPlace(std::vector<Instruction*>* arrays);
  Computation* Digit(const std::vector<Instruction*>& arrays, int64_t shift, int64_t width);

  hlo::Module& module_;
  Rewriter& rewriter_;
  const Instruction& scatter_;
  GraphBuilder build_;
  const size_t inputs_;
  const Shape &input_, &indices_, &update_;
  Ints update_order_;          // dimensions of the updates: those of index vectors first
  std::vector<int64_t> rest_;  // the inputs' other dimensions
  int64_t vectors_ = 1, places_ = 1;
  bool sums_runs_ = false;  // run_sums.h
  Ints leading_;            // how the sorted vectors are laid out
};

bool GroupedScatter::Fits() {
  if (scatter_.GetBool(Attr::kUniqueIndices) || !scatter_.GetInts(Attr::kInputBatchingDims).empty())
    return false;
  const Ints& map = scatter_.GetInts(Attr::kScatterDimsToOperandDims);
  const Ints& windows = scatter_.GetInts(Attr::kUpdateWindowDims);
  const Ints& inserted = scatter_.GetInts(Attr::kInsertedWindowDims);
  const int64_t chosen = static_cast<int64_t>(map.size());
  for (int64_t d = 0; d < chosen; ++d) {
    if (!Contains(map, d)) return false;
    places_ *= input_.dim(d);
  }
  for (int64_t d = 0; d < update_.rank(); ++d) {
    if (Contains(windows, d)) continue;
    update_order_.push_back(d);
    vectors_ *= update_.dim(d);
  }
  size_t window = 0;
  for (int64_t d = 0; d < input_.rank(); ++d) {
    const bool has_window = !Contains(inserted, d);
    const int64_t extent = has_window ? update_.dim(windows[window++]) : 1;
    if (extent != (d < chosen ? 1 : input_.dim(d))) return false;
    if (d >= chosen) rest_.push_back(input_.dim(d));
  }
  update_order_.insert(update_order_.end(), windows.begin(), windows.end());
  const ElementType type = indices_.element_type();
  if (chosen == 0 || vectors_ < kLeastVectors || vectors_ >= INT32_MAX || places_ <= 0 ||
      places_ >= INT32_MAX || !hlo::IsInteger(type) || hlo::IsComplex(input_.element_type()))
    return false;
  sums_runs_ = HasRunSums(scatter_, vectors_, update_.NumElements() / vectors_);
  leading_ = {vectors_};
  if (sums_runs_) leading_ = {PaddedForRunSums(vectors_) / kRunChunk, kRunChunk};
  // The kernel of a scatter finds the neighbours of sorted numbers itself.
  return !scatter_.GetBool(Attr::kIndicesAreSorted) ||
         (sums_runs_ && chosen == 1 && hlo::BitWidth(type) >= 32);
}

Instruction* GroupedScatter::Places() {
  const Ints& map = scatter_.GetInts(Attr::kScatterDimsToOperandDims);
  const int64_t vector_dim = scatter_.GetInt(Attr::kIndexVectorDim);
  const ElementType type = indices_.element_type();
  const double largest = static_cast<double>(
      (uint64_t{1} << (std::min(hlo::BitWidth(type), 32) - (hlo::IsSigned(type) ? 1 : 0))) - 1);
  const std::vector<int64_t> dims = {vectors_};
  Instruction *place = nullptr, *inside = nullptr;
  for (int64_t d = 0; d < static_cast<int64_t>(map.size()); ++d) {
    const int64_t component = std::find(map.begin(), map.end(), d) - map.begin();
    Instruction* start = scatter_.operands[inputs_];
    if (vector_dim < indices_.rank())
      start = build_.Slice(start, vector_dim, component, component + 1);
    start = build_.Reshape(start, dims);
    const double last = std::min(static_cast<double>(input_.dim(d) - 1), largest);
    Instruction* in = build_.Compare(start, build_.Splat(type, last, dims), "LE");
    if (hlo::IsSigned(type)) {
      Instruction* positive = build_.Compare(start, build_.Splat(type, 0, dims), "GE");
      in = build_.Add(Opcode::kAnd, {in, positive});
    }
    inside = inside == nullptr ? in : build_.Add(Opcode::kAnd, {inside, in});
    start = build_.Convert(start, ElementType::kS32);
    if (place != nullptr) {
      Instruction* extent =
          build_.Splat(ElementType::kS32, static_cast<double>(input_.dim(d)), dims);
      start = build_.Add(Opcode::kAdd, {build_.Add(Opcode::kMultiply, {place, extent}), start});
    }
    place = start;
  }
  return build_.Select(inside, place,
                       build_.Splat(ElementType::kS32, static_cast<double>(places_), dims));
}

Instruction* GroupedScatter::SortedPlaces() {
  const std::vector<int64_t> dims = {vectors_};
  const ElementType type = indices_.element_type();
  Instruction* numbers = build_.Reshape(scatter_.operands[inputs_], dims);
  Instruction* end = build_.Splat(type, static_cast<double>(places_), dims);
  numbers = build_.Add(Opcode::kMinimum, {numbers, end});
  if (hlo::IsSigned(type))
    numbers = build_.Add(Opcode::kMaximum, {numbers, build_.Splat(type, -1, dims)});
  return build_.Convert(numbers, ElementType::kS32);
}

Instruction* GroupedScatter::UpdateRows(size_t k) {
  Instruction* update = build_.Transpose(scatter_.operands[inputs_ + 1 + k], update_order_);
  std::vector<int64_t> dims = {vectors_};
  dims.insert(dims.end(), rest_.begin(), rest_.end());
  return build_.Reshape(update, dims);
}

Instruction* GroupedScatter::RowsAt(Instruction* rows, Instruction* numbers, bool scalars) {
  Ints offsets, sizes = {1}, shape = leading_, vectors = leading_;
  for (size_t d = 0; d < rest_.size(); ++d) {
    offsets.push_back(static_cast<int64_t>(leading_.size() + d));
    sizes.push_back(rest_[d]);
    shape.push_back(rest_[d]);
  }
  if (!scalars) vectors.push_back(1);
  AttrMap attrs;
  attrs.Set(Attr::kOffsetDims, offsets);
  attrs.Set(Attr::kCollapsedSliceDims, Ints{0});
  attrs.Set(Attr::kStartIndexMap, Ints{0});
  attrs.Set(Attr::kIndexVectorDim, static_cast<int64_t>(leading_.size()));
  attrs.Set(Attr::kSliceSizes, sizes);
  return rewriter_.Add(scatter_, Opcode::kGather, rows->shape.WithDims(shape),
                       {rows, build_.Reshape(numbers, vectors)}, attrs);
}

Instruction* GroupedScatter::Padded(Instruction* x, int64_t value) {
  int64_t size = 1;
  for (int64_t extent : leading_) size *= extent;
  if (size == vectors_) return x;
  hlo::PaddingConfig padding(static_cast<size_t>(x->shape.rank()));
  padding[0].high = size - vectors_;
  Instruction* element = build_.Splat(x->shape.element_type(), static_cast<double>(value), {});
  return build_.Add(Opcode::kPad, {x, element}, OneAttr(Attr::kPadding, padding));
}

Computation* GroupedScatter::Digit(const std::vector<Instruction*>& arrays, int64_t shift,
                                   int64_t width) {
  Computation* body = module_.AddComputation(scatter_.name + ".digit");
  Rewriter inside(body);
  GraphBuilder build(&inside, &scatter_);
  for (size_t i = 0; i < arrays.size(); ++i)
    body->AddParameter(static_cast<int64_t>(i), arrays[i]->shape.WithDims({}));
  auto number = [&](int64_t value) {
    return build.Splat(ElementType::kS32, static_cast<double>(value), {});
  };
  Instruction* digit = body->parameters()[0];
  if (shift > 0) digit = build.Add(Opcode::kShiftRightLogical, {digit, number(shift)});
  body->set_root(build.Add(Opcode::kAnd, {digit, number((int64_t{1} << width) - 1)}));
  return body;
}

void GroupedScatter::SortByPlace(std::vector<Instruction*>* arrays) {
  int64_t bits = 1;
  while (int64_t{1} << bits <= places_) ++bits;  // places_ is a place, too
  std::vector<Shape> shapes;
  for (Instruction*& array : *arrays) {
    array = build_.Reshape(array, {1, array->shape.NumElements()});
    shapes.push_back(array->shape);
  }
  for (int64_t shift = 0; shift < bits; shift += kDigitBits) {
    const int64_t width = std::min(kDigitBits, bits - shift);
    Instruction* pass =
        rewriter_.Add(scatter_, Opcode::kCountingPass, Shape::Tuple(shapes), *arrays,
                      OneAttr(Attr::kK, int64_t{1} << width), {Digit(*arrays, shift, width)});
    for (size_t i = 0; i < arrays->size(); ++i)
      (*arrays)[i] = rewriter_.AddGetTupleElement(scatter_, pass, static_cast<int64_t>(i));
  }
}

Instruction* GroupedScatter::ScatterInOrder(const std::vector<Instruction*>& inputs,
                                            Instruction* places, std::vector<Instruction*> updates,
                                            Instruction* again) {
  Ints rows = {places_}, chosen = {0}, windows, column = leading_;
  column.push_back(1);
  Instruction* indices = build_.Reshape(places, column);
  if (sums_runs_) {
    const RunSums sums = SumRuns(rewriter_, scatter_, places, updates[0], again);
    indices = sums.indices;
    updates = {sums.updates};
    rows.push_back(1);
    chosen.push_back(1);
  }
  rows.insert(rows.end(), rest_.begin(), rest_.end());
  std::vector<Instruction*> operands;
  std::vector<Shape> shapes;
  for (Instruction* input : inputs) {
    operands.push_back(build_.Reshape(input, rows));
    shapes.push_back(operands.back()->shape);
  }
  operands.push_back(indices);
  operands.insert(operands.end(), updates.begin(), updates.end());
  for (size_t d = 0; d < rest_.size(); ++d)
    windows.push_back(static_cast<int64_t>(leading_.size() + d));
  AttrMap attrs;
  attrs.Set(Attr::kUpdateWindowDims, windows);
  attrs.Set(Attr::kInsertedWindowDims, chosen);
  attrs.Set(Attr::kScatterDimsToOperandDims, chosen);
  attrs.Set(Attr::kIndexVectorDim, static_cast<int64_t>(leading_.size()));
  attrs.Set(Attr::kIndicesAreSorted, true);
  return rewriter_.Add(scatter_, Opcode::kScatter, inputs_ == 1 ? shapes[0] : Shape::Tuple(shapes),
                       operands, attrs, scatter_.called);
}

Instruction* GroupedScatter::Group() {
  // One scalar of each vector goes along with its place; of more, the vector's number.
  const bool scalars = inputs_ == 1 && update_.NumElements() == vectors_ &&
                       hlo::StorageBytes(update_.element_type()) <= 4;
  const bool sorted = scatter_.GetBool(Attr::kIndicesAreSorted);
  std::vector<Instruction*> arrays = {Padded(sorted ? SortedPlaces() : Places(), places_)};
  if (!sorted) {
    Instruction* along = scalars ? build_.Reshape(UpdateRows(0), {vectors_})
                                 : build_.Iota(ElementType::kS32, {vectors_}, 0);
    arrays.push_back(Padded(along, 0));
    SortByPlace(&arrays);
  }
  Ints rows = leading_;
  rows.insert(rows.end(), rest_.begin(), rest_.end());
  std::vector<Instruction*> inputs, updates;
  for (size_t k = 0; k < inputs_; ++k) {
    inputs.push_back(scatter_.operands[k]);
    updates.push_back(sorted    ? build_.Reshape(Padded(UpdateRows(k), 0), rows)
                      : scalars ? build_.Reshape(arrays[1], rows)
                                : RowsAt(UpdateRows(k), arrays[1]));
  }
  // Two gathers that are not the same become parts of the kernels that read them. Rows are then
  // read twice, and never written. Shorter ones are not, as what is read is whole sectors.
  Instruction* again = updates[0];
  const int64_t row_bytes =
      update_.NumElements() / vectors_ * hlo::StorageBytes(update_.element_type());
  if (sums_runs_ && !sorted && !scalars && row_bytes >= kSectorBytes)
    again = RowsAt(UpdateRows(0), arrays[1], /*scalars=*/true);
  Instruction* places = build_.Reshape(arrays[0], {arrays[0]->shape.NumElements()});
  Instruction* grouped = ScatterInOrder(inputs, places, updates, again);
  if (inputs_ == 1) return build_.Reshape(grouped, input_.dims());
  std::vector<Instruction*> results;
  for (size_t k = 0; k < inputs_; ++k) {
    Instruction* part = rewriter_.AddGetTupleElement(scatter_, grouped, static_cast<int64_t>(k));
    results.push_back(build_.Reshape(part, input_.dims()));
  }
  return rewriter_.Add(scatter_, Opcode::kTuple, scatter_.shape, results);
}

}  // namespace

absl::Status GroupScatters(hlo::Module& module, const runtime::DeviceInfo& device) {
  if (!runtime::IsGpu(device) || device.software) return absl::OkStatus();
  absl::Status status = RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (inst->opcode != Opcode::kScatter) return absl::OkStatus();
    GroupedScatter scatter(module, rewriter, *inst);
    if (scatter.Fits()) rewriter.Replace(inst, scatter.Group());
    return absl::OkStatus();
  });
  return status.ok() ? FlattenTuples(module) : status;
}

}  // namespace halyard::lowering
