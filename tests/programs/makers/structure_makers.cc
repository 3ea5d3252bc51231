// Makes random contractions, reductions, windows, sorts, transforms and control flow.
#include <algorithm>
#include <cmath>

#include "tests/programs/makers/program_maker.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::Computation;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

// Chooses each dimension with this chance.
Ints Subset(ProgramMaker& m, int64_t rank, int percent) {
  Ints dims;
  for (int64_t d = 0; d < rank; ++d) {
    if (m.Chance(percent)) dims.push_back(d);
  }
  return dims;
}

Instruction* Reduce(ProgramMaker& m) {
  Instruction* a = m.Array();
  Instruction* init = nullptr;
  Computation* body = m.Fold(a->shape.element_type(), &init);
  return m.Add(Opcode::kReduce, {a, init},
               Attrs().With(Attr::kDimensions, Subset(m, a->shape.rank(), 50)), {body});
}

Opcode BinaryOp(ProgramMaker& m, ElementType type) {
  if (type == ElementType::kPred) return m.Chance(50) ? Opcode::kAnd : Opcode::kXor;
  return m.OneOf<Opcode>({Opcode::kAdd, Opcode::kSubtract, Opcode::kMultiply});
}

// Folds `a` and gives the results back to all that they were made from.
Instruction* WithFold(ProgramMaker& m, Instruction* a) {
  const ElementType type = a->shape.element_type();
  Ints reduced = Subset(m, a->shape.rank(), 60), kept;
  // All but the groups, often.
  if (a->shape.rank() > 2 && m.Chance(40)) {
    reduced = {a->shape.rank() - 3, a->shape.rank() - 1};
  }
  for (int64_t d = 0; d < a->shape.rank(); ++d) {
    if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) kept.push_back(d);
  }
  Instruction* init = nullptr;
  Computation* body = m.Fold(type, &init);
  Instruction* square = m.Chance(50) ? m.Add(BinaryOp(m, type), {a, a}) : a;
  Instruction* fold =
      m.Add(Opcode::kReduce, {square, init}, Attrs().With(Attr::kDimensions, reduced), {body});
  if (fold == nullptr || fold->shape.element_type() != type) return nullptr;
  Instruction* spread = m.AddShaped(Opcode::kBroadcast, a->shape.WithDefaultLayout(), {fold},
                                    Attrs().With(Attr::kDimensions, kept));
  return spread == nullptr ? nullptr : m.Add(BinaryOp(m, type), {a, spread});
}

// As a group norm does: splits a dimension, folds over some dimensions and computes with the
// results once or twice, goes back to the first form, and computes with a vector there.
Instruction* Normalize(ProgramMaker& m) {
  const ElementType type = m.Type();
  const int64_t groups = 1 + m.Pick(6), channels = 1 + m.Pick(8);
  Ints dims = {m.Chance(50) ? 64 + m.Pick(30) : 1 + m.Pick(8)};
  if (m.Chance(40)) dims.insert(dims.begin(), 1 + m.Pick(3));
  Ints split = dims;
  const size_t place = m.Chance(80) ? dims.size() : 0;
  dims.insert(dims.begin() + place, groups * channels);
  split.insert(split.begin() + place, {groups, channels});
  Instruction* x = m.Parameter(Shape::Array(type, dims));
  Instruction* y = m.AddShaped(Opcode::kReshape, Shape::Array(type, split), {x});
  for (int times = 1 + m.Pick(2); y != nullptr && times > 0; --times) y = WithFold(m, y);
  if (y == nullptr) return nullptr;
  if (m.Chance(80)) y = m.AddShaped(Opcode::kReshape, Shape::Array(type, dims), {y});
  const int64_t along = m.Pick(static_cast<int>(y->shape.rank()));
  Instruction* vector = m.Like(Shape::Array(type, {y->shape.dim(along)}));
  Instruction* spread = m.AddShaped(Opcode::kBroadcast, y->shape.WithDefaultLayout(), {vector},
                                    Attrs().With(Attr::kDimensions, Ints{along}));
  return m.Add(BinaryOp(m, type), {y, spread});
}

