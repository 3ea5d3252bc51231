#include "tests/lowering/plan/plan_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "tests/lowering/plan/plan_interpreter.h"

namespace halyard::lowering {
namespace {

using hlo::Literal;
using hlo::Shape;

Literal RandomArray(const Shape& shape, std::mt19937* random) {
  Literal literal(shape.WithDefaultLayout());
  hlo::ElementType type = shape.element_type();
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    int small = static_cast<int>((*random)() % 11);
    if (hlo::IsFloat(type)) {
      literal.SetFloat(i, (static_cast<int>((*random)() % 2001) - 1000) / 500.0);
    } else if (hlo::IsComplex(type)) {
      literal.SetComplex(i, {small - 5.0, small / 2.0});
    } else if (type == hlo::ElementType::kPred) {
      literal.SetInt(i, small % 2);
    } else {
      literal.SetInt(i, small + 1);
    }
  }
  return literal;
}

Literal RandomValue(const Shape& shape, std::mt19937* random) {
  if (shape.IsToken()) return Literal::Token();
  if (shape.IsArray()) return RandomArray(shape, random);
  std::vector<Literal> elements;
  for (const Shape& element : shape.elements()) elements.push_back(RandomValue(element, random));
  return Literal::Tuple(std::move(elements));
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  if (!literal.shape().IsTuple()) {
    leaves->push_back(literal);
    return;
  }
  for (const Literal& element : literal.elements()) Flatten(element, leaves);
}

bool HasOp(const hlo::Module& module, std::initializer_list<hlo::Opcode> opcodes) {
  for (const auto& computation : module.computations()) {
    for (const auto& inst : computation->instructions()) {
      if (std::find(opcodes.begin(), opcodes.end(), inst->opcode) != opcodes.end()) return true;
    }
  }
  return false;
}

// Compares bit by bit. A dot's sum may be a zero with either sign, because its order is free.
// Transforms and factorisations are other sums once they are expanded.
bool Same(const hlo::Module& module, const Literal& got, const Literal& want) {
  using hlo::Opcode;
  if (got.BitwiseEqual(want)) return true;
  const bool expanded = HasOp(module, {Opcode::kFft, Opcode::kCholesky, Opcode::kTriangularSolve});
  if (!expanded && !HasOp(module, {Opcode::kDot})) return false;
  auto difference = hlo::Compare(got, want, expanded ? 1e-5 : 0, expanded ? 1e-5 : 0);
  return difference.ok() && difference->within;
}

void Check(const hlo::Module& module, const PlanOptions& options, const InterpreterOptions& run,
           const std::vector<Literal>& arguments, const std::vector<Literal>& want,
           const std::string& how) {
  absl::StatusOr<ProgramSpec> spec = PlanProgram(module, options);
  ASSERT_TRUE(spec.ok()) << how << ": " << spec.status() << "\n" << hlo_text::Print(module);
  absl::StatusOr<std::vector<Literal>> got = InterpretPlan(*spec, arguments, run);
  ASSERT_TRUE(got.ok()) << how << ": " << got.status() << "\n" << DescribePlan(*spec);
  ASSERT_EQ(got->size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    if (want[i].shape().IsToken()) continue;
    EXPECT_TRUE(Same(module, (*got)[i], want[i]))
        << how << ": result " << i << " is\n"
        << (*got)[i].ToString().substr(0, 2000) << "\nand should be\n"
        << want[i].ToString().substr(0, 2000) << "\n"
        << DescribePlan(*spec);
  }
}

}  // namespace

std::unique_ptr<hlo::Module> Parse(absl::string_view hlo_text) {
  auto module = hlo_text::ParseModule(hlo_text, "test.hlo");
  EXPECT_TRUE(module.ok()) << module.status() << "\n" << hlo_text;
  return module.ok() ? *std::move(module) : nullptr;
}

PlanOptions X86Options() {
  PlanOptions options;
  options.device.kind = runtime::DeviceKind::kX86;
  options.target = "x86:v3";
  return options;
}

PlanOptions VulkanOptions() {
  PlanOptions options;
  options.device.kind = runtime::DeviceKind::kVulkan;
  options.device.max_storage_range_bytes = 128 << 20;
  options.device.max_allocation_bytes = int64_t{2} << 30;
  options.host.kind = runtime::DeviceKind::kX86;
  options.target = "vulkan";
  return options;
}

ProgramSpec PlanOf(const hlo::Module& module, const PlanOptions& options) {
  absl::StatusOr<ProgramSpec> spec = PlanProgram(module, options);
  EXPECT_TRUE(spec.ok()) << spec.status();
  if (spec.ok()) return *std::move(spec);
  ProgramSpec empty;
  empty.sequences.emplace_back();
  return empty;
}

