#include "client/reports/program_facts.h"

#include <algorithm>
#include <optional>
#include <string>

namespace halyard {

using hlo::Shape;

namespace {

Shape ShapeOf(const runtime::Program& program, const runtime::program_format::ValueRecord& value) {
  const runtime::StringSpan type = program.String(value.element_type);
  if (absl::string_view(type.data, type.size) == "token") return Shape::Token();
  const std::optional<hlo::ElementType> element =
      hlo::ElementTypeFromHloName(absl::string_view(type.data, type.size));
  const int64_t* dims = program.dims(value);
  const int64_t* layout = program.minor_to_major(value);
  std::vector<int64_t> sizes(dims, dims + value.rank), order;
  if (layout != nullptr) order.assign(layout, layout + value.rank);
  return Shape::ArrayWithLayout(element.value_or(hlo::ElementType::kU8), std::move(sizes),
                                std::move(order));
}

Executable::Cost CostOf(const runtime::Program& program, uint32_t sequence) {
  Executable::Cost cost;
  const runtime::program_format::SequenceRecord& steps = program.sequence(sequence);
  for (uint64_t i = steps.first_step; i < steps.first_step + steps.num_steps; ++i) {
    const runtime::program_format::StepRecord& step = program.step(i);
    Executable::Cost one;
    switch (static_cast<runtime::StepKind>(step.kind)) {
      case runtime::StepKind::kKernel: {
        const auto& kernel = program.kernel(static_cast<uint32_t>(step.kernel));
        one = {static_cast<double>(kernel.flops), static_cast<double>(kernel.bytes)};
        break;
      }
      case runtime::StepKind::kCopy:
        one.bytes = 2.0 * static_cast<double>(program.slices(step)[0].bytes);
        break;
      case runtime::StepKind::kWhile:  // the body is the second child
        one = CostOf(program, program.children(step)[1]);
        one.flops *= static_cast<double>(std::max<int64_t>(1, step.trip_count));
        one.bytes *= static_cast<double>(std::max<int64_t>(1, step.trip_count));
        break;
      case runtime::StepKind::kCase:
        for (uint32_t k = 0; k < step.num_children; ++k) {
          const Executable::Cost branch = CostOf(program, program.children(step)[k]);
          one = {std::max(one.flops, branch.flops), std::max(one.bytes, branch.bytes)};
        }
        break;
      default:  // custom calls and communication
        break;
    }
    cost.flops += one.flops;
    cost.bytes += one.bytes;
  }
  return cost;
}

}  // namespace

std::vector<Shape> ParameterShapes(const runtime::Program& program) {
  std::vector<Shape> shapes;
  for (uint32_t i = 0; i < program.num_parameters(); ++i)
    shapes.push_back(ShapeOf(program, program.parameter(i)));
  return shapes;
}

std::vector<Shape> ResultShapes(const runtime::Program& program) {
  std::vector<Shape> shapes;
  for (uint32_t i = 0; i < program.num_results(); ++i)
    shapes.push_back(ShapeOf(program, program.result(i)));
  return shapes;
}

Executable::Cost CostOf(const runtime::Program& program) { return CostOf(program, 0); }

std::vector<Executable::NamedCall> CallsOf(const runtime::Program& program) {
  std::vector<Executable::NamedCall> calls;
  for (uint32_t i = 0; i < program.num_steps(); ++i) {
    const runtime::program_format::StepRecord& step = program.step(i);
    if (static_cast<runtime::StepKind>(step.kind) != runtime::StepKind::kCustomCall) continue;
    const runtime::StringSpan target = program.String(step.target);
    const runtime::ByteSpan config = program.Bytes(step.config);
    calls.push_back({std::string(target.data, target.size),
                     std::string(reinterpret_cast<const char*>(config.data), config.size)});
  }
  return calls;
}

}  // namespace halyard