// Returns the largest element and its position, from a fold of two operands.
Instruction* ArgMax(ProgramMaker& m) {
  Instruction* a = m.Array();
  const ElementType type = a->shape.element_type();
  if (a->shape.rank() == 0 || hlo::IsComplex(type)) return nullptr;
  const int64_t dimension = m.Pick(static_cast<int>(a->shape.rank()));
  Instruction* positions =
      m.AddShaped(Opcode::kIota, a->shape.WithDefaultLayout().WithElementType(ElementType::kS32),
                  {}, Attrs().With(Attr::kIotaDimension, dimension));
  Computation* body = m.module().AddComputation("argmax");
  const Shape value = Shape::Scalar(type), place = Shape::Scalar(ElementType::kS32);
  Instruction* v0 = body->AddParameter(0, value);
  Instruction* p0 = body->AddParameter(1, place);
  Instruction* v1 = body->AddParameter(2, value);
  Instruction* p1 = body->AddParameter(3, place);
  const Shape pred = Shape::Scalar(ElementType::kPred);
  auto compare = [&](Instruction* x, const char* direction, Instruction* y) {
    return body->Add(Opcode::kCompare, pred, {x, y},
                     Attrs().With(Attr::kDirection, std::string(direction)));
  };
  // As JAX writes it, NaN comes first, and the first of equal values.
  const bool jax = hlo::IsFloat(type) && hlo::BitWidth(type) >= 16 && m.Chance(60);
  Instruction *keep = nullptr, *first = nullptr;
  if (!jax) {
    keep = first = compare(v0, "GE", v1);
  } else {
    keep = body->Add(Opcode::kOr, pred, {compare(v0, "GT", v1), compare(v0, "NE", v0)});
    first = body->Add(Opcode::kAnd, pred, {compare(v0, "EQ", v1), compare(p0, "LT", p1)});
    first = body->Add(Opcode::kOr, pred, {keep, first});
  }
  body->set_root(body->Add(Opcode::kTuple, Shape::Tuple({value, place}),
                           {body->Add(Opcode::kSelect, value, {keep, v0, v1}),
                            body->Add(Opcode::kSelect, place, {first, p0, p1})}));
  Instruction* start = m.Scalar(type, jax ? -HUGE_VAL : 0);
  Instruction* both =
      m.Add(Opcode::kReduce, {a, positions, start, m.Scalar(ElementType::kS32, jax ? 0 : -1)},
            Attrs().With(Attr::kDimensions, Ints{dimension}), {body});
  const int64_t index = jax ? 1 : m.Pick(2);
  return m.Add(Opcode::kGetTupleElement, {both}, Attrs().With(Attr::kIndex, index));
}

hlo::Window RandomWindow(ProgramMaker& m, int64_t rank, bool dilated) {
  hlo::Window window;
  for (int64_t d = 0; d < rank; ++d) {
    hlo::WindowDim dim;
    dim.size = m.Chance(40) ? 1 : 1 + m.Pick(3);
    dim.stride = 1 + m.Pick(2);
    dim.pad_low = m.Chance(50) ? 0 : m.Pick(4) - (dilated ? 1 : 0);
    dim.pad_high = m.Chance(50) ? 0 : m.Pick(4) - (dilated ? 1 : 0);
    if (dilated && m.Chance(20)) dim.base_dilation = 2;
    if (dilated && m.Chance(20)) dim.window_dilation = 2;
    window.dims.push_back(dim);
  }
  return window;
}

Instruction* ReduceWindow(ProgramMaker& m) {
  Instruction* a = m.Array();
  Instruction* init = nullptr;
  Computation* body = m.Fold(a->shape.element_type(), &init);
  return m.Add(Opcode::kReduceWindow, {a, init},
               Attrs().With(Attr::kWindow, RandomWindow(m, a->shape.rank(), true)), {body});
}

