// result_accuracy: which error a program allows a function to have.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using mlir::Attribute;
using mlir::AttributeKind;

namespace {

// The largest error in units of the last place, which docs/numerics.md states and its tests hold.
// Types narrower than f32 are computed in f32 and rounded.
double ErrorBound(hlo::ElementType type) {
  if (type == hlo::ElementType::kF64) return 4;
  return type == hlo::ElementType::kF32 ? 2 : 1;
}

// Functions of values between -1 and 1.
bool IsBounded(absl::string_view name) {
  return name == "stablehlo.tanh" || name == "stablehlo.sine" || name == "stablehlo.cosine" ||
         name == "stablehlo.logistic";
}

}  // namespace

// Accepts an accuracy that our only implementation of the function has: DEFAULT and HIGHEST, and a
// TOLERANCE that allows its error.
bool Converter::CheckAccuracy(const Operation& op) {
  const Attribute& accuracy = *op.Attr("result_accuracy");
  auto fail = [&](absl::string_view message) {
    return errors_.Fail(accuracy.offset,
                        absl::StrCat("'", op.name, "': result_accuracy: ", message));
  };
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  for (auto [name, to] : {std::pair("atol", &atol), {"rtol", &rtol}}) {
    const Attribute* field = mlir::Find(accuracy.entries, name);
    if (field == nullptr) continue;
    if (!field->Is(AttributeKind::kFloat)) return fail(absl::StrCat(name, " must be a float"));
    *to = field->number;
  }
  if (const Attribute* field = mlir::Find(accuracy.entries, "ulps")) {
    if (!field->Is(AttributeKind::kInteger)) return fail("ulps must be an integer");
    ulps = field->integer;
  }
  const Attribute* mode = mlir::Find(accuracy.entries, "mode");
  const std::string word = mode == nullptr ? "" : mode->text;
  if (word == "DEFAULT" || word == "HIGHEST") {
    if (atol == 0 && rtol == 0 && ulps == 0) return true;
    return fail(absl::StrCat("a tolerance is for mode TOLERANCE, not ", word));
  }
  if (word != "TOLERANCE") return fail("the mode must be DEFAULT, HIGHEST or TOLERANCE");
  if (!(atol >= 0) || !(rtol >= 0) || ulps < 0) return fail("a tolerance cannot be negative");
  auto cannot_run = [&](absl::string_view message) {
    CannotRun(accuracy.offset, absl::StrCat("'", op.name, "': result_accuracy: ", message));
    return true;
  };
  hlo::Shape shape;
  if (op.results.size() != 1 || !ShapeOf(*op.results[0]->type, &shape)) {
    return fail("the operation must have one result");
  }
  if (!shape.IsArray() || !hlo::IsFloat(shape.element_type())) {
    return cannot_run(
        absl::StrCat("no error is known for ", shape.ToString(), ": ask for DEFAULT"));
  }
  const double bound = ErrorBound(shape.element_type());
  // One unit is at most epsilon times the value.
  const double epsilon = std::ldexp(1.0, -hlo::FormatOf(shape.element_type()).mantissa_bits);
  const double allowed =
      static_cast<double>(ulps) + (rtol + (IsBounded(op.name) ? atol : 0)) / epsilon;
  if (allowed >= bound) return true;
  return cannot_run(absl::StrCat("the error may be ", bound,
                                 " units of the last place, which is more than the tolerance"));
}

}  // namespace halyard::stablehlo
