// Shapes and labelled constraints of the elementwise ops.
#include "frontend/hlo/infer/infer.h"

namespace halyard::hlo {
namespace {

// Bits of the element classes that an op takes.
enum Classes : int {
  kBools = 1,
  kSignedInts = 2,
  kUnsignedInts = 4,
  kInts = kSignedInts | kUnsignedInts,
  kFloats = 8,
  kComplexes = 16,
  kAll = 31,
};

int ClassBit(ElementType type) { return 1 << static_cast<int>(ClassOf(type)); }

std::string ClassNames(int classes) {
  static constexpr absl::string_view kNames[] = {"boolean", "signed integer", "unsigned integer",
                                                 "float", "complex"};
  std::string text;
  for (int i = 0; i < 5; ++i) {
    if (classes & (1 << i)) absl::StrAppend(&text, text.empty() ? "" : ", ", kNames[i]);
  }
  return text;
}

absl::Status RequireClasses(const Instruction& inst, int classes) {
  HLO_RETURN_IF_ERROR(RequireArrays(inst));
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    ElementType type = inst.operands[i]->shape.element_type();
    HLO_REQUIRE(ClassBit(type) & classes, absl::StrCat("I", i + 1), "operand ", i, " is ",
                HloName(type), "; the op takes ", ClassNames(classes));
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> Unary(const Instruction& inst, int classes) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, classes));
  return inst.operand(0)->shape.WithDefaultLayout();
}

absl::StatusOr<Shape> Binary(const Instruction& inst, int classes) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, classes));
  const Shape& lhs = inst.operand(0)->shape;
  const Shape& rhs = inst.operand(1)->shape;
  HLO_REQUIRE(ShapesAgree(lhs, rhs), "C1", "operands must have the same type: ", lhs.ToString(),
              " and ", rhs.ToString());
  return MoreSpecificShape(lhs, rhs).WithDefaultLayout();
}

// The recorded shape, which must be an array with the operand's dimensions.
absl::Status RequireGivenDims(const Instruction& inst) {
  HLO_REQUIRE(inst.shape.IsArray(), "C1", "the result must be an array, is ",
              inst.shape.ToString());
  HLO_REQUIRE(DimsAgree(inst.shape, inst.operand(0)->shape), "C1", "the result's dimensions ",
              Listed(inst.shape.dims()), " are not the operand's ",
              Listed(inst.operand(0)->shape.dims()));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferAbs(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, kSignedInts | kFloats | kComplexes));
  Shape shape = inst.operand(0)->shape.WithDefaultLayout();
  return shape.WithElementType(PartType(shape.element_type()));
}

absl::StatusOr<Shape> InferUnaryNumber(const Instruction& inst) {
  return Unary(inst, kInts | kFloats | kComplexes);
}
absl::StatusOr<Shape> InferUnarySigned(const Instruction& inst) {
  return Unary(inst, kSignedInts | kFloats | kComplexes);
}
absl::StatusOr<Shape> InferUnaryFloatOrComplex(const Instruction& inst) {
  return Unary(inst, kFloats | kComplexes);
}
absl::StatusOr<Shape> InferUnaryFloat(const Instruction& inst) { return Unary(inst, kFloats); }
absl::StatusOr<Shape> InferUnaryInteger(const Instruction& inst) { return Unary(inst, kInts); }
absl::StatusOr<Shape> InferUnaryIntegerOrBool(const Instruction& inst) {
  return Unary(inst, kInts | kBools);
}

absl::StatusOr<Shape> InferIsFinite(const Instruction& inst) {
  absl::StatusOr<Shape> shape = Unary(inst, kFloats);
  if (!shape.ok()) return shape;
  return shape->WithElementType(ElementType::kPred);
}

absl::StatusOr<Shape> InferRealImag(const Instruction& inst) {
  absl::StatusOr<Shape> shape = Unary(inst, kFloats | kComplexes);
  if (!shape.ok()) return shape;
  return shape->WithElementType(PartType(shape->element_type()));
}

absl::StatusOr<Shape> InferConvert(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, kAll));
  HLO_RETURN_IF_ERROR(RequireGivenDims(inst));
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferBitcastConvert(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, kAll));
  const Shape& from = inst.operand(0)->shape;
  HLO_REQUIRE(inst.shape.IsArray(), "C1", "the result must be an array, is ",
              inst.shape.ToString());
  ElementType to_type = inst.shape.element_type();
  int from_bits = BitWidth(from.element_type()), to_bits = BitWidth(to_type);
  HLO_REQUIRE(IsComplex(to_type) == IsComplex(from.element_type()), "C2",
              "complex is bitcast only to complex: ", HloName(from.element_type()), " to ",
              HloName(to_type));
  std::vector<Size> dims = SizesOf(from);
  if (to_bits < from_bits) {
    HLO_REQUIRE(from_bits % to_bits == 0, "C1", from_bits, " bits do not split into ", to_bits);
    dims.push_back({from_bits / to_bits});
  } else if (to_bits > from_bits) {
    HLO_REQUIRE(!dims.empty() && SizesAgree(dims.back(), {to_bits / from_bits}), "C1",
                "the last dimension of ", from.ToString(), " does not make up one ",
                HloName(to_type));
    dims.pop_back();
  }
  const Shape shape = ArrayOf(to_type, dims);
  HLO_REQUIRE(DimsAgree(inst.shape, shape), "C1", "the result's dimensions ",
              Listed(inst.shape.dims()), " must be ", Listed(shape.dims()));
  return inst.shape.WithDefaultLayout();
}

