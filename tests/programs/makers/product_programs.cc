// Makes programs of one product, convolution, window, sum or gather and what reads it. Sizes fill
// vectors and tiles, or nearly; those of RandomProgram are too small for that. Dimensions have any
// order. Results may be complex even if the product is not.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/programs/makers/program_maker.h"
#include "tests/programs/makers/random_program.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::ElementType;
using hlo::Instruction;
using hlo::Ints;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

int64_t Size(ProgramMaker& m) {
  return m.OneOf<int64_t>({1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 20, 33});
}

ElementType ProductType(ProgramMaker& m) {
  return m.OneOf<ElementType>({ElementType::kC64, ElementType::kC64, ElementType::kC128,
                               ElementType::kF32, ElementType::kF32, ElementType::kF64,
                               ElementType::kBF16, ElementType::kS32, ElementType::kS8,
                               ElementType::kF8E4M3FN, ElementType::kF8E8M0FNU});
}

Ints RandomOrder(ProgramMaker& m, int64_t count) {
  Ints order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = count; i-- > 1;) std::swap(order[i], order[m.Pick(static_cast<int>(i) + 1)]);
  return order;
}

Ints At(const Ints& places, const Ints& sizes) {
  Ints dims(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) dims[places[i]] = sizes[i];
  return dims;
}

Instruction* ConvolutionOf(ProgramMaker& m) {
  const ElementType type = ProductType(m);
  const int64_t spatial = m.OneOf<int64_t>({0, 1, 1, 2, 2, 3});
  const int64_t groups = m.Chance(15) ? 2 : 1, batch_groups = groups == 1 && m.Chance(8) ? 2 : 1;
  const int64_t batch = m.OneOf<int64_t>({1, 2, 3, 5}), in = Size(m), out = Size(m);
  Ints image = {batch * batch_groups, in * groups}, kernel = {out * groups * batch_groups, in};
  hlo::Window window;
  for (int64_t s = 0; s < spatial; ++s) {
    hlo::WindowDim dim;
    dim.size = 1 + m.Pick(3);
    image.push_back(dim.size + m.Pick(spatial == 3 ? 5 : 18));
    kernel.push_back(dim.size);
    dim.stride = m.Chance(25) ? 2 : 1;
    dim.pad_low = m.Pick(3);
    dim.pad_high = m.Pick(4) - 1;
    dim.base_dilation = m.Chance(15) ? 2 : 1;
    dim.window_dilation = m.Chance(15) ? 2 : 1;
    dim.reversal = m.Chance(15);
    window.dims.push_back(dim);
  }
  const Ints i = RandomOrder(m, spatial + 2), k = RandomOrder(m, spatial + 2),
             o = RandomOrder(m, spatial + 2);
  hlo::ConvDims dims;
  dims.input_batch = i[0];
  dims.input_feature = i[1];
  dims.kernel_output_feature = k[0];
  dims.kernel_input_feature = k[1];
  dims.output_batch = o[0];
  dims.output_feature = o[1];
  dims.input_spatial.assign(i.begin() + 2, i.end());
  dims.kernel_spatial.assign(k.begin() + 2, k.end());
  dims.output_spatial.assign(o.begin() + 2, o.end());
  return m.AddShaped(Opcode::kConvolution, Shape::Scalar(type),
                     {m.Parameter(Shape::Array(type, At(i, image))),
                      m.Parameter(Shape::Array(type, At(k, kernel)))},
                     Attrs()
                         .With(Attr::kDimLabels, dims)
                         .With(Attr::kWindow, window)
                         .With(Attr::kFeatureGroupCount, groups)
                         .With(Attr::kBatchGroupCount, batch_groups));
}

Instruction* DotOf(ProgramMaker& m) {
  const ElementType type = ProductType(m);
  const int64_t batches = m.OneOf<int64_t>({0, 0, 1, 2}), terms = m.OneOf<int64_t>({0, 1, 1, 2});
  Ints shared;
  for (int64_t d = 0; d < batches + terms; ++d)
    shared.push_back(d < batches ? 1 + m.Pick(3) : Size(m));
  Instruction* factors[2];
  Ints batch[2], contracting[2];
  for (int side : {0, 1}) {
    Ints sizes = shared;
    for (int64_t d = m.OneOf<int64_t>({0, 1, 1, 2}); d > 0; --d) sizes.push_back(Size(m));
    const Ints places = RandomOrder(m, static_cast<int64_t>(sizes.size()));
    batch[side].assign(places.begin(), places.begin() + batches);
    contracting[side].assign(places.begin() + batches, places.begin() + batches + terms);
    factors[side] = m.Parameter(Shape::Array(type, At(places, sizes)));
  }
  return m.AddShaped(Opcode::kDot, Shape::Scalar(type), {factors[0], factors[1]},
                     Attrs()
                         .With(Attr::kLhsBatchDims, batch[0])
                         .With(Attr::kRhsBatchDims, batch[1])
                         .With(Attr::kLhsContractingDims, contracting[0])
                         .With(Attr::kRhsContractingDims, contracting[1]));
}

