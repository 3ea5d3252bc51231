// Parses the pretty forms of the check ops, and reads what an op states.
#include "frontend/stablehlo/syntax/syntax.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/check/ops.h"

namespace halyard::check {
namespace {

using mlir::Attribute;
using mlir::AttributeKind;
using mlir::Operation;
using mlir::Parser;
using mlir::Tok;
using mlir::Type;
using mlir::TypeKind;

// The dialect's defaults, for ops that state no value.
constexpr double kTolerance = 1e-4;
constexpr uint64_t kMaxUlp = 1;
// The values of StableHLO's interpreter for custom calls, which state neither.
constexpr double kCustomCallTolerance = 1e-3;
constexpr uint64_t kCustomCallMaxUlp = 3;

bool AddNumber(Parser& parser, Operation& op, absl::string_view name) {
  const size_t offset = parser.token().offset;
  double value = 0;
  const bool negative = parser.Try('-');
  if ((!parser.Is(Tok::kFloat) && !parser.Is(Tok::kInteger)) ||
      !absl::SimpleAtod(parser.token().text, &value)) {
    return parser.FailHere("expected a number");
  }
  parser.Advance();
  Attribute* attribute = parser.document().NewAttribute(AttributeKind::kFloat, offset);
  attribute->number = negative ? -value : value;
  return parser.Add(&op.attributes, name, attribute, offset);
}

// Parses any unsigned number of 64 bits, and keeps it as the generic form does:
// `18446744073709551615 : ui64`.
bool AddUnsigned(Parser& parser, Operation& op, absl::string_view name) {
  const size_t offset = parser.token().offset;
  const absl::string_view text = parser.token().text;
  uint64_t value = 0;
  if (!parser.Is(Tok::kInteger)) return parser.FailHere("expected an integer of at least 0");
  if (!absl::SimpleAtoi(text, &value) && !absl::SimpleHexAtoi(text, &value)) {
    return parser.FailHere("integer does not fit in 64 bits");
  }
  parser.Advance();
  mlir::Document& document = parser.document();
  Type* type = document.NewType(TypeKind::kInteger, offset);
  type->name = "ui64";
  type->width = 64;
  Attribute* attribute = document.NewAttribute(AttributeKind::kInteger, offset);
  attribute->integer = static_cast<int64_t>(value);
  attribute->type = type;
  return parser.Add(&op.attributes, name, attribute, offset);
}

// Parses `, word = ` if it is there, and sets `*there` to whether it is.
bool OptionalField(Parser& parser, absl::string_view word, bool* there) {
  *there = parser.Try(',');
  return !*there || (parser.ExpectKeyword(word) && parser.Expect('='));
}

bool ParseOperandsOf(Parser& parser, Operation& op, int count) {
  for (int i = 0; i < count; ++i) {
    if (i > 0 && !parser.Expect(',')) return false;
    if (!parser.ParseOperand(&op.operands.emplace_back())) return false;
  }
  return true;
}

// Parses `: T`, the type of all operands, which may follow the type of a number before it:
// `0.1 : f64 : T`.
bool ParseTypeOfOperands(Parser& parser, Operation& op) {
  const Type* type = nullptr;
  size_t offset = parser.token().offset;
  if (!parser.Expect(':') || !parser.ParseType(&type)) return false;
  if (type->kind == TypeKind::kFloat && parser.Is(':')) {
    offset = parser.token().offset;
    if (!parser.Expect(':') || !parser.ParseType(&type)) return false;
  }
  return parser.CheckOperandTypes(op, std::vector<const Type*>(op.operands.size(), type), offset);
}

bool ParseTolerance(Parser& parser, Operation& op) {
  bool there = false;
  return OptionalField(parser, "tolerance", &there) &&
         (!there || AddNumber(parser, op, "tolerance"));
}

bool ParseExpectEq(Parser& parser, Operation& op) {
  return ParseOperandsOf(parser, op, 2) && parser.ParseOptionalDictionary(&op.attributes) &&
         ParseTypeOfOperands(parser, op);
}

bool ParseExpectAlmostEq(Parser& parser, Operation& op) {
  return ParseOperandsOf(parser, op, 2) && ParseTolerance(parser, op) &&
         parser.ParseOptionalDictionary(&op.attributes) && ParseTypeOfOperands(parser, op);
}

// Parses `%a, dense<…> : T`. The constant has the type of the operand.
bool ParseValue(Parser& parser, Operation& op) {
  if (!ParseOperandsOf(parser, op, 1) || !parser.Expect(',')) return false;
  const size_t offset = parser.token().offset;
  const Attribute* value = nullptr;
  return parser.ParseAttribute(&value) && parser.Add(&op.attributes, "value", value, offset);
}

// Parses expect_eq_const, and the ops check.eq and check.almost_eq of the dialect's first versions.
bool ParseExpectEqConst(Parser& parser, Operation& op) {
  return ParseValue(parser, op) && parser.ParseOptionalDictionary(&op.attributes);
}

bool ParseExpectAlmostEqConst(Parser& parser, Operation& op) {
  if (!ParseValue(parser, op) || !ParseTolerance(parser, op)) return false;
  const Type* type = nullptr;
  if (parser.Try(':') && !parser.ParseType(&type)) return false;  // the tolerance's type
  return parser.ParseOptionalDictionary(&op.attributes);
}

bool ParseExpectClose(Parser& parser, Operation& op) {
  if (!ParseOperandsOf(parser, op, 2)) return false;
  for (absl::string_view field : {"max_ulp_difference", "min_ulp_difference"}) {
    bool there = false;
    if (!OptionalField(parser, field, &there)) return false;
    if (there && !AddUnsigned(parser, op, field)) return false;
  }
  const size_t offset = parser.token().offset;
  std::vector<const Type*> types;
  return parser.Expect(':') && parser.ParseOptionalDictionary(&op.attributes) &&
         parser.ParseTypeList(&types) && parser.CheckOperandTypes(op, types, offset);
}

// Parses `%a, probe_id = "p"`.
bool ParseProbed(Parser& parser, Operation& op) {
  if (!ParseOperandsOf(parser, op, 1) || !parser.Expect(',') || !parser.ExpectKeyword("probe_id") ||
      !parser.Expect('=')) {
    return false;
  }
  const size_t offset = parser.token().offset;
  Attribute* probe = parser.document().NewAttribute(AttributeKind::kString, offset);
  return parser.ParseString(&probe->text) && parser.Add(&op.attributes, "probe_id", probe, offset);
}

bool ParseProbe(Parser& parser, Operation& op) {
  if (!ParseProbed(parser, op) || !parser.ParseOptionalDictionary(&op.attributes) ||
      !ParseTypeOfOperands(parser, op)) {
    return false;
  }
  parser.SetResultTypes(op, {op.operands[0]->type});
  return true;
}

bool ParseExpectSerializedEq(Parser& parser, Operation& op) {
  if (!ParseProbed(parser, op)) return false;
  bool there = false;
  if (!OptionalField(parser, "iter", &there)) return false;
  if (there && !AddUnsigned(parser, op, "iteration")) return false;
  return parser.ParseOptionalDictionary(&op.attributes) && ParseTypeOfOperands(parser, op);
}

// Returns the name of a custom call's target, or the name of any other op.
absl::string_view TargetOf(const Operation& op) {
  if (op.name != "stablehlo.custom_call") return op.name;
  const Attribute* target = op.Attr("call_target_name");
  return target != nullptr && target->Is(AttributeKind::kString) ? target->text
                                                                 : absl::string_view();
}

// Reads one op. Errors have a place.
class Reader {
 public:
  Reader(const Operation& op, const mlir::Source& source, absl::string_view name)
      : op_(op), source_(source), name_(name) {}

