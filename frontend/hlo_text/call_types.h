// The types of a typed custom call's operands and results, as the function that is called sees
// them.
//
// A plan keeps of a call its target and its configuration alone, so the types travel as the first
// entry of the configuration, which is a dictionary: `{halyard.types = "…", other = 1 : i64}`.
#ifndef HALYARD_FRONTEND_HLO_TEXT_CALL_TYPES_H_
#define HALYARD_FRONTEND_HLO_TEXT_CALL_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_text {

// Arrays only: tuples are flattened, and tokens left out. Dimensions are the program's; the layout
// says in which order the function wants the elements.
struct CallTypes {
  std::vector<hlo::Shape> operands, results;
  std::vector<int64_t> aliases;  // by result: the operand whose memory it must share, or -1

  bool IsRowMajor() const;
};

// Returns whether the function is called with types and attributes (API_VERSION_TYPED_FFI). No
// function is called for annotations.
bool IsTypedCall(const hlo::Instruction& custom_call);

// InvalidArgument if what the call says about layouts or aliases cannot be read.
absl::StatusOr<CallTypes> TypesOf(const hlo::Instruction& typed_call);

// Dimensions of an array from the slowest to the fastest.
std::vector<int64_t> MajorToMinor(const hlo::Shape& array);
std::vector<int64_t> InversePermutation(const std::vector<int64_t>& permutation);
// Returns the row-major type of the array's elements in the order of its layout; also of leaves.
hlo::Shape InMemory(const hlo::Shape& shape);

// `f32[2,3]{0,1},s32[]->f32[2,3]{1,0}@0`: result 0 shares the memory of operand 0.
std::string ToString(const CallTypes& types);
bool ReadCallTypes(const std::string& text, CallTypes* types);

// Returns the configuration with the types. One that is not a dictionary stays as it is.
std::string AddTypes(absl::string_view config, const CallTypes& types);
// Takes the types, as text, out of the configuration. Returns "" if they are not there.
std::string TakeTypes(std::string* config);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_CALL_TYPES_H_