// Makes a sum of windows, or over dimensions.
Instruction* SumOf(ProgramMaker& m) {
  const ElementType type = ProductType(m);
  Ints dims(1 + m.Pick(3));
  for (int64_t& d : dims) d = Size(m);
  Instruction* a = m.Parameter(Shape::Array(type, dims));
  Instruction* zero = m.Scalar(type, 0);
  hlo::Computation* add = m.Combiner(Opcode::kAdd, type);
  if (m.Chance(50)) {
    Ints over;
    for (int64_t d = 0; d < a->shape.rank(); ++d) {
      if (over.empty() || m.Chance(50)) over.push_back(d);
    }
    return m.Add(Opcode::kReduce, {a, zero}, Attrs().With(Attr::kDimensions, over), {add});
  }
  hlo::Window window;
  for (int64_t d : dims) {
    hlo::WindowDim dim;
    dim.size = std::min<int64_t>(d, 1 + m.Pick(3));
    if (m.Chance(20)) {  // all before a place
      dim.size = d;
      dim.pad_low = d - 1;
    }
    window.dims.push_back(dim);
  }
  return m.Add(Opcode::kReduceWindow, {a, zero}, Attrs().With(Attr::kWindow, window), {add});
}

// Makes slices at constant indices, some of which are out of bounds. The result may then be NaN, as
// `take` with mode="fill" has it.
Instruction* GatherOf(ProgramMaker& m) {
  const ElementType type = m.OneOf<ElementType>({ElementType::kF32, ElementType::kF64});
  ElementType index = m.OneOf<ElementType>({ElementType::kU32, ElementType::kS32, ElementType::kU8,
                                            ElementType::kS64, ElementType::kU64});
  Ints dims(1 + m.Pick(3));
  for (int64_t& d : dims) d = Size(m);
  Instruction* a = m.Parameter(Shape::Array(type, dims));
  const int64_t rank = a->shape.rank(), dim = m.Pick(static_cast<int>(rank)), count = Size(m);
  Literal starts(Shape::Array(index, {count, 1}));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t low = hlo::IsUnsigned(index) ? 0 : -2;
    starts.SetInt(i, low + m.Pick(static_cast<int>(dims[dim]) + 4));
    if (m.Chance(5)) starts.SetInt(i, -1 - m.Pick(2));  // the largest values of unsigned types
  }
  Instruction* indices = m.entry()->AddConstant(starts);
  if (m.Chance(30)) {
    indices =
        m.AddShaped(Opcode::kConvert, indices->shape.WithElementType(ElementType::kS32), {indices});
    index = ElementType::kS32;
  }
  Ints sizes = dims, offsets;
  sizes[dim] = 1;
  for (int64_t d = 0; d < rank; ++d) {
    if (d != dim) offsets.push_back(d);
  }
  Instruction* gather = m.Add(Opcode::kGather, {a, indices},
                              Attrs()
                                  .With(Attr::kOffsetDims, offsets)
                                  .With(Attr::kCollapsedSliceDims, Ints{dim})
                                  .With(Attr::kStartIndexMap, Ints{dim})
                                  .With(Attr::kIndexVectorDim, int64_t{1})
                                  .With(Attr::kSliceSizes, sizes));
  if (gather == nullptr || m.Chance(30)) return gather;
  auto all = [&](Instruction* value, const Shape& shape, Ints places) {
    return m.AddShaped(Opcode::kBroadcast, shape, {value},
                       Attrs().With(Attr::kDimensions, std::move(places)));
  };
  auto compare = [&](double limit, const char* direction) {
    return m.Add(Opcode::kCompare, {indices, all(m.Scalar(index, limit), indices->shape, {})},
                 Attrs().With(Attr::kDirection, std::string(direction)));
  };
  Instruction* inside =
      m.Add(Opcode::kAnd, {compare(0, "GE"), compare(static_cast<double>(dims[dim] - 1), "LE")});
  Instruction* good = m.Add(Opcode::kReduce, {inside, m.Scalar(ElementType::kPred, 1)},
                            Attrs().With(Attr::kDimensions, Ints{1}),
                            {m.Combiner(Opcode::kAnd, ElementType::kPred)});
  return m.Add(Opcode::kSelect,
               {all(good, gather->shape.WithElementType(ElementType::kPred), {dim}), gather,
                all(m.Scalar(type, NAN), gather->shape, {})});
}

// Makes one op that reads `a`, most often one from or to complex numbers.
Instruction* Read(ProgramMaker& m, Instruction* a) {
  const ElementType type = a->shape.element_type();
  const int choice = m.Pick(6);
  if (choice == 0) return m.Add(Opcode::kNegate, {a});
  if (choice == 1) return m.Add(Opcode::kAdd, {a, m.Parameter(a->shape)});
  if (choice == 2 && a->shape.rank() > 1) {
    return m.Add(Opcode::kTranspose, {a},
                 Attrs().With(Attr::kDimensions, RandomOrder(m, a->shape.rank())));
  }
  if (hlo::IsComplex(type)) {
    if (choice == 3) return m.Add(Opcode::kMultiply, {a, a});
    return m.Add(m.Chance(50) ? Opcode::kReal : Opcode::kImag, {a});
  }
  if (type == ElementType::kF32 || type == ElementType::kF64) {
    return m.Add(Opcode::kComplex, {a, m.Chance(50) ? a : m.Parameter(a->shape)});
  }
  return m.AddShaped(Opcode::kConvert, a->shape.WithElementType(ElementType::kF32), {a});
}