  absl::StatusOr<Expectation> Read() {
    result_.name = std::string(name_);
    result_.place = source_.Describe(op_.offset);
    absl::Status status = ReadAttributes();
    if (status.ok()) status = ReadTypes();
    if (!status.ok()) return status;
    return std::move(result_);
  }

 private:
  absl::Status Fail(absl::string_view message) const {
    return absl::InvalidArgumentError(
        source_.ErrorAt(op_.offset, absl::StrCat("'", name_, "': ", message)));
  }

  // Returns an attribute of the op, or of a custom call's backend_config.
  const Attribute* Find(absl::string_view name) const {
    if (const Attribute* found = op_.Attr(name)) return found;
    for (absl::string_view config : {"backend_config", "mhlo.backend_config"}) {
      const Attribute* dictionary = op_.Attr(config);
      if (dictionary != nullptr && dictionary->Is(AttributeKind::kDictionary)) {
        if (const Attribute* found = mlir::Find(dictionary->entries, name)) return found;
      }
    }
    return nullptr;
  }

  absl::Status Integer(absl::string_view name, uint64_t* value) const {
    const Attribute* attribute = Find(name);
    if (attribute == nullptr) return absl::OkStatus();
    if (!attribute->Is(AttributeKind::kInteger)) {
      return Fail(absl::StrCat(name, " must be an integer of at least 0"));
    }
    const bool is_unsigned = attribute->type != nullptr && attribute->type->name == "ui64";
    if (attribute->integer < 0 && !is_unsigned) {
      return Fail(absl::StrCat(name, " must be an integer of at least 0"));
    }
    *value = static_cast<uint64_t>(attribute->integer);
    return absl::OkStatus();
  }

