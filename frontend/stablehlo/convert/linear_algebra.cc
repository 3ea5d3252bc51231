// fft, cholesky, triangular_solve.
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::Opcode;

bool Converter::ConvertFft(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  std::string type;
  hlo::Ints length;
  if (!reader.Word("fft_type", "fft_type", &type) || !reader.Ints("fft_length", &length))
    return false;
  hlo::AttrMap attrs;
  attrs.Set(Attr::kFftType, type);
  attrs.Set(Attr::kFftLength, length);
  return Plain(op, frame, Opcode::kFft, std::move(attrs));
}

bool Converter::ConvertCholesky(const Operation& op, Frame& frame) {
  bool lower = false;
  if (!OpReader(op, errors_).Flag("lower", &lower)) return false;
  hlo::AttrMap attrs;
  if (lower) attrs.Set(Attr::kLower, true);
  return Plain(op, frame, Opcode::kCholesky, std::move(attrs));
}

bool Converter::ConvertTriangularSolve(const Operation& op, Frame& frame) {
  OpReader reader(op, errors_);
  hlo::AttrMap attrs;
  constexpr std::pair<const char*, Attr> kFlags[] = {{"left_side", Attr::kLeftSide},
                                                     {"lower", Attr::kLower},
                                                     {"unit_diagonal", Attr::kUnitDiagonal}};
  for (const auto& [name, attr] : kFlags) {
    bool flag = false;
    if (op.Attr(name) == nullptr)
      return Fail(op, absl::StrCat("attribute '", name, "' is missing"));
    if (!reader.Flag(name, &flag)) return false;
    if (flag) attrs.Set(attr, true);
  }
  std::string transpose;
  if (!reader.Word("transpose_a", "transpose", &transpose)) return false;
  attrs.Set(Attr::kTransposeA, transpose);
  return Plain(op, frame, Opcode::kTriangularSolve, std::move(attrs));
}

}  // namespace halyard::stablehlo
