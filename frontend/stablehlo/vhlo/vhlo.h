// StableHLO programs as MLIR bytecode: portable artifacts (the VHLO dialect, producer
// "StableHLO_vX.Y.Z"), and bytecode of ordinary MLIR modules as JAX writes it.
//
// The format follows MLIR's "MLIR Bytecode Format" document and StableHLO's vhlo.md/bytecode.md.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_VHLO_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_VHLO_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/mlir/ast.h"
#include "frontend/stablehlo/vhlo/version.h"

namespace halyard::stablehlo {

// Returns whether `bytes` begin as MLIR bytecode does.
bool IsBytecode(absl::string_view bytes);

// Reads a portable artifact or plain bytecode into the form that the reader of text returns:
// builtin.module, func.*, stablehlo.* and chlo.* ops with the same attributes. The Document copies
// nothing, so `bytes` must outlive it. A place in errors is "filename:1:N", the Nth byte.
//
// Errors are InvalidArgument for damaged files, and for versions, ops, attributes or types that are
// newer than kNewestVersion. The error names them and the supported versions.
absl::StatusOr<std::unique_ptr<mlir::Document>> ReadBytecode(absl::string_view bytes,
                                                             absl::string_view filename);

// Writes a portable artifact that readers of version `target` and later accept. The document must
// be one that was read without errors, or was built like one. An op, attribute or type that
// `target` lacks is an InvalidArgument error that names it and the version that it needs.
absl::StatusOr<std::string> WriteBytecode(const mlir::Document& document, Version target);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_VHLO_H_
