#include "frontend/stablehlo/stablehlo.h"

#include <utility>

#include "frontend/hlo/op_table.h"
#include "frontend/stablehlo/convert.h"
#include "frontend/stablehlo/syntax.h"
#include "frontend/stablehlo/vhlo.h"

namespace halyard::stablehlo {

absl::StatusOr<std::unique_ptr<hlo::Module>> ParseStableHlo(absl::string_view text,
                                                            absl::string_view filename,
                                                            absl::string_view entry) {
  auto document = IsBytecode(text) ? ReadBytecode(text, filename)
                                   : mlir::ParseMlir(text, filename, StableHloSyntax());
  if (!document.ok()) return document.status();
  return ConvertDocument(**document, entry);
}

absl::StatusOr<std::unique_ptr<hlo::Module>> ConvertDocument(const mlir::Document& document,
                                                             absl::string_view entry) {
  auto module = std::make_unique<hlo::Module>(ModuleName(document));
  Converter converter(document, *module);
  if (!converter.Convert(entry)) return converter.status();
  absl::Status verified = hlo::VerifyModule(*module);
  if (!verified.ok()) return verified;
  module->RemoveUnreachableComputations();
  return module;
}

}  // namespace halyard::stablehlo
