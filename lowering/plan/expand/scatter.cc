// Brings scatter into the form of its kernel, and turns select-and-scatter into the place that each
// window selects, followed by a scatter to these places.
#include "absl/strings/str_cat.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/plan/graph_builder.h"
#include "lowering/plan/passes.h"
#include "lowering/plan/rewriter.h"

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

using Instructions = std::vector<Instruction*>;

Instruction* Pack(Rewriter& rewriter, const Instruction& source, const Instructions& values) {
  if (values.size() == 1) return values[0];
  std::vector<Shape> shapes;
  for (const Instruction* value : values) shapes.push_back(value->shape);
  return rewriter.Add(source, Opcode::kTuple, Shape::Tuple(std::move(shapes)), values);
}

Shape ShapeOf(const Instructions& values) {
  if (values.size() == 1) return values[0]->shape;
  std::vector<Shape> shapes;
  for (const Instruction* value : values) shapes.push_back(value->shape);
  return Shape::Tuple(std::move(shapes));
}

Instruction* Part(Rewriter& rewriter, const Instruction& source, Instruction* value, size_t n,
                  size_t i) {
  return n == 1 ? value : rewriter.AddGetTupleElement(source, value, static_cast<int64_t>(i));
}

// Replaces the complex ones among `values` by their real and imaginary parts.
Instructions Planes(GraphBuilder& build, const Instructions& values) {
  Instructions planes;
  for (Instruction* value : values) {
    if (hlo::IsComplex(value->shape.element_type())) {
      planes.push_back(build.Real(value));
      planes.push_back(build.Imag(value));
    } else {
      planes.push_back(value);
    }
  }
  return planes;
}

// Returns `body` for real scalars: two for each complex one.
Computation* PlanarBody(hlo::Module& module, const Computation& body) {
  Computation* planar = module.AddComputation(body.name() + ".planar");
  Rewriter rewriter(planar);
  GraphBuilder build(&rewriter, body.root());
  Instructions arguments;
  int64_t number = 0;
  for (const Instruction* parameter : body.parameters()) {
    const ElementType type = parameter->shape.element_type();
    if (!hlo::IsComplex(type)) {
      arguments.push_back(planar->AddParameter(number++, parameter->shape));
      continue;
    }
    const Shape part = Shape::Scalar(hlo::PartType(type));
    Instruction* re = planar->AddParameter(number++, part);
    arguments.push_back(build.Complex(re, planar->AddParameter(number++, part)));
  }
  Instruction* result = InlineInto(body, arguments, planar);
  Instructions parts;
  const size_t n = body.num_parameters() / 2;
  for (size_t i = 0; i < n; ++i) parts.push_back(Part(rewriter, *body.root(), result, n, i));
  planar->set_root(Pack(rewriter, *body.root(), Planes(build, parts)));
  planar->RemoveDead();
  return planar;
}

// Scatters real and complex arrays separately, because a kernel's results are all of one kind.
Instruction* Separated(hlo::Module& module, Rewriter& rewriter, const Instruction& scatter,
                       const Instructions& inputs) {
  GraphBuilder build(&rewriter, &scatter);
  const size_t n = inputs.size();
  Instructions updates;
  for (size_t i = 0; i < n; ++i) {
    updates.push_back(build.Convert(scatter.operands[n + 1 + i], inputs[i]->shape.element_type()));
  }
  Instructions operands = Planes(build, inputs), planes = Planes(build, updates);
  const Shape shape = ShapeOf(operands);
  operands.push_back(scatter.operands[n]);
  operands.insert(operands.end(), planes.begin(), planes.end());
  Instruction* inner = rewriter.Add(scatter, Opcode::kScatter, shape, operands, scatter.attrs,
                                    {PlanarBody(module, *scatter.called[0])});
  Instructions results;
  size_t next = 0;
  for (const Instruction* input : inputs) {
    Instruction* re = Part(rewriter, scatter, inner, 2, next++);
    if (hlo::IsComplex(input->shape.element_type())) {
      results.push_back(build.Complex(re, Part(rewriter, scatter, inner, 2, next++)));
    } else {
      results.push_back(re);
    }
  }
  return Pack(rewriter, scatter, results);
}

// Inputs and updates have the results' types, for inputs become them in place; something is
// scattered; complex arrays are alone.
void ExpandScatter(hlo::Module& module, Rewriter& rewriter, Instruction* scatter) {
  GraphBuilder build(&rewriter, scatter);
  const size_t n = scatter->operands.size() / 2;
  const std::vector<Shape> shapes = hlo::FlattenShape(scatter->shape);
  Instructions inputs;
  size_t complex = 0;
  for (size_t i = 0; i < n; ++i) {
    inputs.push_back(build.Convert(scatter->operands[i], shapes[i].element_type()));
    complex += hlo::IsComplex(shapes[i].element_type());
  }
  if (scatter->operand(n + 1)->shape.NumElements() == 0) {
    rewriter.Replace(scatter, Pack(rewriter, *scatter, inputs));
  } else if (complex != 0 && complex != n) {
    rewriter.Replace(scatter, Separated(module, rewriter, *scatter, inputs));
  } else {
    for (size_t i = 0; i < n; ++i) {
      Instruction*& update = scatter->operands[n + 1 + i];
      scatter->operands[i] = inputs[i];
      update = build.Convert(update, shapes[i].element_type());
    }
  }
}