  absl::Status ReadKind() {
    using Kind = Expectation::Kind;
    absl::string_view rest = name_;
    rest.remove_prefix(sizeof("check.") - 1);
    const bool custom_call = op_.name == "stablehlo.custom_call";
    const bool first_names = rest == "eq" || rest == "almost_eq";
    wants_value_ = (absl::EndsWith(rest, "_const") || first_names) && op_.operands.size() == 1;
    if (absl::EndsWith(rest, "_const")) rest.remove_suffix(sizeof("_const") - 1);
    if (rest == "eq" && custom_call) {
      // JAX's older tests compare integers and booleans exactly, and everything else approximately.
      const bool exact = op_.operands.empty() || !HasFloats(*op_.operands[0]->type);
      result_.kind = exact ? Kind::kEq : Kind::kAlmostEq;
      result_.tolerance = kTolerance;
    } else if (rest == "expect_eq" || rest == "eq") {
      result_.kind = Kind::kEq;
    } else if (rest == "expect_almost_eq" || rest == "almost_eq") {
      result_.kind = Kind::kAlmostEq;
      result_.tolerance = custom_call ? kCustomCallTolerance : kTolerance;
    } else if (name_ == "check.expect_close") {
      result_.kind = Kind::kClose;
      result_.max_ulp = custom_call ? kCustomCallMaxUlp : kMaxUlp;
    } else if (name_ == "check.expect_serialized_eq") {
      result_.kind = Kind::kSerializedEq;
    } else {
      return Fail("there is no such check");
    }
    return absl::OkStatus();
  }

  // A custom call may return whether the check holds. An op returns nothing.
  absl::Status CheckResults() const {
    if (op_.results.empty()) return absl::OkStatus();
    if (op_.name != "stablehlo.custom_call") return Fail("a check has no results");
    const Type& type = *op_.results[0]->type;
    if (op_.results.size() == 1 && ToString(type) == "tensor<i1>") return absl::OkStatus();
    return Fail("a check gives nothing, or a tensor<i1>");
  }

  absl::Status ReadAttributes() {
    if (absl::Status s = ReadKind(); !s.ok()) return s;
    if (absl::Status s = CheckResults(); !s.ok()) return s;
    if (const Attribute* tolerance = Find("tolerance")) {
      if (!tolerance->Is(AttributeKind::kFloat) || !(tolerance->number >= 0)) {
        return Fail("tolerance must be a number of at least 0");
      }
      result_.tolerance = tolerance->number;
    }
    uint64_t iteration = 0;
    for (auto [name, value] : {std::pair("max_ulp_difference", &result_.max_ulp),
                               {"min_ulp_difference", &result_.min_ulp},
                               {"iter", &iteration},
                               {"iteration", &iteration}}) {
      if (absl::Status s = Integer(name, value); !s.ok()) return s;
    }
    result_.iteration = static_cast<int64_t>(iteration);
    if (result_.kind != Expectation::Kind::kSerializedEq) return absl::OkStatus();
    const Attribute* probe = Find("probe_id");
    if (probe == nullptr || !probe->Is(AttributeKind::kString) || probe->text.empty()) {
      return Fail("probe_id must be a string");
    }
    result_.probe = probe->text;
    return absl::OkStatus();
  }

