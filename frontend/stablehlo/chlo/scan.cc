// chlo.scan: a loop over one dimension. Each step gives the region one slice of every input
// (without that dimension) and the carried values; it returns slices of the outputs, then what is
// carried on.
#include "absl/strings/str_cat.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::AttrMap;
using hlo::ElementType;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;

namespace {

Shape TupleShape(const std::vector<Term>& parts) {
  std::vector<Shape> shapes;
  for (const Term& part : parts) shapes.push_back(part.shape());
  return Shape::Tuple(std::move(shapes));
}

// Returns position `at` of dimension `dim`.
std::vector<Term> Starts(Term array, int64_t dim, Term at) {
  std::vector<Term> starts(array.rank(), array.graph->Splat(at.type(), {}, 0));
  starts[dim] = at;
  return starts;
}

Term TakeSlice(Term array, int64_t dim, Term at) {
  Ints sizes = array.shape().dims();
  sizes[dim] = 1;
  AttrMap attrs;
  attrs.Set(Attr::kDynamicSliceSizes, sizes);
  std::vector<Term> operands = Starts(array, dim, at);
  operands.insert(operands.begin(), array);
  Term slice = array.graph->Add(Opcode::kDynamicSlice, std::move(operands), std::move(attrs));
  sizes.erase(sizes.begin() + dim);
  return Reshape(slice, sizes);
}

Term PutSlice(Term array, Term slice, int64_t dim, Term at) {
  Ints sizes = slice.shape().dims();
  sizes.insert(sizes.begin() + dim, 1);
  std::vector<Term> operands = Starts(array, dim, at);
  operands.insert(operands.begin(), {array, Reshape(slice, sizes)});
  return array.graph->Add(Opcode::kDynamicUpdateSlice, std::move(operands));
}

}  // namespace

// The segments' sizes, and that there are as many results as they say.
bool Converter::ReadScan(const Operation& op, Scan* scan) {
  OpReader reader(op, errors_);
  Ints operands, results;
  if (!reader.Int("dimension", &scan->dim) || !reader.Ints("operandSegmentSizes", &operands) ||
      !reader.Ints("resultSegmentSizes", &results)) {
    return false;
  }
  if (const mlir::Attribute* reverse = op.Attr("is_reverse")) scan->reverse = reverse->boolean;
  if (operands.size() != 2 || results.size() != 2 || operands[0] < 0 || operands[1] < 0 ||
      results[0] < 0 || operands[0] > static_cast<int64_t>(op.operands.size()) ||
      operands[0] + operands[1] != static_cast<int64_t>(op.operands.size()) ||
      results[0] > static_cast<int64_t>(op.results.size()) || results[1] != operands[1] ||
      results[0] + results[1] != static_cast<int64_t>(op.results.size())) {
    return Fail(op, "segment sizes do not fit the operands and results");
  }
  scan->inputs = operands[0];
  scan->carries = operands[1];
  scan->outputs = results[0];
  if (op.regions.size() != 1) return Fail(op, "must have one region");
  return true;
}

bool Converter::CheckScan(const Operation& op, const std::vector<Term>& inputs,
                          const std::vector<Shape>& outputs, Scan* scan) {
  int64_t size = -1;
  auto check = [&](const Shape& shape) {
    if (!shape.IsArray() || scan->dim < 0 || scan->dim >= shape.rank()) {
      return Fail(op, absl::StrCat(shape.ToString(), " has no dimension ", scan->dim));
    }
    if (size >= 0 && shape.dim(scan->dim) != size) {
      return Fail(op, absl::StrCat("inputs and outputs differ in dimension ", scan->dim));
    }
    size = shape.dim(scan->dim);
    return true;
  };
  for (const Term& input : inputs) {
    if (!check(input.shape())) return false;
  }
  for (const Shape& output : outputs) {
    if (!check(output)) return false;
  }
  int64_t said = size;
  if (!OpReader(op, errors_).IntOr("scan_dim_size", size, &said)) return false;
  if (size >= 0 && said != size) {
    return Fail(op, absl::StrCat("scan_dim_size is ", said, ", the dimension's size ", size));
  }
  if (said < 0) return Fail(op, "nothing says how many steps there are");
  scan->size = said;
  return true;
}

