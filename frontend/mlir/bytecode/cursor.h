// Reads the pieces of which MLIR bytecode consists, and checks every length.
#ifndef HALYARD_FRONTEND_MLIR_BYTECODE_CURSOR_H_
#define HALYARD_FRONTEND_MLIR_BYTECODE_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/mlir/source.h"

namespace halyard::mlir {

// The first error wins.
class BytecodeErrors {
 public:
  explicit BytecodeErrors(const Source& source) : source_(source) {}
  bool Fail(size_t offset, absl::string_view message);
  const absl::Status& status() const { return status_; }

 private:
  const Source& source_;
  absl::Status status_;
};

// A span of the file. Functions return false after recording an error.
class ByteCursor {
 public:
  ByteCursor() = default;
  // `begin` is the offset of data[0] in the file.
  ByteCursor(absl::string_view data, size_t begin, BytecodeErrors* errors)
      : data_(data), begin_(begin), errors_(errors) {}

  size_t offset() const { return begin_ + at_; }
  size_t remaining() const { return data_.size() - at_; }
  bool AtEnd() const { return remaining() == 0; }
  bool Fail(absl::string_view message) { return errors_->Fail(offset(), message); }

  bool Byte(uint8_t* value);
  bool VarInt(uint64_t* value);
  bool SignedVarInt(int64_t* value);
  // Reads an integer whose lowest bit is a flag.
  bool FlaggedVarInt(uint64_t* value, bool* flag);
  // Reads how many things, of at least one byte each, follow.
  bool Count(uint64_t* count);
  // Reads a count, and then as many integers.
  bool SignedVarInts(std::vector<int64_t>* values);
  bool Bytes(uint64_t size, absl::string_view* bytes);
  // Reads a size, and then as many bytes.
  bool Blob(absl::string_view* bytes);
  // Reads up to a zero byte, which is skipped.
  bool CString(absl::string_view* text);
  // Skips padding up to a file offset that is a multiple of `alignment`.
  bool Align(uint64_t alignment);
  // Reads the bits of an integer or float whose width, at most 64 bits, is known beforehand.
  bool Bits(int width, uint64_t* bits);
  // Fails if bytes are left.
  bool End(absl::string_view what);

 private:
  absl::string_view data_;
  size_t begin_ = 0;
  size_t at_ = 0;
  BytecodeErrors* errors_ = nullptr;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_BYTECODE_CURSOR_H_
