// Large scatters on GPUs: updates that meet at one place become neighbours, by a stable sort of the
// places, so that each place of the result does only its own updates, in their order. The work is
// that of a radix sort over the places' bits. Without it, every place looks through all indices.
#include <algorithm>

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
  // Returns an operand's updates as [vectors, rest…].
  Instruction* UpdateRows(size_t k);
  // Returns rows[numbers[i], …] at i.
  Instruction* RowsAt(Instruction* rows, Instruction* numbers);
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
};

bool GroupedScatter::Fits() {
  if (scatter_.GetBool(Attr::kUniqueIndices) || scatter_.GetBool(Attr::kIndicesAreSorted) ||
      !scatter_.GetInts(Attr::kInputBatchingDims).empty())
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
  return chosen > 0 && vectors_ >= kLeastVectors && vectors_ < INT32_MAX && places_ > 0 &&
         places_ < INT32_MAX && hlo::IsInteger(type) && !hlo::IsComplex(input_.element_type());
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

Instruction* GroupedScatter::UpdateRows(size_t k) {
  Instruction* update = build_.Transpose(scatter_.operands[inputs_ + 1 + k], update_order_);
  std::vector<int64_t> dims = {vectors_};
  dims.insert(dims.end(), rest_.begin(), rest_.end());
  return build_.Reshape(update, dims);
}

Instruction* GroupedScatter::RowsAt(Instruction* rows, Instruction* numbers) {
  Ints offsets, sizes = {1};
  for (size_t d = 0; d < rest_.size(); ++d) {
    offsets.push_back(static_cast<int64_t>(d) + 1);
    sizes.push_back(rest_[d]);
  }
  AttrMap attrs;
  attrs.Set(Attr::kOffsetDims, offsets);
  attrs.Set(Attr::kCollapsedSliceDims, Ints{0});
  attrs.Set(Attr::kStartIndexMap, Ints{0});
  attrs.Set(Attr::kIndexVectorDim, int64_t{1});
  attrs.Set(Attr::kSliceSizes, sizes);
  return rewriter_.Add(scatter_, Opcode::kGather, rows->shape,
                       {rows, build_.Reshape(numbers, {vectors_, 1})}, attrs);
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
    array = build_.Reshape(array, {1, vectors_});
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

Instruction* GroupedScatter::Group() {
  // One scalar of each vector goes along with its place; of more, the vector's number.
  const bool scalars = inputs_ == 1 && update_.NumElements() == vectors_ &&
                       hlo::StorageBytes(update_.element_type()) <= 4;
  std::vector<Instruction*> arrays = {Places()};
  arrays.push_back(scalars ? build_.Reshape(UpdateRows(0), {vectors_})
                           : build_.Iota(ElementType::kS32, {vectors_}, 0));
  SortByPlace(&arrays);
  std::vector<int64_t> rows = {vectors_}, result = {places_};
  rows.insert(rows.end(), rest_.begin(), rest_.end());
  result.insert(result.end(), rest_.begin(), rest_.end());
  std::vector<Instruction*> operands, updates;
  std::vector<Shape> shapes;
  for (size_t k = 0; k < inputs_; ++k) {
    operands.push_back(build_.Reshape(scatter_.operands[k], result));
    shapes.push_back(operands.back()->shape);
    updates.push_back(scalars ? build_.Reshape(arrays[1], rows) : RowsAt(UpdateRows(k), arrays[1]));
  }
  operands.push_back(build_.Reshape(arrays[0], {vectors_, 1}));
  operands.insert(operands.end(), updates.begin(), updates.end());
  AttrMap attrs;
  Ints windows;
  for (size_t d = 1; d < rows.size(); ++d) windows.push_back(static_cast<int64_t>(d));
  attrs.Set(Attr::kUpdateWindowDims, windows);
  attrs.Set(Attr::kInsertedWindowDims, Ints{0});
  attrs.Set(Attr::kScatterDimsToOperandDims, Ints{0});
  attrs.Set(Attr::kIndexVectorDim, int64_t{1});
  attrs.Set(Attr::kIndicesAreSorted, true);
  Instruction* grouped =
      rewriter_.Add(scatter_, Opcode::kScatter, inputs_ == 1 ? shapes[0] : Shape::Tuple(shapes),
                    operands, attrs, scatter_.called);
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