absl::StatusOr<Shape> InferReducePrecision(const Instruction& inst) {
  HLO_REQUIRE(inst.GetInt(Attr::kExponentBits) >= 1, "C2", "exponent_bits is ",
              inst.GetInt(Attr::kExponentBits), ", below 1");
  HLO_REQUIRE(inst.GetInt(Attr::kMantissaBits) >= 0, "C3", "mantissa_bits is ",
              inst.GetInt(Attr::kMantissaBits), ", below 0");
  return Unary(inst, kFloats);
}

absl::StatusOr<Shape> InferBinary(const Instruction& inst) { return Binary(inst, kAll); }
absl::StatusOr<Shape> InferBinaryNumber(const Instruction& inst) {
  return Binary(inst, kInts | kFloats | kComplexes);
}
absl::StatusOr<Shape> InferBinaryIntegerOrBool(const Instruction& inst) {
  return Binary(inst, kInts | kBools);
}
absl::StatusOr<Shape> InferBinaryInteger(const Instruction& inst) { return Binary(inst, kInts); }
absl::StatusOr<Shape> InferBinaryFloatOrComplex(const Instruction& inst) {
  return Binary(inst, kFloats | kComplexes);
}

absl::StatusOr<Shape> InferComplex(const Instruction& inst) {
  absl::StatusOr<Shape> shape = Binary(inst, kFloats);
  if (!shape.ok()) return shape;
  if (shape->element_type() == ElementType::kF32) return shape->WithElementType(ElementType::kC64);
  HLO_REQUIRE(shape->element_type() == ElementType::kF64, "I1", "parts must be f32 or f64, are ",
              HloName(shape->element_type()));
  return shape->WithElementType(ElementType::kC128);
}

absl::StatusOr<Shape> InferCompare(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, kAll));
  const Shape& lhs = inst.operand(0)->shape;
  const Shape& rhs = inst.operand(1)->shape;
  HLO_REQUIRE(lhs.element_type() == rhs.element_type(), "C1",
              "element types differ: ", HloName(lhs.element_type()), " and ",
              HloName(rhs.element_type()));
  HLO_REQUIRE(DimsAgree(lhs, rhs), "C2", "shapes differ: ", lhs.ToString(), " and ",
              rhs.ToString());
  const std::string& direction = inst.GetString(Attr::kDirection);
  HLO_REQUIRE(direction == "EQ" || direction == "NE" || direction == "GE" || direction == "GT" ||
                  direction == "LE" || direction == "LT",
              "I3", "no such direction: ", direction);
  if (inst.Has(Attr::kType)) {
    const std::string& type = inst.GetString(Attr::kType);
    bool fits = false;
    switch (ClassOf(lhs.element_type())) {
      case ElementClass::kSigned:
        fits = type == "SIGNED";
        break;
      case ElementClass::kBool:
      case ElementClass::kUnsigned:
        fits = type == "UNSIGNED";
        break;
      case ElementClass::kFloat:
        fits = type == "FLOAT" || type == "TOTALORDER";
        break;
      case ElementClass::kComplex:
        fits = type == "FLOAT";
        break;
    }
    HLO_REQUIRE(fits, "C3", "compare type ", type, " does not fit ", HloName(lhs.element_type()));
  }
  return ArrayOf(ElementType::kPred, SizesOf(MoreSpecificShape(lhs, rhs)));
}

absl::StatusOr<Shape> InferSelect(const Instruction& inst) {
  const Shape& pred = inst.operand(0)->shape;
  const Shape& on_true = inst.operand(1)->shape;
  HLO_REQUIRE(pred.IsArray() && pred.element_type() == ElementType::kPred, "I1",
              "the predicate must be pred, is ", pred.ToString());
  HLO_REQUIRE(ShapesAgree(on_true, inst.operand(2)->shape), "C2",
              "branches differ: ", on_true.ToString(), " and ", inst.operand(2)->shape.ToString());
  HLO_REQUIRE(pred.rank() == 0 || (on_true.IsArray() && DimsAgree(pred, on_true)), "C1",
              "the predicate ", pred.ToString(), " is neither a scalar nor of the shape of ",
              on_true.ToString());
  const Shape shape = MoreSpecificShape(on_true, inst.operand(2)->shape);
  return (pred.rank() == 0 ? shape : MoreSpecificShape(shape, pred)).WithDefaultLayout();
}

absl::StatusOr<Shape> InferClamp(const Instruction& inst) {
  HLO_RETURN_IF_ERROR(RequireClasses(inst, kAll));
  Shape operand = inst.operand(1)->shape;
  for (int i : {0, 2}) {
    const Shape& bound = inst.operand(i)->shape;
    HLO_REQUIRE(bound.rank() == 0 || DimsAgree(bound, operand), i == 0 ? "C1" : "C2",
                i == 0 ? "min " : "max ", bound.ToString(),
                " is neither a scalar nor of the operand's shape ", operand.ToString());
    HLO_REQUIRE(bound.element_type() == operand.element_type(), "C3",
                "element types differ: ", bound.ToString(), " and ", operand.ToString());
    if (bound.rank() > 0) operand = MoreSpecificShape(operand, bound);
  }
  return operand.WithDefaultLayout();
}

}  // namespace halyard::hlo
