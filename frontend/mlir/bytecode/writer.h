// Writes MLIR bytecode: bytes, the tables of the container, and operations. The user decides what
// attributes, types and operations mean.
#ifndef HALYARD_FRONTEND_MLIR_BYTECODE_WRITER_H_
#define HALYARD_FRONTEND_MLIR_BYTECODE_WRITER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace halyard::mlir {

// The opposite of ByteCursor.
class ByteBuffer {
 public:
  void Byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void VarInt(uint64_t value);
  void SignedVarInt(int64_t value);
  void FlaggedVarInt(uint64_t value, bool flag) { VarInt(value << 1 | flag); }
  void SignedVarInts(const std::vector<int64_t>& values);
  void Append(absl::string_view bytes) { bytes_.append(bytes.data(), bytes.size()); }
  void Blob(absl::string_view bytes);
  void CString(absl::string_view text);
  // Writes an integer or float of `width` ≤ 64 bits, which the reader knows.
  void Bits(int width, uint64_t bits);
  void Section(uint8_t id, absl::string_view data);
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline constexpr uint64_t kNoId = UINT64_MAX;

// A value of an operation to be written. Its number is found once all are known.
struct OutValue {
  uint64_t number = 0;
};

struct OutOperation;

struct OutArgument {
  uint64_t type = 0;
  uint64_t location = 0;
  OutValue* value = nullptr;
};

struct OutBlock {
  std::vector<OutArgument> arguments;
  std::vector<std::unique_ptr<OutOperation>> operations;
};

struct OutRegion {
  std::vector<OutBlock> blocks;
  uint64_t values = 0;  // defined in it, without those of inner regions
};

struct OutOperation {
  std::string name;  // with the dialect's
  uint64_t location = 0;
  uint64_t attributes = kNoId;  // a dictionary
  uint64_t properties = kNoId;
  std::vector<uint64_t> types;  // of results
  std::vector<OutValue*> results;
  std::vector<OutValue*> operands;
  std::vector<OutRegion> regions;
  bool isolated = false;  // whether regions use no values from outside
};

class BytecodeWriter {
 public:
  // `version` of the format: 0 to 6.
  explicit BytecodeWriter(uint64_t version) : version_(version) {}

  uint64_t version() const { return version_; }
  uint64_t String(absl::string_view text);
  // Add entries to the tables. Equal entries become one. `text` says that it is MLIR's spelling and
  // not an encoding.
  uint64_t Attribute(absl::string_view dialect, absl::string_view bytes, bool text = false);
  uint64_t Type(absl::string_view dialect, absl::string_view bytes, bool text = false);
  uint64_t Properties(absl::string_view bytes);
  OutValue* NewValue() { return &values_.emplace_back(); }

  // The whole file.
  std::string Finish(absl::string_view producer, OutOperation& top);

 private:
  struct Entry {
    uint64_t dialect;
    std::string bytes;
    bool text;
  };
  struct Table {
    std::vector<Entry> entries;
    absl::flat_hash_map<std::string, uint64_t> ids;
  };

  uint64_t Dialect(absl::string_view name);
  uint64_t AddEntry(Table& table, absl::string_view dialect, absl::string_view bytes, bool text);
  void CollectNames(const OutOperation& op);
  void NumberNames();
  static void NumberValues(OutRegion& region, uint64_t first);
  static void NumberRegions(OutOperation& op, uint64_t first);
  void WriteOperation(const OutOperation& op, ByteBuffer* out) const;
  void WriteRegion(const OutRegion& region, ByteBuffer* out) const;
  void WriteBlock(const OutBlock& block, ByteBuffer* out) const;
  std::string StringSection() const;
  std::string DialectSection();
  static void WriteOffsets(const Table& table, ByteBuffer* offsets, ByteBuffer* data);

  const uint64_t version_;
  std::vector<std::string> strings_;
  absl::flat_hash_map<std::string, uint64_t> string_ids_;
  std::vector<std::string> dialects_;
  Table attributes_;
  Table types_;
  std::vector<std::string> properties_;
  absl::flat_hash_map<std::string, uint64_t> property_ids_;
  std::map<std::string, std::map<std::string, uint64_t>> names_;  // of ops, by dialect
  std::deque<OutValue> values_;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_BYTECODE_WRITER_H_
