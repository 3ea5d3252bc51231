// The names of VHLO's ops, attributes and types in each version, as data.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_OPS_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_OPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "frontend/stablehlo/vhlo/version.h"

namespace halyard::stablehlo {

// How an attribute of a VHLO op stands for one of the StableHLO op (or for a field of one). VHLO
// has no optional attributes. An attribute that StableHLO leaves out has the default given here.
enum class Form : uint8_t {
  kAny,             // the same; required
  kInts,            // tensor ↔ array<i64>
  kIntsOrEmpty,     // default: none
  kIntsOrOnes,      // default: a one for each spatial or window dimension
  kBoolsOrFalse,    // tensor ↔ array<i1>; default: false for each spatial dimension
  kPairsOrZeros,    // N×2 tensor; default: zeros for each spatial or window dimension
  kBool,            // default: false
  kInt,             // default: 0 of type i64
  kInt32,           // default: 0 of type i32
  kIntOrMinusOne,   // default: -1 of type i64
  kString,          // default: ""
  kText,            // the same, but not left out
  kConfig,          // string or dictionary; default: an empty one, which depends on api_version
  kList,            // default: []
  kDictionary,      // default: {}
  kPairList,        // integer tensor; default: an empty one of one dimension
  kPrecision,       // default: [DEFAULT, DEFAULT]
  kComparisonType,  // default: NOTYPE
  kApiVersion,      // enumeration ↔ i32; default: 1
  kAccuracy,        // default: mode DEFAULT, zeros
  kUnit,            // boolean ↔ unit or nothing
  kChannel,         // integer ↔ #stablehlo.channel_handle, whose type is not kept; default: 0
  kChannelId,       // its two fields
  kChannelType,
  kSymbol,     // string ↔ symbol
  kSymbols,    // array of them; default: []
  kFieldInts,  // field of a structure: tensor ↔ array<i64>
  kFieldInt,   // field of a structure: integer
  kAlgorithm,  // field of #stablehlo.dot_algorithm; default: none in all of them
};

struct VhloAttribute {
  std::string name;
  Form form = Form::kAny;
};

struct VhloOp {
  std::string name;    // "dot_general_v2"
  std::string target;  // "stablehlo.dot_general"
  Version first;
  Version last;                           // the newest version if there is no end yet
  std::vector<VhloAttribute> attributes;  // sorted by name, as properties are written
};

// Returns the row of "dot_general_v2", or null if there is none.
const VhloOp* FindVhloOp(absl::string_view name);
// Returns the row for "stablehlo.dot_general" in `version`, or null if there is none.
const VhloOp* FindVhloOp(absl::string_view target, const Version& version);
// Returns the rows of an op from the oldest to the newest, or nothing if there is no such op.
const std::vector<const VhloOp*>& VhloRows(absl::string_view target);
// Every row.
const std::vector<VhloOp>& VhloOps();

// The attribute and the #stablehlo name that the fields of a VHLO op make:
// {"dot_dimension_numbers", "stablehlo.dot"}. Empty for ops that have none.
struct FieldOwner {
  absl::string_view attribute;
  absl::string_view structure;
};
FieldOwner OwnerOfFields(absl::string_view target);

// Returns the version in which attributes and types appeared that came after 0.9.0.
Version AttributeSince(uint64_t code);
Version TypeSince(uint64_t code);

// Codes of attributes.
enum VhloAttributeCode : uint8_t {
  kVhloArray = 1,
  kVhloBoolean = 2,
  kVhloComparisonDirection = 3,
  kVhloComparisonType = 4,
  kVhloApiVersion = 5,
  kVhloDictionary = 6,
  kVhloFftType = 7,
  kVhloFloat = 8,
  kVhloInteger = 9,
  kVhloOutputOperandAlias = 10,
  kVhloPrecision = 11,
  kVhloRngAlgorithm = 12,
  kVhloRngDistribution = 13,
  kVhloString = 14,
  kVhloTensor = 15,
  kVhloTranspose = 16,
  kVhloType = 17,
  kVhloBounds = 18,
  kVhloAccuracyMode = 19,
  kVhloAccuracy = 20,
  kVhloSubAxisInfo = 21,
  kVhloAxisRef = 22,
  kVhloReplicaGroupMeshAxes = 23,
  kVhloMeshAxis = 24,
  kVhloMesh = 25,
};

// Codes of types with parts. VhloTypeName has the others.
enum VhloTypeCode : uint8_t {
  kVhloComplexType = 1,
  kVhloFunctionType = 8,
  kVhloTensorType = 20,
  kVhloTensorTypeWithEncoding = 21,
  kVhloTupleType = 23,
  kVhloQuantizedType = 24,
  kVhloUnrankedTensorType = 25,
  kVhloQuantizedPerAxisType = 30,
  kVhloNoneType = 33,
  kVhloBufferType = 41,
  kVhloFutureType = 42,
};

// Types without parts: returns "f32" for 4 and "stablehlo.token" for 22. Empty for others.
absl::string_view VhloTypeName(uint64_t code);
// Returns -1 if there is none.
int VhloTypeCodeOf(absl::string_view name);

// An enumeration of StableHLO: #stablehlo<precision HIGH>.
struct VhloEnum {
  uint8_t code = 0;                      // of VHLO's attribute
  uint8_t stablehlo_code = 0;            // of StableHLO's own attribute
  absl::string_view name;                // "stablehlo.precision"
  std::vector<absl::string_view> words;  // by number; "" for a number without a word
};
const std::vector<VhloEnum>& VhloEnums();
const VhloEnum* FindVhloEnum(absl::string_view name);
// Returns the number of a word, or -1.
int NumberOfWord(const VhloEnum& row, absl::string_view word);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_OPS_H_