namespace {

// `shape` without dimension `dim`.
Shape Without(const Shape& shape, int64_t dim) {
  std::vector<hlo::Size> sizes = hlo::SizesOf(shape);
  sizes.erase(sizes.begin() + dim);
  return hlo::WithSizes(shape, sizes);
}

std::vector<Term> ElementsOf(Term tuple) {
  std::vector<Term> parts;
  for (size_t i = 0; i < tuple.shape().elements().size(); ++i)
    parts.push_back(tuple.graph->Element(tuple, static_cast<int64_t>(i)));
  return parts;
}

}  // namespace

// If sizes are not known, checks that what goes into the region agrees with what comes out of it.
bool Converter::CheckDynamicScan(const Operation& op, Frame& frame, const Scan& scan) {
  Instructions operands;
  std::vector<Shape> results;
  hlo::Computation* step = nullptr;
  if (!Operands(op, frame, &operands) || !ResultShapes(op, &results) || !RefuseCaptures(op) ||
      !ConvertBody(op, {}, {}, &step)) {
    return false;
  }
  const Shape& root = step->root()->shape;
  const std::vector<Shape> returned = root.IsTuple() ? root.elements() : std::vector<Shape>{root};
  if (step->num_parameters() != scan.inputs + scan.carries ||
      static_cast<int64_t>(returned.size()) != scan.outputs + scan.carries) {
    return Fail(op, "the block's arguments or results are not as many as the operation's");
  }
  auto agree = [&](const Shape& whole, bool sliced, const Shape& part) {
    if (!whole.IsArray() || (sliced && (scan.dim < 0 || scan.dim >= whole.rank()))) return false;
    return hlo::ShapesAgree(sliced ? Without(whole, scan.dim) : whole, part);
  };
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool sliced = static_cast<int64_t>(i) < scan.inputs;
    if (agree(operands[i]->shape, sliced, step->parameters()[i]->shape)) continue;
    return Fail(op, absl::StrCat("operand ", i, " does not go with the block's argument"));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const bool sliced = static_cast<int64_t>(i) < scan.outputs;
    if (agree(results[i], sliced, returned[i])) continue;
    return Fail(op, absl::StrCat("result ", i, " does not go with what the block returns"));
  }
  return EmitStandIn(op, frame, "sizes that are not known");
}

bool Converter::ConvertScan(const Operation& op, Frame& frame) {
  Scan scan;
  Instructions operands, captured;
  std::vector<Shape> results;
  if (!ReadScan(op, &scan)) return false;
  if (HasDynamicOperand(op, frame)) return CheckDynamicScan(op, frame, scan);
  if (!ChloOperands(op, frame, op.operands.size(), &operands) || !ResultShapes(op, &results)) {
    return false;
  }
  std::vector<const Value*> captures = Captures({&op.regions[0]});
  if (!Capture(op, frame, captures, &captured)) return false;
  Graph graph(frame.computation);
  std::vector<Term> inputs;
  for (int64_t i = 0; i < scan.inputs; ++i) inputs.push_back(graph.Of(operands[i]));
  const std::vector<Shape> outputs(results.begin(), results.begin() + scan.outputs);
  if (!CheckScan(op, inputs, outputs, &scan)) return false;
  const mlir::Block* block = nullptr;
  if (!OneBlock(op, op.regions[0], &block)) return false;
  if (static_cast<int64_t>(block->arguments.size()) != scan.inputs + scan.carries) {
    return errors_.Fail(block->offset,
                        absl::StrCat("'", op.name, "': the block takes ", block->arguments.size(),
                                     " arguments, is given ", scan.inputs + scan.carries));
  }
  hlo::Computation* step = nullptr;
  if (!ConvertBody(op, captures, {}, &step)) return false;

  // State: the counter, inputs, outputs, carried values, captures.
  std::vector<Term> state = {graph.Splat(ElementType::kS64, {}, 0)};
  state.insert(state.end(), inputs.begin(), inputs.end());
  for (const Shape& output : outputs) {
    state.push_back(graph.Splat(output.element_type(), output.dims(), 0));
  }
  for (int64_t i = 0; i < scan.carries; ++i) state.push_back(graph.Of(operands[scan.inputs + i]));
  for (hlo::Instruction* inst : captured) state.push_back(graph.Of(inst));
  hlo::Computation* body = nullptr;
  if (!BuildScanBody(op, scan, step, TupleShape(state), &body)) return false;
  hlo::Computation* condition = module_.AddComputation("scan_condition");
  {
    Graph inner(condition);
    Term parameter = inner.Of(condition->AddParameter(0, TupleShape(state)));
    Term limit = inner.SplatInt(ElementType::kS64, {}, scan.size);
    condition->set_root((inner.Element(parameter, 0) < limit).inst);
  }
  std::vector<Term> last = graph.While(condition, body, state);
  const auto first = last.begin() + 1 + scan.inputs;
  return FinishGraph(op, frame, graph, {first, first + scan.outputs + scan.carries});
}