namespace {

struct Expected {
  std::vector<Literal> arguments, results;  // flat
};

absl::StatusOr<Expected> Evaluate(const hlo::Module& module, uint32_t seed) {
  std::mt19937 random(seed);
  Expected expected;
  std::vector<Literal> arguments;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(RandomValue(parameter->shape, &random));
    Flatten(arguments.back(), &expected.arguments);
  }
  hlo::Evaluator evaluator;
  evaluator.max_loop_iterations = 10000;
  absl::StatusOr<Literal> want = evaluator.Run(module, arguments);
  if (!want.ok()) return want.status();
  Flatten(*want, &expected.results);
  return expected;
}

}  // namespace

void ExpectPlanComputesTheSame(const hlo::Module& module, const PlanOptions& options,
                               uint32_t seed) {
  absl::StatusOr<Expected> want = Evaluate(module, seed);
  ASSERT_TRUE(want.ok()) << want.status();
  Check(module, options, {}, want->arguments, want->results,
        absl::StrCat(options.target, " ", options.choices));
}

void ExpectPlanComputesTheSame(const hlo::Module& module, uint32_t seed) {
  absl::StatusOr<Expected> want = Evaluate(module, seed);
  ASSERT_TRUE(want.ok()) << want.status();
  const auto& [flat, results] = *want;
  Check(module, X86Options(), {}, flat, results, "x86");
  Check(module, X86Options(), {.donate = true}, flat, results, "x86, donated");
  Check(module, VulkanOptions(), {}, flat, results, "vulkan");
  PlanOptions unfused = X86Options();
  unfused.fuse = false;
  Check(module, unfused, {}, flat, results, "unfused");
}

void ExpectPlanComputesTheSame(absl::string_view hlo_text, uint32_t seed) {
  std::unique_ptr<hlo::Module> module = Parse(hlo_text);
  ASSERT_NE(module, nullptr);
  ExpectPlanComputesTheSame(*module, seed);
}

Literal ExactNumbers(const Shape& shape) {
  const hlo::ElementType type = shape.element_type();
  const int64_t bits = hlo::BitWidth(hlo::PartType(type));
  Literal value(shape);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    const int64_t narrow = i * 5 % 15 - 7, wide = i * 7 % 61;
    const double number =
        bits < 32 ? static_cast<double>(narrow) : static_cast<double>(wide) / 8 - 3;
    if (hlo::IsComplex(type)) {
      value.SetComplex(i, {number, static_cast<double>(i % 5)});
    } else if (hlo::IsFloat(type)) {
      value.SetFloat(i, number);
    } else {
      value.SetInt(i, bits < 8 ? narrow : wide - 30);
    }
  }
  return value;
}

int CountSteps(const ProgramSpec& spec, ProgramSpec::Step::Kind kind) {
  int count = 0;
  for (const ProgramSpec::Sequence& sequence : spec.sequences) {
    for (const ProgramSpec::Step& step : sequence.steps) count += step.kind == kind;
  }
  return count;
}

std::string DescribePlan(const ProgramSpec& spec) {
  static const char* const kKinds[] = {
      "kernel", "copy",    "while",  "case",    "custom-call",    "process-id",  "exchange",
      "send",   "receive", "infeed", "outfeed", "exchange-begin", "exchange-end"};
  std::string text;
  for (size_t s = 0; s < spec.sequences.size(); ++s) {
    absl::StrAppend(&text, "sequence ", s, ":\n");
    for (const ProgramSpec::Step& step : spec.sequences[s].steps) {
      absl::StrAppend(&text, "  ", kKinds[static_cast<int>(step.kind)], " ", step.label);
      for (size_t i = 0; i < step.slices.size(); ++i) {
        absl::StrAppend(&text, static_cast<int>(i) == step.num_inputs ? " ->" : "", " a",
                        step.slices[i].allocation);
      }
      if (step.kernel >= 0) absl::StrAppend(&text, " kernel ", spec.kernels[step.kernel].name);
      for (int32_t inner : step.sequences) absl::StrAppend(&text, " s", inner);
      absl::StrAppend(&text, "\n");
    }
  }
  for (size_t a = 0; a < spec.allocations.size(); ++a) {
    const ProgramSpec::Allocation& allocation = spec.allocations[a];
    absl::StrAppend(&text, "a", a, ": kind ", static_cast<int>(allocation.kind), " number ",
                    allocation.number, " offset ", allocation.offset, " bytes ", allocation.bytes,
                    allocation.space == MemorySpace::kHost ? " host " : " ", allocation.label,
                    "\n");
  }
  for (const ProgramSpec::Kernel& kernel : spec.kernels) {
    absl::StrAppend(&text, kernel.name, "\n",
                    kernel.request.substr(kernel.request.find("HloModule")), "\n");
  }
  return text;
}

}  // namespace halyard::lowering
