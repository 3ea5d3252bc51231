#include "frontend/stablehlo/stablehlo.h"

#include <utility>

#include "frontend/hlo/ir/op_table.h"
#include "frontend/stablehlo/convert/convert.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/vhlo.h"

namespace halyard::stablehlo {

absl::StatusOr<std::unique_ptr<hlo::Module>> ParseStableHlo(
    absl::string_view text, absl::string_view filename, absl::string_view entry,
    std::vector<std::string>* result_names, const std::vector<std::string>& kept_calls) {
  auto document = IsBytecode(text) ? ReadBytecode(text, filename)
                                   : mlir::ParseMlir(text, filename, StableHloSyntax());
  if (!document.ok()) return document.status();
  return ConvertDocument(**document, entry, result_names, kept_calls);
}

namespace {

// `runnable` receives the reason why a valid module cannot be run.
absl::StatusOr<std::unique_ptr<hlo::Module>> VerifiedModule(const mlir::Document& document,
                                                            absl::string_view entry,
                                                            const std::vector<std::string>& kept,
                                                            absl::Status* runnable,
                                                            std::vector<std::string>* names) {
  auto module = std::make_unique<hlo::Module>(ModuleName(document));
  Converter converter(document, *module, kept);
  if (!converter.Convert(entry)) return converter.status();
  absl::Status verified = hlo::VerifyModule(*module);
  if (!verified.ok()) return verified;
  *runnable = converter.runnable();
  if (names != nullptr) *names = converter.result_names();
  return module;
}

}  // namespace

absl::StatusOr<std::unique_ptr<hlo::Module>> ConvertDocument(
    const mlir::Document& document, absl::string_view entry, std::vector<std::string>* result_names,
    const std::vector<std::string>& kept_calls) {
  absl::Status runnable;
  auto module = VerifiedModule(document, entry, kept_calls, &runnable, result_names);
  if (!module.ok()) return module.status();
  if (!runnable.ok()) return runnable;
  (*module)->RemoveUnreachableComputations();
  return module;
}

absl::StatusOr<EntryShardings> ReadEntryShardings(absl::string_view text,
                                                  absl::string_view filename) {
  auto document = IsBytecode(text) ? ReadBytecode(text, filename)
                                   : mlir::ParseMlir(text, filename, StableHloSyntax());
  if (!document.ok()) return document.status();
  hlo::Module module(ModuleName(**document));
  Converter converter(**document, module);
  if (!converter.Convert("")) return converter.status();
  return converter.shardings();
}

absl::Status VerifyDocument(const mlir::Document& document, absl::string_view entry) {
  absl::Status runnable;
  return VerifiedModule(document, entry, {}, &runnable, nullptr).status();
}

}  // namespace halyard::stablehlo
