#include "frontend/stablehlo/syntax/syntax.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/syntax/keyword_ops.h"

namespace halyard::stablehlo {
namespace {

// MHLO, from which StableHLO was made, has the same ops in the same forms, and a few of CHLO's.
void AddMhloNames(mlir::Syntax& syntax) {
  for (const auto& [name, hook] : mlir::Syntax(syntax).ops) {
    absl::string_view op = name;
    if (absl::ConsumePrefix(&op, "stablehlo."))
      syntax.short_names[absl::StrCat("mhlo.", op)] = name;
  }
  for (absl::string_view op : kGenericOps) {
    syntax.short_names[absl::StrCat("mhlo.", op)] = absl::StrCat("stablehlo.", op);
  }
  for (absl::string_view op : {"acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh"}) {
    syntax.short_names[absl::StrCat("mhlo.", op)] = absl::StrCat("chlo.", op);
  }
  syntax.type_names["mhlo.token"] = "stablehlo.token";
}

}  // namespace

const mlir::Syntax& StableHloSyntax() {
  static const mlir::Syntax* syntax = [] {
    auto* made = new mlir::Syntax();
    mlir::AddBuiltinOps(*made);
    AddAttributeSyntax(*made);
    AddKeywordOps(*made);
    AddStructuredOps(*made);
    AddShardyOps(*made);
    AddChloOps(*made);
    AddMhloNames(*made);
    return made;
  }();
  return *syntax;
}

}  // namespace halyard::stablehlo
