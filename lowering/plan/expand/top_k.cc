// topk → gathers and sorts of few elements.
//
// The first k elements of a line (greatest first, ties by position) lie in the k chunks whose own
// first elements come first, ties by the chunk's position: any element of another chunk has k
// elements before it. So the chunks' extremes, a reduction, name the candidates; the chunks are
// chosen likewise, until there are few.
#include <algorithm>
#include <functional>

#include "lowering/plan/expand/sort_keys.h"
#include "lowering/plan/passes.h"

namespace halyard::lowering {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Shape;

class TopKExpander {
 public:
  TopKExpander(hlo::Module& module, Rewriter& rewriter, const Instruction& topk)
      : module_(module), rewriter_(rewriter), topk_(topk), k_(hlo::TopKOf(topk)->k) {}

  std::vector<Instruction*> Expand() {
    Instruction* operand = topk_.operands[0];
    const Shape &values = topk_.shape.elements()[0], &indices = topk_.shape.elements()[1];
    if (values.NumElements() == 0) {
      return {AddSplat(rewriter_, topk_, values.element_type(), 0, values.dims()),
              AddSplat(rewriter_, topk_, ElementType::kS32, 0, indices.dims())};
    }
    int64_t length = operand->shape.dims().back();
    lines_ = operand->shape.NumElements() / length;
    Instruction* matrix = rewriter_.AddReshape(topk_, operand, {lines_, length});
    hlo::SortKey order;
    order.descending = !hlo::TopKOf(topk_)->largest;  // the greatest keys are wanted
    order.total_order = true;
    Instruction* first = First(matrix, [&](Instruction* elements) {
      return AddOrderedKey(rewriter_, topk_, elements, order).value;
    });
    return {
        rewriter_.AddReshape(topk_, AddTakeAlong(rewriter_, topk_, matrix, first), values.dims()),
        rewriter_.AddReshape(topk_, first, indices.dims())};
  }

 private:
  using KeysOf = std::function<Instruction*(Instruction* elements)>;
  static Instruction* Themselves(Instruction* keys) { return keys; }

  Shape Matrix(ElementType type, int64_t columns) const {
    return Shape::Array(type, {lines_, columns});
  }
  Instruction* Positions(int64_t columns) {
    return rewriter_.Add(topk_, Opcode::kIota, Matrix(ElementType::kS32, columns), {},
                         OneAttr(Attr::kIotaDimension, int64_t{1}));
  }
  Instruction* Columns(Instruction* matrix, int64_t count) {
    return rewriter_.Add(topk_, Opcode::kSlice, Matrix(matrix->shape.element_type(), count),
                         {matrix},
                         OneAttr(Attr::kSlice, hlo::SliceDims{{0, lines_, 1}, {0, count, 1}}));
  }

  // Sorts the lines of the first array, and, if there is one, the second array along with it.
  std::vector<Instruction*> Sorted(std::vector<Instruction*> arrays, const char* direction) {
    Computation* comparator = module_.AddComputation(topk_.name + ".order");
    std::vector<Shape> shapes;
    for (const Instruction* array : arrays) {
      shapes.push_back(array->shape);
      for (int side : {0, 1}) {
        comparator->AddParameter(static_cast<int64_t>(2 * shapes.size()) - 2 + side,
                                 array->shape.WithDims({}));
      }
    }
    comparator->set_root(comparator->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                                         {comparator->parameters()[0], comparator->parameters()[1]},
                                         OneAttr(Attr::kDirection, std::string(direction))));
    hlo::AttrMap attrs;
    attrs.Set(Attr::kDimensions, hlo::Ints{1});
    attrs.Set(Attr::kIsStable, true);
    bool several = arrays.size() > 1;
    Instruction* sort =
        rewriter_.Add(topk_, Opcode::kSort, several ? Shape::Tuple(shapes) : shapes[0], arrays,
                      std::move(attrs), {comparator});
    if (!several) return {sort};
    return {rewriter_.AddGetTupleElement(topk_, sort, 0),
            rewriter_.AddGetTupleElement(topk_, sort, 1)};
  }

  // Elements of a chunk, if chunks spare work: the extremes and the candidates are then fewer than
  // the elements.
  int64_t ChunkSize(int64_t length) const {
    int64_t best = 0, least = length / 2;
    for (int64_t chunk = 4; chunk <= 256; chunk *= 2) {
      int64_t chunks = (length + chunk - 1) / chunk;
      int64_t left = chunks + k_ * chunk;
      if (chunks > k_ && left < least) {
        best = chunk;
        least = left;
      }
    }
    return best;
  }