// (value, coordinates…) of two elements → those of the one that is selected. Elements of the
// padding have coordinates of -1 and are never selected before others.
Computation* Selection(hlo::Module& module, const Computation& select, ElementType type,
                       size_t coordinates) {
  Computation* body = module.AddComputation(select.name() + ".place");
  Rewriter rewriter(body);
  GraphBuilder build(&rewriter, select.root());
  Instructions x, y;
  for (Instructions* side : {&x, &y}) {
    int64_t first = side == &x ? 0 : static_cast<int64_t>(coordinates) + 1;
    side->push_back(body->AddParameter(first, Shape::Scalar(type)));
    for (size_t i = 0; i < coordinates; ++i) {
      side->push_back(body->AddParameter(++first, Shape::Scalar(ElementType::kS32)));
    }
  }
  Instruction* zero = build.Splat(ElementType::kS32, 0, {});
  Instruction* has_x = build.Compare(x[1], zero, "GE");
  Instruction* no_y = build.Compare(y[1], zero, "LT");
  Instruction* selected = InlineInto(select, {x[0], y[0]}, body);
  Instruction* keep = build.Add(Opcode::kAnd, {has_x, build.Add(Opcode::kOr, {no_y, selected})});
  Instructions results;
  for (size_t i = 0; i < x.size(); ++i) results.push_back(build.Select(keep, x[i], y[i]));
  body->set_root(Pack(rewriter, *select.root(), results));
  body->RemoveDead();
  return body;
}

// For each window, its selected element's index along `dims`, together in a last dimension; -1 if
// the window lies in the padding.
Instruction* SelectedPlaces(hlo::Module& module, Rewriter& rewriter, const Instruction& inst,
                            const Ints& dims) {
  GraphBuilder build(&rewriter, &inst);
  Instruction* operand = inst.operands[0];
  const ElementType type = operand->shape.element_type();
  const std::vector<int64_t>& windows = inst.operand(1)->shape.dims();
  Instructions operands = {operand}, inits = {build.Splat(type, 0, {})};
  std::vector<Shape> shapes = {Shape::Array(type, windows)};
  for (int64_t d : dims) {
    operands.push_back(build.Iota(ElementType::kS32, operand->shape.dims(), d));
    inits.push_back(build.Splat(ElementType::kS32, -1, {}));
    shapes.push_back(Shape::Array(ElementType::kS32, windows));
  }
  operands.insert(operands.end(), inits.begin(), inits.end());
  Computation* body = Selection(module, *inst.called[0], type, dims.size());
  Instruction* places = rewriter.Add(inst, Opcode::kReduceWindow, Shape::Tuple(std::move(shapes)),
                                     operands, OneAttr(Attr::kWindow, inst.GetWindow()), {body});
  std::vector<int64_t> columns = windows;
  columns.push_back(1);
  Instructions parts;
  for (size_t i = 0; i < dims.size(); ++i) {
    Instruction* part = rewriter.AddGetTupleElement(inst, places, static_cast<int64_t>(i) + 1);
    parts.push_back(build.Reshape(part, columns));
  }
  return parts.size() == 1 ? parts[0]
                           : build.Concatenate(parts, static_cast<int64_t>(columns.size()) - 1);
}

void ExpandSelectAndScatter(hlo::Module& module, Rewriter& rewriter, Instruction* inst) {
  GraphBuilder build(&rewriter, inst);
  const hlo::Window& window = inst->GetWindow();
  Instruction* source = inst->operands[1];
  const int64_t rank = inst->shape.rank();
  const ElementType type = inst->shape.element_type();
  Instruction* start =
      build.Broadcast(build.Convert(inst->operands[2], type), inst->shape.dims(), {});
  if (source->shape.NumElements() == 0 || inst->shape.NumElements() == 0) {
    rewriter.Replace(inst, start);
    return;
  }
  // Dimensions without windows are batches: in them, an element's window is the element.
  Ints windowed, batches;
  for (int64_t d = 0; d < rank; ++d) {
    (window.dims[d] == hlo::WindowDim{} ? batches : windowed).push_back(d);
  }
  if (windowed.empty() && rank > 0) {
    windowed = {0};
    batches.erase(batches.begin());
  }
  AttrMap attrs;
  attrs.Set(Attr::kUpdateWindowDims, Ints{});
  attrs.Set(Attr::kInsertedWindowDims, windowed);
  attrs.Set(Attr::kScatterDimsToOperandDims, windowed);
  attrs.Set(Attr::kInputBatchingDims, batches);
  attrs.Set(Attr::kScatterIndicesBatchingDims, batches);
  attrs.Set(Attr::kIndexVectorDim, rank);
  Instruction* places =
      windowed.empty()
          ? rewriter.AddConstant(*inst, hlo::Literal(Shape::Array(ElementType::kS32, {0})))
          : SelectedPlaces(module, rewriter, *inst, windowed);
  rewriter.Replace(
      inst, rewriter.Add(*inst, Opcode::kScatter, inst->shape,
                         {start, places, build.Convert(source, type)}, attrs, {inst->called[1]}));
}

}  // namespace

absl::Status ExpandScatters(hlo::Module& module) {
  // Bodies that are added contain no scatters.
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  for (Computation* computation : computations) {
    Rewriter rewriter(computation);
    for (Instruction* inst : rewriter.Snapshot()) {
      rewriter.ResolveOperands(inst);
      if (inst->opcode == Opcode::kScatter) {
        // Inputs, indices, updates and results are the kernel's buffers.
        if (3 * (inst->operands.size() / 2) + 1 > kMaxSequenceBuffers) {
          return LocatedError(
              absl::StatusCode::kUnimplemented, *inst,
              absl::StrCat(inst->operands.size() / 2, " arrays in one scatter; at most ",
                           (kMaxSequenceBuffers - 1) / 3));
        }
        ExpandScatter(module, rewriter, inst);
      } else if (inst->opcode == Opcode::kSelectAndScatter) {
        ExpandSelectAndScatter(module, rewriter, inst);
      }
    }
    if (absl::Status s = rewriter.Finish(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

}  // namespace halyard::lowering