bool Converter::BuildScanBody(const Operation& op, const Scan& scan, hlo::Computation* step,
                              const Shape& state, hlo::Computation** body) {
  *body = module_.AddComputation("scan_body");
  Graph graph(*body);
  Term parameter = graph.Of((*body)->AddParameter(0, state));
  const std::vector<Term> parts = ElementsOf(parameter);
  Term one = graph.SplatInt(ElementType::kS64, {}, 1);
  Term at = parts[0];
  if (scan.reverse) at = graph.SplatInt(ElementType::kS64, {}, scan.size - 1) - at;
  std::vector<Term> arguments;
  for (int64_t i = 0; i < scan.inputs; ++i) {
    arguments.push_back(TakeSlice(parts[1 + i], scan.dim, at));
  }
  const int64_t outputs = 1 + scan.inputs, carries = outputs + scan.outputs;
  arguments.insert(arguments.end(), parts.begin() + carries, parts.end());
  const std::vector<hlo::Instruction*>& expected = step->parameters();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!Shape::SameIgnoringLayout(arguments[i].shape(), expected[i]->shape)) {
      return Fail(op,
                  absl::StrCat("the block's argument ", i, " is ", expected[i]->shape.ToString(),
                               ", is given ", arguments[i].shape().ToString()));
    }
  }
  Term call = graph.Add(Opcode::kCall, arguments, {}, {step});
  const std::vector<Term> returned =
      call.shape().IsArray() ? std::vector<Term>{call} : ElementsOf(call);
  if (static_cast<int64_t>(returned.size()) != scan.outputs + scan.carries) {
    return Fail(op, absl::StrCat("the block returns ", returned.size(), " values, must return ",
                                 scan.outputs + scan.carries));
  }
  std::vector<Term> next = parts;
  next[0] = parts[0] + one;
  for (int64_t i = 0; i < scan.outputs; ++i) {
    Shape slice = parts[outputs + i].shape();
    Ints dims = slice.dims();
    dims.erase(dims.begin() + scan.dim);
    if (!Shape::SameIgnoringLayout(returned[i].shape(), slice.WithDims(dims))) {
      return Fail(op, absl::StrCat("the block's result ", i, " is ", returned[i].shape().ToString(),
                                   ", must be ", slice.WithDims(dims).ToString()));
    }
    next[outputs + i] = PutSlice(parts[outputs + i], returned[i], scan.dim, at);
  }
  for (int64_t i = 0; i < scan.carries; ++i) {
    const Shape& carried = parts[carries + i].shape();
    if (!Shape::SameIgnoringLayout(returned[scan.outputs + i].shape(), carried)) {
      return Fail(op, absl::StrCat("the block's result ", scan.outputs + i, " must be ",
                                   carried.ToString()));
    }
    next[carries + i] = returned[scan.outputs + i];
  }
  (*body)->set_root(graph.Tuple(next).inst);
  return graph.status().ok() || Fail(op, graph.status().message());
}

}  // namespace halyard::stablehlo
