// Verifies a StableHLO program given as text.
#ifndef HALYARD_TESTS_FRONTEND_STABLEHLO_VERIFY_TEXT_H_
#define HALYARD_TESTS_FRONTEND_STABLEHLO_VERIFY_TEXT_H_

#include <string>

#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {

// Returns the error, or "".
inline std::string Verify(const std::string& text) {
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  if (!document.ok()) return std::string(document.status().message());
  return std::string(VerifyDocument(**document).message());
}

}  // namespace halyard::stablehlo

#endif  // HALYARD_TESTS_FRONTEND_STABLEHLO_VERIFY_TEXT_H_