Instruction* SelectAndScatter(ProgramMaker& m) {
  Instruction* a = m.Array();
  const ElementType type = a->shape.element_type();
  if (hlo::IsComplex(type) || type == ElementType::kPred) return nullptr;
  hlo::Window window;
  Ints windows;
  for (int64_t extent : a->shape.dims()) {
    hlo::WindowDim dim;
    dim.size = 1 + m.Pick(3);
    dim.stride = 1 + m.Pick(3);
    if (extent < dim.size) return nullptr;
    windows.push_back((extent - dim.size) / dim.stride + 1);
    window.dims.push_back(dim);
  }
  Computation* choose = m.module().AddComputation("choose");
  Instruction* x = choose->AddParameter(0, Shape::Scalar(type));
  Instruction* y = choose->AddParameter(1, Shape::Scalar(type));
  choose->set_root(choose->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred), {x, y},
                               Attrs().With(Attr::kDirection, std::string("GE"))));
  return m.Add(Opcode::kSelectAndScatter,
               {a, m.Like(Shape::Array(type, windows)), m.Scalar(type, 0)},
               Attrs().With(Attr::kWindow, window), {choose, m.Combiner(Opcode::kAdd, type)});
}

// Returns the list with dims[i] at place order[i].
Ints Placed(const Ints& dims, const Ints& order) {
  Ints placed(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) placed[order[i]] = dims[i];
  return placed;
}

Instruction* Dot(ProgramMaker& m) {
  Instruction* a = m.Array();
  Ints batch, contracting;
  Ints rhs_dims, rhs_batch, rhs_contracting;
  for (int64_t d = 0; d < a->shape.rank(); ++d) {
    const int role = m.Pick(4);
    if (role == 0) batch.push_back(d);
    if (role == 1 || role == 2) contracting.push_back(d);
  }
  for (int64_t d : batch) {
    rhs_batch.push_back(static_cast<int64_t>(rhs_dims.size()));
    rhs_dims.push_back(a->shape.dim(d));
  }
  if (m.Chance(60)) rhs_dims.push_back(m.Extent());
  for (int64_t d : contracting) {
    rhs_contracting.push_back(static_cast<int64_t>(rhs_dims.size()));
    rhs_dims.push_back(a->shape.dim(d));
  }
  if (m.Chance(20)) rhs_dims.push_back(m.Extent());
  const Ints order = m.Permutation(static_cast<int64_t>(rhs_dims.size()));
  rhs_dims = Placed(rhs_dims, order);
  for (Ints* dims : {&rhs_batch, &rhs_contracting}) {
    for (int64_t& d : *dims) d = order[d];
  }
  const ElementType type = a->shape.element_type();
  ElementType result = type;
  if (m.Chance(30) && hlo::IsFloat(type) && hlo::BitWidth(type) < 32) result = ElementType::kF32;
  if (m.Chance(30) && type == ElementType::kS8) result = ElementType::kS32;
  return m.AddShaped(Opcode::kDot, Shape::Scalar(result), {a, m.Like(Shape::Array(type, rhs_dims))},
                     Attrs()
                         .With(Attr::kLhsBatchDims, batch)
                         .With(Attr::kRhsBatchDims, rhs_batch)
                         .With(Attr::kLhsContractingDims, contracting)
                         .With(Attr::kRhsContractingDims, rhs_contracting));
}

// Returns an array that ends in a pad of its spatial dimensions alone, with the padding value of
// convolutions. All dimensions except `batch` and `feature` are spatial.
Instruction* SpatiallyPadded(ProgramMaker& m, const Shape& shape, int64_t batch, int64_t feature) {
  hlo::PaddingConfig padding(shape.rank());
  Ints from = shape.dims();
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d == batch || d == feature) continue;
    padding[d].low = m.Pick(5) - 2;
    padding[d].high = m.Pick(5) - 2;
    from[d] = shape.dim(d) - padding[d].low - padding[d].high;
    if (from[d] < 1) return m.Like(shape);
  }
  return m.AddShaped(Opcode::kPad, shape,
                     {m.Like(shape.WithDims(from)), m.Scalar(shape.element_type(), 0)},
                     Attrs().With(Attr::kPadding, padding));
}

