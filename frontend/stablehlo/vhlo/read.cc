// The front door for bytecode.
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/mlir/bytecode/format.h"
#include "frontend/mlir/bytecode/reader.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/dialects.h"
#include "frontend/stablehlo/vhlo/vhlo.h"

namespace halyard::stablehlo {
namespace {

// Portable artifacts name their version as their producer: "StableHLO_v1.17.0".
absl::Status CheckProducer(mlir::BytecodeReader& reader) {
  absl::string_view producer = reader.producer();
  Version version;
  if (!absl::ConsumePrefix(&producer, "StableHLO_v") || !SplitVersion(producer, &version) ||
      IsSupported(version)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(reader.document().source.ErrorAt(
      0, absl::StrCat("the file is of StableHLO version ", producer, "; supported are versions ",
                      SupportedVersions())));
}

}  // namespace

bool IsBytecode(absl::string_view bytes) { return absl::StartsWith(bytes, mlir::bytecode::kMagic); }

absl::StatusOr<std::unique_ptr<mlir::Document>> ReadBytecode(absl::string_view bytes,
                                                             absl::string_view filename) {
  auto document = std::make_unique<mlir::Document>(bytes, filename, /*binary=*/true);
  mlir::BytecodeReader reader(*document, StableHloSyntax());
  absl::Status status = reader.ReadHeader();
  if (!status.ok()) return status;
  status = CheckProducer(reader);
  if (!status.ok()) return status;
  VhloDialect vhlo{std::string(reader.producer())};
  StableHloDialect stablehlo;
  ChloDialect chlo;
  ShardyDialect shardy;
  PlainDialect plain;
  reader.AddDialect("vhlo", &vhlo);
  reader.AddDialect("stablehlo", &stablehlo);
  reader.AddDialect("chlo", &chlo);
  reader.AddDialect("sdy", &shardy);
  reader.AddDialect("func", &plain);
  status = reader.Read();
  if (!status.ok()) return status;
  return document;
}

}  // namespace halyard::stablehlo