// Constant weights. Their features are whole vectors, or not, and have a type that has panels.
struct Weights {
  ElementType type = ElementType::kF32;
  int64_t features = 1, terms = 1;
};

Weights RandomWeights(ProgramMaker& m) {
  return {m.OneOf<ElementType>({ElementType::kF32, ElementType::kF32, ElementType::kF64,
                                ElementType::kBF16, ElementType::kF16}),
          m.OneOf<int64_t>({16, 24, 32, 32, 48, 60, 64, 96, 100, 125}), Size(m) + m.Pick(40)};
}

Instruction* ConstantOf(ProgramMaker& m, const Shape& shape) {
  Literal value(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) value.SetFloat(i, (m.Pick(65) - 32) / 16.0);
  return m.entry()->AddConstant(value);
}

Instruction* LayerDot(ProgramMaker& m) {
  const Weights weights = RandomWeights(m);
  const bool two_terms = m.Chance(25);
  Ints image = {1 + m.Pick(40), weights.terms}, kernel = {weights.features, weights.terms};
  if (m.Chance(40)) image.insert(image.begin(), 1 + m.Pick(5));
  const int64_t places = static_cast<int64_t>(image.size()) - 1;
  if (two_terms) {
    image.push_back(3);
    kernel.push_back(3);
  }
  const Ints order = RandomOrder(m, static_cast<int64_t>(kernel.size()));
  Ints from(image.begin() + places, image.end()), terms;
  std::iota(from.begin(), from.end(), places);
  for (size_t i = 1; i < order.size(); ++i) terms.push_back(order[i]);
  return m.AddShaped(
      Opcode::kDot, Shape::Scalar(weights.type),
      {m.Parameter(Shape::Array(weights.type, image)),
       ConstantOf(m, Shape::Array(weights.type, At(order, kernel)))},
      Attrs().With(Attr::kLhsContractingDims, from).With(Attr::kRhsContractingDims, terms));
}

Instruction* LayerConvolution(ProgramMaker& m) {
  const Weights weights = RandomWeights(m);
  Ints image = {1 + m.Pick(3)}, kernel = {weights.features, weights.terms};
  hlo::Window window;
  hlo::ConvDims dims;
  const int64_t spatial = 1 + m.Pick(2);
  const Ints k = RandomOrder(m, spatial + 2);
  const bool pointwise = m.Chance(25);
  for (int64_t s = 0; s < spatial; ++s) {
    hlo::WindowDim dim;
    dim.size = pointwise ? 1 : 1 + m.Pick(3);
    dim.stride = !pointwise && m.Chance(30) ? 2 : 1;
    dim.pad_low = pointwise ? 0 : m.Pick(2);
    dim.pad_high = pointwise ? 0 : m.Pick(2);
    dim.reversal = m.Chance(10);
    window.dims.push_back(dim);
    image.push_back(dim.size + m.Pick(20));
    kernel.push_back(dim.size);
    dims.input_spatial.push_back(s + 1);
    dims.output_spatial.push_back(s + 1);
    dims.kernel_spatial.push_back(k[s + 2]);
  }
  image.push_back(weights.terms);
  dims.input_batch = dims.output_batch = 0;
  dims.input_feature = dims.output_feature = spatial + 1;
  dims.kernel_output_feature = k[0];
  dims.kernel_input_feature = k[1];
  return m.AddShaped(Opcode::kConvolution, Shape::Scalar(weights.type),
                     {m.Parameter(Shape::Array(weights.type, image)),
                      ConstantOf(m, Shape::Array(weights.type, At(k, kernel)))},
                     Attrs().With(Attr::kDimLabels, dims).With(Attr::kWindow, window));
}

}  // namespace

std::unique_ptr<hlo::Module> RandomLayersProgram(uint32_t seed) {
  ProgramMaker maker(seed);
  Instruction* value = nullptr;
  while (value == nullptr) value = maker.Chance(50) ? LayerDot(maker) : LayerConvolution(maker);
  for (int reads = maker.Pick(3); reads > 0; --reads) {
    Instruction* next = Read(maker, value);
    if (next != nullptr) value = next;
  }
  return maker.FinishWith(value);
}

std::unique_ptr<hlo::Module> RandomProductProgram(uint32_t seed) {
  ProgramMaker maker(seed);
  constexpr Maker kKinds[] = {ConvolutionOf, ConvolutionOf, ConvolutionOf, DotOf,
                              DotOf,         SumOf,         GatherOf};
  Instruction* value = nullptr;
  while (value == nullptr) value = kKinds[maker.Pick(std::size(kKinds))](maker);
  for (int reads = maker.Pick(4); reads > 0; --reads) {
    Instruction* next = Read(maker, value);
    if (next != nullptr) value = next;
  }
  return maker.FinishWith(value);
}

}  // namespace halyard::testing