Instruction* Convolution(ProgramMaker& m) {
  const int64_t spatial = m.Pick(4);
  const ElementType type = m.Chance(70) ? m.FloatType() : m.Type();
  const int64_t groups = m.Chance(25) ? 2 : 1, batch_groups = groups == 1 && m.Chance(15) ? 2 : 1;
  const int64_t features = groups * (1 + m.Pick(3));
  Ints image = {batch_groups * (1 + m.Pick(2)), features},
       kernel = {2 * (1 + m.Pick(3)), features / groups};
  hlo::ConvDims dims;
  dims.input_batch = dims.output_batch = 0;
  dims.input_feature = dims.output_feature = 1;
  dims.kernel_output_feature = 0;
  dims.kernel_input_feature = 1;
  hlo::Window window = RandomWindow(m, spatial, true);
  for (int64_t d = 0; d < spatial; ++d) {
    image.push_back(2 + m.Pick(6));
    kernel.push_back(window.dims[d].size);
    dims.input_spatial.push_back(d + 2);
    dims.kernel_spatial.push_back(d + 2);
    dims.output_spatial.push_back(d + 2);
    window.dims[d].reversal = m.Chance(10);
  }
  if (m.Chance(60)) {  // dimensions in any order
    auto reorder = [&](int64_t* first, int64_t* second, Ints* more, Ints* extents) {
      const Ints order = m.Permutation(spatial + 2);
      *first = order[*first];
      *second = order[*second];
      for (int64_t& d : *more) d = order[d];
      if (extents != nullptr) *extents = Placed(*extents, order);
    };
    reorder(&dims.input_batch, &dims.input_feature, &dims.input_spatial, &image);
    reorder(&dims.kernel_output_feature, &dims.kernel_input_feature, &dims.kernel_spatial, &kernel);
    reorder(&dims.output_batch, &dims.output_feature, &dims.output_spatial, nullptr);
  }
  const Shape input = Shape::Array(type, image);
  Instruction* images = m.Chance(30)
                            ? SpatiallyPadded(m, input, dims.input_batch, dims.input_feature)
                            : m.Like(input);
  return m.AddShaped(Opcode::kConvolution, Shape::Scalar(type),
                     {images, m.Like(Shape::Array(type, kernel))},
                     Attrs()
                         .With(Attr::kDimLabels, dims)
                         .With(Attr::kWindow, window)
                         .With(Attr::kFeatureGroupCount, groups)
                         .With(Attr::kBatchGroupCount, batch_groups));
}

Instruction* Sort(ProgramMaker& m) {
  Instruction* a = m.Array();
  if (a->shape.rank() == 0 || hlo::IsComplex(a->shape.element_type())) return nullptr;
  const int64_t dimension = m.Pick(static_cast<int>(a->shape.rank()));
  Attrs attrs;
  attrs.With(Attr::kDimensions, Ints{dimension}).With(Attr::kIsStable, true);
  const std::string direction = m.Chance(50) ? "LT" : "GT";
  if (m.Chance(50))
    return m.Add(Opcode::kSort, {a}, attrs, {m.Comparator(direction, {a->shape.element_type()})});
  const Shape other = a->shape.WithDefaultLayout().WithElementType(m.Type());
  Instruction* both =
      m.Add(Opcode::kSort, {a, m.Like(other)}, attrs,
            {m.Comparator(direction, {a->shape.element_type(), other.element_type()})});
  return m.Add(Opcode::kGetTupleElement, {both}, Attrs().With(Attr::kIndex, int64_t{m.Pick(2)}));
}

