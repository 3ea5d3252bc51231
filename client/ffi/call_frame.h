// The arguments of a call in the form of XLA's foreign function interface.
#ifndef HALYARD_CLIENT_FFI_CALL_FRAME_H_
#define HALYARD_CLIENT_FFI_CALL_FRAME_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo_text/call_types.h"
#include "frontend/mlir/ast.h"
#include "xla/ffi/api/c_api.h"

namespace halyard::ffi {

// Attributes sorted by name, with everything that they point to.
class Attributes {
 public:
  // Reads a dictionary in MLIR's spelling, or "". Returns Unimplemented for a value for which the
  // interface has no form.
  static absl::StatusOr<std::unique_ptr<Attributes>> Read(absl::string_view dictionary);

  XLA_FFI_Attrs Get();

 private:
  absl::Status Add(std::vector<mlir::NamedAttribute> entries);
  absl::Status AddValue(const mlir::Attribute& value);
  void* Scalar(XLA_FFI_DataType type, const void* bytes, size_t size);
  void* Array(XLA_FFI_DataType type, size_t count, std::vector<std::byte> bytes);

  std::vector<XLA_FFI_AttrType> types_;
  std::vector<XLA_FFI_ByteSpan*> names_;
  std::vector<void*> values_;
  // These are deques, because the addresses of elements must stay the same while they grow.
  std::deque<std::string> texts_;
  std::deque<std::vector<std::byte>> data_;
  std::deque<XLA_FFI_ByteSpan> spans_;
  std::deque<XLA_FFI_Scalar> scalars_;
  std::deque<XLA_FFI_Array> arrays_;
  std::deque<XLA_FFI_Attrs> dictionaries_;
  std::deque<std::unique_ptr<Attributes>> nested_;
};

// The types and attributes of a call, which are the same for all of its runs. Thread-safe.
class CallSite {
 public:
  static absl::StatusOr<std::unique_ptr<CallSite>> Read(const std::string& types,
                                                        absl::string_view attributes);

  // Calls `handler` with these arrays. Copies operands into results that must share their memory.
  absl::Status Call(XLA_FFI_Handler* handler, XLA_FFI_ExecutionStage stage, const void* const* in,
                    void* const* out) const;

 private:
  hlo_text::CallTypes types_;
  std::vector<XLA_FFI_DataType> operand_types_, result_types_;
  std::unique_ptr<Attributes> attributes_;
};

// Checks the version of the interface for which `handler` was compiled. Returns FailedPrecondition
// if that version is not known here.
absl::Status CheckVersion(XLA_FFI_Handler* handler);

}  // namespace halyard::ffi

#endif  // HALYARD_CLIENT_FFI_CALL_FRAME_H_
