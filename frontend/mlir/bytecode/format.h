// Numbers of the MLIR bytecode format, from its public document.
#ifndef HALYARD_FRONTEND_MLIR_BYTECODE_FORMAT_H_
#define HALYARD_FRONTEND_MLIR_BYTECODE_FORMAT_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace halyard::mlir::bytecode {

inline constexpr absl::string_view kMagic = "ML\xefR";
inline constexpr uint8_t kPadding = 0xCB;

// What each version of the format introduced.
inline constexpr uint64_t kDialectVersions = 1;       // dialects may carry a version
inline constexpr uint64_t kIsolatedSections = 2;      // isolated regions are sections of their own
inline constexpr uint64_t kUseListOrders = 3;         // orders of uses are kept
inline constexpr uint64_t kOptionalArgLocations = 4;  // arguments may lack a location
inline constexpr uint64_t kProperties = 5;            // ops have properties beside attributes
inline constexpr uint64_t kNewestVersion = 6;

enum Section : uint8_t {
  kStringSection = 0,
  kDialectSection = 1,
  kAttrTypeSection = 2,
  kAttrTypeOffsetSection = 3,
  kIrSection = 4,
  kResourceSection = 5,
  kResourceOffsetSection = 6,
  kDialectVersionSection = 7,
  kPropertiesSection = 8,
  kSectionCount = 9,
};

// Parts that an operation has.
enum OpMask : uint8_t {
  kHasAttributes = 0x01,
  kHasResults = 0x02,
  kHasOperands = 0x04,
  kHasSuccessors = 0x08,
  kHasRegions = 0x10,
  kHasUseListOrders = 0x20,
  kHasProperties = 0x40,
};

enum ResourceKind : uint8_t { kBlobResource = 0, kBoolResource = 1, kStringResource = 2 };

// The builtin dialect's attributes.
enum BuiltinAttribute : uint8_t {
  kArrayAttr = 0,
  kDictionaryAttr = 1,
  kStringAttr = 2,
  kStringAttrWithType = 3,
  kFlatSymbolRefAttr = 4,
  kSymbolRefAttr = 5,
  kTypeAttr = 6,
  kUnitAttr = 7,
  kIntegerAttr = 8,
  kFloatAttr = 9,
  kCallSiteLoc = 10,
  kFileLineColLoc = 11,
  kFusedLoc = 12,
  kFusedLocWithMetadata = 13,
  kNameLoc = 14,
  kUnknownLoc = 15,
  kDenseResourceElementsAttr = 16,
  kDenseArrayAttr = 17,
  kDenseIntOrFpElementsAttr = 18,
  kDenseStringElementsAttr = 19,
  kSparseElementsAttr = 20,
  kDistinctAttr = 21,
  kFileLineColRange = 22,
};

// The types, except for floats (see BuiltinFloatName).
enum BuiltinType : uint8_t {
  kIntegerType = 0,
  kIndexType = 1,
  kFunctionType = 2,
  kComplexType = 9,
  kNoneType = 12,
  kRankedTensorType = 13,
  kRankedTensorTypeWithEncoding = 14,
  kTupleType = 15,
  kUnrankedTensorType = 18,
};

// A dimension without a size.
inline constexpr int64_t kDynamicSize = INT64_MIN;

// Returns the float types among the builtin types' codes: "f32" for 5. Empty for other codes.
absl::string_view BuiltinFloatName(uint64_t code);
// Returns -1 if there is no such float type.
int BuiltinFloatCode(absl::string_view name);

}  // namespace halyard::mlir::bytecode

#endif  // HALYARD_FRONTEND_MLIR_BYTECODE_FORMAT_H_