Instruction* TopK(ProgramMaker& m) {
  Instruction* a = m.Array();
  if (a->shape.rank() == 0 || hlo::IsComplex(a->shape.element_type())) return nullptr;
  Instruction* both =
      m.Add(Opcode::kTopK, {a},
            Attrs()
                .With(Attr::kK, int64_t{m.Pick(static_cast<int>(a->shape.dims().back()) + 1)})
                .With(Attr::kLargest, m.Chance(50)));
  return m.Add(Opcode::kGetTupleElement, {both}, Attrs().With(Attr::kIndex, int64_t{m.Pick(2)}));
}

Instruction* Fft(ProgramMaker& m) {
  Instruction* a = m.ArrayOf(m.Chance(70) ? ElementType::kC64 : ElementType::kC128, 1);
  const int64_t axes = 1 + m.Pick(static_cast<int>(std::min<int64_t>(a->shape.rank(), 3)));
  Ints lengths(a->shape.dims().end() - axes, a->shape.dims().end());
  return m.Add(Opcode::kFft, {a},
               Attrs()
                   .With(Attr::kFftType, m.OneOf<std::string>({"FFT", "IFFT"}))
                   .With(Attr::kFftLength, lengths));
}

Instruction* TriangularSolve(ProgramMaker& m) {
  const ElementType type = m.OneOf<ElementType>(
      {ElementType::kF32, ElementType::kF64, ElementType::kC64, ElementType::kC128});
  const int64_t n = 1 + m.Pick(5), columns = 1 + m.Pick(4);
  const bool left = m.Chance(50);
  // The diagonal is all ones, so nothing is divided by a number that happens to be small.
  return m.Add(
      Opcode::kTriangularSolve,
      {m.Like(Shape::Array(type, {n, n})),
       m.Like(Shape::Array(type, left ? Ints{n, columns} : Ints{columns, n}))},
      Attrs()
          .With(Attr::kLeftSide, left)
          .With(Attr::kLower, m.Chance(50))
          .With(Attr::kUnitDiagonal, true)
          .With(Attr::kTransposeA, m.OneOf<std::string>({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})));
}

Instruction* BatchNorm(ProgramMaker& m) {
  const ElementType type = m.FloatType();
  Instruction* a = m.ArrayOf(type, 1);
  const int64_t feature = m.Pick(static_cast<int>(a->shape.rank()));
  const Shape vector = Shape::Array(type, {a->shape.dim(feature)});
  Attrs attrs;
  attrs.With(Attr::kEpsilon, 0.5).With(Attr::kFeatureIndex, feature);
  if (m.Chance(50)) {
    Instruction* all =
        m.Add(Opcode::kBatchNormTraining, {a, m.Like(vector), m.Like(vector)}, attrs);
    return m.Add(Opcode::kGetTupleElement, {all}, Attrs().With(Attr::kIndex, int64_t{m.Pick(3)}));
  }
  // A variance is a mean of squares.
  Instruction* root = m.Like(vector);
  Instruction* variance = m.Add(Opcode::kMultiply, {root, root});
  if (m.Chance(50)) {
    return m.Add(Opcode::kBatchNormInference,
                 {a, m.Like(vector), m.Like(vector), m.Like(vector), variance}, attrs);
  }
  Instruction* all = m.Add(Opcode::kBatchNormGrad,
                           {a, m.Like(vector), m.Like(vector), variance, m.Like(a->shape)}, attrs);
  return m.Add(Opcode::kGetTupleElement, {all}, Attrs().With(Attr::kIndex, int64_t{m.Pick(3)}));
}

Instruction* RandomBits(ProgramMaker& m) {
  const Shape state = Shape::Array(ElementType::kU64, {2});
  const Shape bits =
      Shape::Array(m.OneOf<ElementType>({ElementType::kU8, ElementType::kU16, ElementType::kU32,
                                         ElementType::kU64, ElementType::kS32}),
                   m.Dims());
  Instruction* both = m.AddShaped(
      Opcode::kRngBitGenerator, Shape::Tuple({state, bits}), {m.Like(state)},
      Attrs().With(Attr::kAlgorithm, m.OneOf<std::string>({"rng_three_fry", "rng_philox"})));
  return m.Add(Opcode::kGetTupleElement, {both}, Attrs().With(Attr::kIndex, int64_t{m.Pick(2)}));
}