  absl::Status ReadTypes() {
    const size_t wanted = wants_value_ || result_.kind == Expectation::Kind::kSerializedEq ? 1 : 2;
    if (op_.operands.size() != wanted) {
      return Fail(absl::StrCat("expected ", wanted, " operands, got ", op_.operands.size()));
    }
    const Type& type = *op_.operands[0]->type;
    if (!type.IsTensor()) return Fail(absl::StrCat(ToString(type), " is no tensor"));
    result_.type = ToString(type);
    if (wanted == 2 && !Compatible(type, *op_.operands[1]->type)) {
      return Fail(absl::StrCat("the operands' types differ: ", result_.type, ", ",
                               ToString(*op_.operands[1]->type)));
    }
    if ((result_.kind == Expectation::Kind::kAlmostEq ||
         result_.kind == Expectation::Kind::kClose) &&
        !HasFloats(type)) {
      return Fail(absl::StrCat("the operands must be floats or complex, are ", result_.type));
    }
    return wants_value_ ? ReadValue(type) : absl::OkStatus();
  }

  // Sizes that are known only at run time are compared at run time.
  static bool SizesMayAgree(const Type& a, const Type& b) {
    if (!a.IsTensor() || !b.IsTensor() || a.dims.size() != b.dims.size()) return false;
    for (size_t i = 0; i < a.dims.size(); ++i) {
      if (a.dims[i] != b.dims[i] && a.dims[i] != mlir::kDynamic && b.dims[i] != mlir::kDynamic) {
        return false;
      }
    }
    return true;
  }

  static bool HasFloats(const Type& type) {
    const TypeKind element = type.IsTensor() ? type.elements[0]->kind : type.kind;
    return element == TypeKind::kFloat || element == TypeKind::kComplex;
  }

  static bool Compatible(const Type& a, const Type& b) {
    return SizesMayAgree(a, b) && mlir::SameType(*a.elements[0], *b.elements[0]);
  }

  absl::Status ReadValue(const Type& type) {
    const Attribute* value = Find("value");
    if (value == nullptr || value->data == nullptr || value->type == nullptr) {
      return Fail("attribute 'value' must be a dense constant");
    }
    // A constant of a quantized type holds the stored integers.
    const bool quantized = type.elements[0]->kind == TypeKind::kQuantized;
    const Type& given = *value->type;
    const bool same = quantized
                          ? SizesMayAgree(type, given) && mlir::ScalarType(*given.elements[0]) ==
                                                              mlir::ScalarType(*type.elements[0])
                          : Compatible(type, given);
    if (!same) {
      return Fail(
          absl::StrCat("the operand is ", result_.type, ", the constant ", ToString(given)));
    }
    const mlir::DenseData& data = *value->data;
    result_.dims = given.dims;
    result_.splat = data.splat;
    result_.constant =
        hlo::Literal::FromBytes(data.splat ? hlo::Shape::Scalar(data.element_type)
                                           : hlo::Shape::Array(data.element_type, given.dims),
                                data.bytes);
    return absl::OkStatus();
  }

  const Operation& op_;
  const mlir::Source& source_;
  const absl::string_view name_;
  Expectation result_;
  bool wants_value_ = false;
};

}  // namespace

const mlir::Syntax& CheckSyntax() {
  static const auto* syntax = [] {
    auto* all = new mlir::Syntax(stablehlo::StableHloSyntax());
    all->ops["check.eq"] = ParseExpectEqConst;
    all->ops["check.almost_eq"] = ParseExpectEqConst;
    all->ops["interpreter.probe"] = ParseProbe;
    all->ops["check.expect_eq"] = ParseExpectEq;
    all->ops["check.expect_eq_const"] = ParseExpectEqConst;
    all->ops["check.expect_almost_eq"] = ParseExpectAlmostEq;
    all->ops["check.expect_almost_eq_const"] = ParseExpectAlmostEqConst;
    all->ops["check.expect_close"] = ParseExpectClose;
    all->ops["check.expect_serialized_eq"] = ParseExpectSerializedEq;
    return all;
  }();
  return *syntax;
}

bool IsCheckOp(const Operation& op, std::string* name) {
  const absl::string_view target = TargetOf(op);
  if (!absl::StartsWith(target, "check.")) return false;
  *name = std::string(target);
  return true;
}

absl::StatusOr<Expectation> ReadExpectation(const Operation& op, const mlir::Source& source) {
  std::string name;
  if (!IsCheckOp(op, &name)) {
    return absl::InternalError(source.ErrorAt(op.offset, "this is no check"));
  }
  return Reader(op, source, name).Read();
}

}  // namespace halyard::check
