// Makes and takes apart the attributes that StableHLO's text gives.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_NODES_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_NODES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

const mlir::Type* MakeIntegerType(mlir::Document& document, absl::string_view name, int width,
                                  size_t offset);
const mlir::Attribute* MakeInteger(mlir::Document& document, int64_t value, size_t offset,
                                   int width = 64);
// array<i64: …>
const mlir::Attribute* MakeInts(mlir::Document& document, const std::vector<int64_t>& values,
                                size_t offset);
// array<i1: …>
const mlir::Attribute* MakeBools(mlir::Document& document, const std::vector<int64_t>& values,
                                 size_t offset);
// #stablehlo.name<word>
const mlir::Attribute* MakeWord(mlir::Document& document, absl::string_view name,
                                absl::string_view word, size_t offset);
// #stablehlo.name<…>, without entries yet.
mlir::Attribute* MakeStruct(mlir::Document& document, absl::string_view name, size_t offset);
const mlir::Attribute* MakeSymbol(mlir::Document& document, absl::string_view name, size_t offset);

// Returns the elements of a tensor or array of integers or booleans. Returns false if it is
// neither, or has more elements than a list of dimensions may have.
bool IntsOf(const mlir::Attribute& attribute, std::vector<int64_t>* values);
// Returns whether it holds elements, all of which are `value`.
bool IsSplat(const mlir::Attribute& attribute, int64_t value);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_NODES_H_
