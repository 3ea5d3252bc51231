// Shapes and labelled constraints of the random number ops.
#include "frontend/hlo/values/random.h"

#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// Infers an internal op on 64-bit words, all of whose operands have one shape.
absl::StatusOr<Shape> InferBlock(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  Shape shape = inst.operand(0)->shape;
  for (const Instruction* operand : inst.operands) {
    HLO_REQUIRE(operand->shape.element_type() == ElementType::kU64, "I1", "needs u64, has ",
                operand->shape.ToString());
    HLO_REQUIRE(ShapesAgree(operand->shape, shape), "C1",
                "operands must have the same type: ", operand->shape.ToString(), " and ",
                shape.ToString());
    shape = MoreSpecificShape(shape, operand->shape);
  }
  return shape.WithDefaultLayout();
}

}  // namespace

absl::StatusOr<Shape> InferRng(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  for (int i : {0, 1}) {
    const Shape& shape = inst.operand(i)->shape;
    HLO_REQUIRE(shape.IsScalar() && !IsComplex(shape.element_type()), absl::StrCat("I", i + 1),
                "operand ", i, " must be a scalar of booleans, integers or floats, is ",
                shape.ToString());
  }
  std::optional<bool> normal = IsNormal(inst);
  HLO_REQUIRE(normal.has_value(), "I4",
              "no such distribution: ", inst.GetString(Attr::kDistribution));
  ElementType type = inst.operand(0)->shape.element_type();
  HLO_REQUIRE(inst.operand(1)->shape.element_type() == type, "C1",
              "element types differ: ", HloName(type), " and ",
              HloName(inst.operand(1)->shape.element_type()));
  HLO_REQUIRE(inst.shape.IsArray() && inst.shape.element_type() == type, "C1",
              "the result must be an array of ", HloName(type), ", is ", inst.shape.ToString());
  HLO_REQUIRE(!*normal || IsFloat(type), "C2", "a normal distribution is of floats, not of ",
              HloName(type));
  if (inst.operands.size() == 3) {
    const Shape& counter = inst.operand(2)->shape;
    HLO_REQUIRE(counter.IsScalar() && counter.element_type() == ElementType::kU64, "I3",
                "the state must be u64[], is ", counter.ToString());
  }
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferRngBitGenerator(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  const Shape& state = inst.operand(0)->shape;
  std::optional<BitGenerator> generator = BitGeneratorOf(inst);
  HLO_REQUIRE(generator.has_value(), "I1", "no such algorithm: ", inst.GetString(Attr::kAlgorithm));
  HLO_REQUIRE(state.rank() == 1 && state.element_type() == ElementType::kU64, "I2",
              "the state must be a vector of u64, is ", state.ToString());
  HLO_REQUIRE(inst.shape.IsTuple() && inst.shape.elements().size() == 2, "C1",
              "the result must be a pair of state and bits, is ", inst.shape.ToString());
  HLO_REQUIRE(ShapesAgree(inst.shape.elements()[0], state), "C1", "the resulting state is ",
              inst.shape.elements()[0].ToString(), ", not ", state.ToString());
  const bool three_fry = *generator == BitGenerator::kThreeFry;
  HLO_REQUIRE(SizesAgree(SizeOf(state, 0), {2}) || (!three_fry && state.dim(0) == 3), "C2",
              "the state of ", inst.GetString(Attr::kAlgorithm), " has ",
              three_fry ? "2" : "2 or 3", " words, not ", state.dim(0));
  const Shape& output = inst.shape.elements()[1];
  HLO_REQUIRE(
      output.IsArray() && (IsInteger(output.element_type()) || IsFloat(output.element_type())),
      "O2", "the output must be of integers or floats, is ", output.ToString());
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferThreefryBlock(const Instruction& inst) { return InferBlock(inst); }
absl::StatusOr<Shape> InferPhiloxBlock(const Instruction& inst) { return InferBlock(inst); }

}  // namespace halyard::hlo
