#include "lowering/numerics/strict_ptx.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace halyard::lowering::numerics {
namespace {

// `fma.rn.f32 d, a, b, c;` as two instructions by way of a register of its own.
std::string SplitFma(absl::string_view operands, absl::string_view type) {
  const std::vector<absl::string_view> parts = absl::StrSplit(operands, absl::ByAnyChar(",;"));
  if (parts.size() < 4) return absl::StrCat("\tfma.rn.", type, operands);
  auto part = [&](int i) { return absl::StripAsciiWhitespace(parts[i]); };
  return absl::StrCat("\tmul.rn.", type, " \t%strict_", type, ", ", part(1), ", ", part(2), ";\n\tadd.rn.", type, " \t", part(0),
                      ", %strict_", type, ", ", part(3), ";");
}

std::string StrictLine(absl::string_view line) {
  const absl::string_view code = absl::StripLeadingAsciiWhitespace(line);
  for (absl::string_view type : {"f32", "f64"}) {
    const std::string fma = absl::StrCat("fma.rn.", type);
    if (absl::StartsWith(code, fma)) return SplitFma(code.substr(fma.size()), type);
    for (absl::string_view op : {"mul", "add", "sub"}) {
      const std::string plain = absl::StrCat(op, ".", type);
      if (absl::StartsWith(code, plain)) return absl::StrCat("\t", op, ".rn.", type, code.substr(plain.size()));
    }
  }
  // floor and ceil come as cvt with .ftz, which would lose denormals.
  return absl::StrReplaceAll(line, {{".ftz", ""}});
}

}  // namespace

std::string StrictPtx(absl::string_view ptx) {
  std::string result;
  for (absl::string_view line : absl::StrSplit(ptx, '\n')) {
    absl::StrAppend(&result, StrictLine(line), "\n");
    // A function's body opens with a brace of its own line.
    if (line == "{") absl::StrAppend(&result, "\t.reg .f32 %strict_f32;\n\t.reg .f64 %strict_f64;\n");
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace halyard::lowering::numerics