// Returns a computation (a, b) -> (a op b, …) on arrays.
Computation* PairBody(ProgramMaker& m, const Shape& shape, Opcode opcode) {
  Computation* body = m.module().AddComputation("body");
  Instruction* a = body->AddParameter(0, shape);
  body->set_root(body->Add(opcode, shape, {a, a}));
  return body;
}

Instruction* Conditional(ProgramMaker& m) {
  Instruction* a = m.Array();
  const Shape shape = a->shape.WithDefaultLayout();
  Instruction* b = m.Like(shape);
  Instruction* index = m.Like(Shape::Scalar(ElementType::kS32));
  return m.Add(Opcode::kConditional, {index, a, b, a}, {},
               {PairBody(m, shape, Opcode::kMaximum), PairBody(m, shape, Opcode::kMinimum),
                PairBody(m, shape, Opcode::kAdd)});
}

// for (i = 0; i < n; ++i) x = op(x, x[0] broadcast … y)
Instruction* While(ProgramMaker& m) {
  Instruction* a = m.Array();
  const Shape shape = a->shape.WithDefaultLayout(), counter = Shape::Scalar(ElementType::kS32);
  Instruction* b = m.Like(shape);
  const Shape state = Shape::Tuple({counter, shape, shape});
  Computation* condition = m.module().AddComputation("condition");
  Instruction* p = condition->AddParameter(0, state);
  condition->set_root(
      condition->Add(Opcode::kCompare, Shape::Scalar(ElementType::kPred),
                     {AddPart(condition, p, 0), AddNumber(condition, ElementType::kS32, m.Pick(4))},
                     Attrs().With(Attr::kDirection, std::string("LT"))));
  Computation* body = m.module().AddComputation("loop");
  Instruction* q = body->AddParameter(0, state);
  Instruction* next = body->Add(Opcode::kAdd, counter,
                                {AddPart(body, q, 0), AddNumber(body, ElementType::kS32, 1)});
  const Opcode opcode = m.OneOf<Opcode>({Opcode::kAdd, Opcode::kMaximum, Opcode::kMinimum});
  Instruction* x = body->Add(opcode, shape, {AddPart(body, q, 1), AddPart(body, q, 2)});
  Instruction* y = m.Chance(50) ? AddPart(body, q, 1) : AddPart(body, q, 2);  // swapped, or kept
  body->set_root(body->Add(Opcode::kTuple, state, {next, x, y}));
  Instruction* start =
      m.entry()->Add(Opcode::kTuple, state, {m.Scalar(ElementType::kS32, 0), a, b});
  Instruction* loop = m.Add(Opcode::kWhile, {start}, {}, {condition, body});
  return m.Add(Opcode::kGetTupleElement, {loop},
               Attrs().With(Attr::kIndex, int64_t{1 + m.Pick(2)}));
}

Instruction* Call(ProgramMaker& m) {
  Instruction* a = m.Array();
  return m.Add(Opcode::kCall, {a}, {}, {PairBody(m, a->shape.WithDefaultLayout(), Opcode::kAdd)});
}

Instruction* Barrier(ProgramMaker& m) { return m.Add(Opcode::kOptimizationBarrier, {m.Array()}); }

constexpr Maker kMakers[] = {
    Reduce,       Reduce,           ArgMax, Dot,         Dot,         Normalize, Sort,
    ReduceWindow, SelectAndScatter, TopK,   Convolution, Fft,         BatchNorm, TriangularSolve,
    Call,         Convolution,      While,  RandomBits,  Conditional, Barrier};

}  // namespace

absl::Span<const Maker> StructureMakers() { return kMakers; }

}  // namespace halyard::testing