  // Returns the keys of each line as [lines, chunks, chunk]. Padding is not greater than any key,
  // and comes after all of them.
  Instruction* ChunksOfKeys(Instruction* elements, const KeysOf& keys_of, int64_t chunks,
                            int64_t chunk) {
    const std::vector<int64_t> dims = {lines_, chunks, chunk};
    const int64_t length = elements->shape.dim(1);
    // Keys are made in the form in which they are reduced, so that this is one kernel.
    if (chunks * chunk == length) return keys_of(rewriter_.AddReshape(topk_, elements, dims));
    Instruction* keys = keys_of(elements);
    const ElementType type = keys->shape.element_type();
    hlo::PaddingConfig padding = {{0, 0, 0}, {0, chunks * chunk - length, 0}};
    Instruction* padded = rewriter_.Add(topk_, Opcode::kPad, Matrix(type, chunks * chunk),
                                        {keys, AddSplatBits(rewriter_, topk_, type, 0, {})},
                                        OneAttr(Attr::kPadding, padding));
    return rewriter_.AddReshape(topk_, padded, dims);
  }

  // Returns the positions, S32[lines, k], of those elements of each line that have the k greatest
  // keys, in their order. The reduction that finds the chunks' greatest computes all keys, and the
  // candidates' keys are computed again, so no array holds them.
  Instruction* First(Instruction* elements, const KeysOf& keys_of) {
    int64_t length = elements->shape.dim(1), chunk = ChunkSize(length);
    if (chunk == 0) return Columns(Sorted({keys_of(elements), Positions(length)}, "GT")[1], k_);
    int64_t chunks = (length + chunk - 1) / chunk;
    const bool pads = chunks * chunk != length;
    Instruction* cube = ChunksOfKeys(elements, keys_of, chunks, chunk);
    // The greatest keys of the chunks.
    ElementType type = cube->shape.element_type();
    Instruction* zero = AddSplatBits(rewriter_, topk_, type, 0, {});
    Instruction* greatest =
        rewriter_.Add(topk_, Opcode::kReduce, Matrix(type, chunks), {cube, zero},
                      OneAttr(Attr::kDimensions, hlo::Ints{2}),
                      {AddFold(module_, topk_.name + ".body", Opcode::kMaximum, type)});
    // Returns the candidates in the order of their positions.
    Instruction* chosen = Sorted({First(greatest, Themselves)}, "LT")[0];
    std::vector<int64_t> each = {lines_, k_, chunk};
    Shape candidate = Shape::Array(ElementType::kS32, each);
    Instruction* size = AddSplatBits(rewriter_, topk_, ElementType::kS32, chunk, {lines_, k_});
    Instruction* start = rewriter_.AddBroadcast(
        topk_, AddBinary(rewriter_, topk_, Opcode::kMultiply, chosen, size), each, {0, 1});
    Instruction* within = rewriter_.Add(topk_, Opcode::kIota, candidate, {},
                                        OneAttr(Attr::kIotaDimension, int64_t{2}));
    const std::vector<int64_t> candidates = {lines_, k_ * chunk};
    Instruction* positions = rewriter_.AddReshape(
        topk_, AddBinary(rewriter_, topk_, Opcode::kAdd, start, within), candidates);
    Instruction* taken = keys_of(AddTakeAlong(rewriter_, topk_, elements, positions));
    if (pads) {
      // Positions behind the end have taken the last element.
      Instruction* end =
          AddSplat(rewriter_, topk_, ElementType::kS32, static_cast<double>(length), candidates);
      taken = rewriter_.Add(topk_, Opcode::kSelect, taken->shape,
                            {AddCompare(rewriter_, topk_, "LT", positions, end), taken,
                             AddSplatBits(rewriter_, topk_, type, 0, candidates)});
    }
    return AddTakeAlong(rewriter_, topk_, positions, First(taken, Themselves));
  }

  hlo::Module& module_;
  Rewriter& rewriter_;
  const Instruction& topk_;
  int64_t k_, lines_ = 0;
};

}  // namespace

absl::Status ExpandTopK(hlo::Module& module) {
  absl::Status expanded = RewriteEach(module, [&](Rewriter& rewriter, Instruction* inst) {
    if (!hlo::TopKOf(*inst)) return absl::OkStatus();
    std::vector<Instruction*> results = TopKExpander(module, rewriter, *inst).Expand();
    rewriter.Replace(inst, rewriter.Add(*inst, Opcode::kTuple, inst->shape, results));
    if (inst->opcode == Opcode::kCustomCall) Rewriter::Discard(inst);
    return absl::OkStatus();
  });
  return expanded.ok() ? FlattenTuples(module) : expanded;
}

}  // namespace halyard::lowering
