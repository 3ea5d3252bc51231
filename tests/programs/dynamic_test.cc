// Tests random programs whose types say less than is known: sizes become unknown, or bounded. They
// must be verified, evaluated, and specialised to the programs with all sizes.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo_text/printer.h"
#include "tests/programs/makers/random_program.h"

namespace halyard::testing {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Literal;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;

class Blur {
 public:
  explicit Blur(uint32_t seed) : random_(seed) {}

  int blurred() const { return blurred_; }

  void Run(Module* module) {
    for (const auto& computation : module->computations()) {
      for (const auto& inst : computation->instructions()) inst->shape = Blurred(*inst);
    }
  }

 private:
  // Returns the result's shape without the sizes that follow from operands.
  Shape Blurred(const Instruction& inst) {
    switch (inst.opcode) {
      case Opcode::kConstant:
      case Opcode::kIota:
      case Opcode::kRng:
      case Opcode::kRngBitGenerator:
      case Opcode::kCustomCall:
      case Opcode::kReshape:
      case Opcode::kBitcast:
      case Opcode::kInfeed:
        return inst.shape;
      case Opcode::kBroadcast:
        return BlurredArray(inst.shape, &inst.GetInts(Attr::kDimensions));
      default:
        return BlurredShape(inst.shape);
    }
  }

  Shape BlurredShape(const Shape& shape) {
    if (shape.IsArray()) return BlurredArray(shape, nullptr);
    if (!shape.IsTuple()) return shape;
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(BlurredShape(element));
    return Shape::Tuple(std::move(elements));
  }

  Shape BlurredArray(const Shape& shape, const hlo::Ints* only) {
    if (!shape.HasDefaultLayout() || random_() % 3 == 0) return shape;
    std::vector<int64_t> dims = shape.dims();
    std::vector<bool> bounded(dims.size(), false);
    for (size_t d = 0; d < dims.size(); ++d) {
      if (only != nullptr &&
          std::find(only->begin(), only->end(), static_cast<int64_t>(d)) == only->end()) {
        continue;
      }
      const uint32_t kind = random_() % 4;
      if (kind == 0) continue;
      ++blurred_;
      bounded[d] = kind == 1;
      dims[d] = bounded[d] ? dims[d] + random_() % 3 : Shape::kUnbounded;
    }
    return shape.WithDims(std::move(dims)).WithBoundedDims(std::move(bounded));
  }

  std::mt19937 random_;
  int blurred_ = 0;
};

std::vector<Shape> LeavesOf(const std::vector<Literal>& arguments) {
  std::vector<Shape> leaves;
  for (const Literal& argument : arguments) {
    for (const Shape& leaf : hlo::FlattenShape(argument.shape())) leaves.push_back(leaf);
  }
  return leaves;
}

bool Same(const Literal& a, const Literal& b) {
  if (!a.shape().IsTuple()) return a.shape().IsToken() || a.BitwiseEqual(b);
  for (size_t i = 0; i < a.elements().size(); ++i) {
    if (!Same(a.elements()[i], b.elements()[i])) return false;
  }
  return a.elements().size() == b.elements().size();
}

// Returns what is wrong, or "".
std::string Check(const Module& program, const std::vector<Literal>& arguments,
                  const Module& blurred) {
  hlo::Evaluator evaluator;
  absl::StatusOr<Literal> want = evaluator.Run(program, arguments);
  if (!want.ok()) return absl::StrCat("the program: ", want.status().ToString());
  if (absl::Status s = hlo::VerifyModule(blurred); !s.ok())
    return absl::StrCat("verify: ", s.ToString());
  absl::StatusOr<Literal> got = evaluator.Run(blurred, arguments);
  if (!got.ok()) return absl::StrCat("evaluate: ", got.status().ToString());
  if (!Same(*got, *want)) return "evaluate: other results";
  absl::StatusOr<std::unique_ptr<Module>> made =
      hlo::SpecializeForShapes(blurred, LeavesOf(arguments));
  if (!made.ok()) return absl::StrCat("specialize: ", made.status().ToString());
  if (hlo::NeedsSpecialization(**made)) return "specialize: not static";
  absl::StatusOr<Literal> after = evaluator.Run(**made, arguments);
  if (!after.ok()) return absl::StrCat("specialized: ", after.status().ToString());
  return Same(*after, *want) ? "" : "specialized: other results";
}

TEST(DynamicPrograms, AreWhatTheyAreWithoutSizes) {
  int sizes = 0, failures = 0;
  for (uint32_t seed = 1; seed <= 4000 && failures < 5; ++seed) {
    std::unique_ptr<Module> program = RandomProgram(seed);
    const std::vector<Literal> arguments = RandomArguments(*program, seed);
    std::unique_ptr<Module> blurred = program->Clone();
    Blur blur(seed);
    blur.Run(blurred.get());
    sizes += blur.blurred();
    const std::string wrong = Check(*program, arguments, *blurred);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << wrong << "\n" << hlo_text::Print(*blurred);
  }
  EXPECT_GT(sizes, 20000);
}

}  // namespace
}  // namespace halyard::testing
