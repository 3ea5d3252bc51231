// The parts of WriteBytecode.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_WRITER_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_WRITER_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/mlir/ast.h"
#include "frontend/mlir/bytecode/writer.h"
#include "frontend/stablehlo/vhlo/ops.h"

namespace halyard::stablehlo {

// Returns elements as MLIR keeps them: narrow ones without what is above their bits, and booleans
// packed.
std::string RawElements(const mlir::DenseData& data);
// Returns an attribute in the form in which MLIR reads it.
std::string TextOf(const mlir::Attribute& attribute);
// Returns the bits of an integer type, or 64 for index.
int WidthOf(const mlir::Type* type);

// Encodes types, attributes and locations. Functions return false after recording an error. The
// first error wins.
class VhloEncoder {
 public:
  VhloEncoder(const mlir::Document& document, Version target);

  const absl::Status& status() const { return status_; }
  const Version& target() const { return target_; }
  mlir::BytecodeWriter& out() { return out_; }
  // Sets the op that is being written, at which errors are reported.
  void SetOperation(const mlir::Operation* op) { op_ = op; }

  bool Fail(absl::string_view message);
  // Fails if the target is older than `version`.
  bool Need(const Version& version, absl::string_view what);

  // VHLO's encodings.
  bool Type(const mlir::Type& type, uint64_t* id);
  bool Attribute(const mlir::Attribute& attribute, uint64_t* id);
  uint64_t Boolean(bool value);
  uint64_t Integer(int64_t value, int width = 64);
  uint64_t String(absl::string_view text);
  uint64_t Array(const std::vector<uint64_t>& elements);
  uint64_t EmptyDictionary();
  uint64_t NoneTypeAttribute();
  uint64_t EnumValue(uint8_t code, uint64_t number);
  uint64_t DefaultAccuracy();
  // A tensor of 64-bit integers or of booleans.
  uint64_t IntTensor(const std::vector<int64_t>& dims, const std::vector<int64_t>& values);
  uint64_t BoolTensor(const std::vector<int64_t>& values);

  // The builtin dialect's encodings, which modules and other dialects' ops have.
  bool BuiltinType(const mlir::Type& type, uint64_t* id);
  bool BuiltinAttribute(const mlir::Attribute& attribute, uint64_t* id);
  uint64_t BuiltinString(absl::string_view text);
  // Encodes names with values of either kind, and sorts them.
  uint64_t Dictionary(std::vector<std::pair<std::string, uint64_t>> entries);
  uint64_t Location(const mlir::Location* location, int depth = 0);

 private:
  using Ids = std::vector<uint64_t>;

  uint64_t VhloType(uint64_t code, absl::string_view rest = "");
  uint64_t VhloAttribute(uint64_t code, absl::string_view rest);
  bool NamedType(const mlir::Type& type, uint64_t* id);
  bool TensorType(const mlir::Type& type, uint64_t* id);
  bool QuantizedType(const mlir::Type& type, uint64_t* id);
  bool BufferType(const mlir::Type& type, uint64_t* id);
  bool Types(const std::vector<const mlir::Type*>& types, mlir::ByteBuffer* bytes);
  bool EncodeAttribute(const mlir::Attribute& attribute, uint64_t* id);
  bool EncodeBuiltinAttribute(const mlir::Attribute& attribute, uint64_t* id);
  bool DialectAttribute(const mlir::Attribute& attribute, uint64_t* id);
  bool Accuracy(const mlir::Attribute& attribute, uint64_t* id);
  bool OutputOperandAlias(const mlir::Attribute& attribute, uint64_t* id);
  bool Bounds(const mlir::Attribute& attribute, uint64_t* id);
  bool ReplicaGroupMeshAxes(const mlir::Attribute& attribute, uint64_t* id);
  bool Elements(const mlir::Attribute& attribute, uint64_t* id);
  bool Unconvertible(const mlir::Attribute& attribute, uint64_t* id);
  bool VhloDictionary(const mlir::Attribute& attribute, uint64_t* id);
  bool BuiltinNumber(const mlir::Attribute& attribute, uint64_t* id);
  uint64_t BuiltinSymbol(absl::string_view text);
  bool BuiltinDictionary(const mlir::Attribute& attribute, uint64_t* id);
  bool BuiltinElements(const mlir::Attribute& attribute, uint64_t* id);
  bool BuiltinTypes(const std::vector<const mlir::Type*>& types, mlir::ByteBuffer* bytes);
  uint64_t BuiltinEntry(uint64_t code, const mlir::ByteBuffer& rest);

  const mlir::Document& document_;
  const Version target_;
  mlir::BytecodeWriter out_;
  absl::Status status_;
  const mlir::Operation* op_ = nullptr;
  std::unordered_map<const mlir::Type*, uint64_t> types_;
  std::unordered_map<const mlir::Type*, uint64_t> builtin_types_;
  // Nodes may be used any number of times. Each is encoded once.
  std::unordered_map<const mlir::Attribute*, uint64_t> attributes_;
  std::unordered_map<const mlir::Attribute*, uint64_t> builtin_attributes_;
  std::unordered_map<const mlir::Location*, uint64_t> locations_;
};

// Walks operations.
class VhloWriter {
 public:
  VhloWriter(const mlir::Document& document, Version target);

  absl::StatusOr<std::string> Write();

 private:
  using Named = std::vector<std::pair<std::string, uint64_t>>;
  struct Known {
    mlir::OutValue* value = nullptr;
    bool builtin = false;  // whether its type is a builtin one, and not VHLO's
  };

  bool WriteModule(const mlir::Operation* module, mlir::OutOperation* top);
  bool WriteOperation(const mlir::Operation& op, mlir::OutBlock* block);
  bool WriteVhloOperation(const mlir::Operation& op, mlir::OutBlock* block);
  bool WriteOtherOperation(const mlir::Operation& op, mlir::OutBlock* block);
  bool WriteRegions(const mlir::Operation& op, bool builtin, mlir::OutOperation* out);
  bool WriteResults(const mlir::Operation& op, bool builtin, mlir::OutOperation* out);
  bool WriteOperands(const mlir::Operation& op, bool builtin, mlir::OutBlock* block,
                     mlir::OutOperation* out);
  bool Cast(const mlir::Value& value, bool builtin, mlir::OutBlock* block, mlir::OutValue** result);
  void SetAttributes(Named inherent, Named others, bool properties, mlir::OutOperation* out);

  const VhloOp* RowOf(const mlir::Operation& op);
  bool CheckOperation(const mlir::Operation& op, const VhloOp& row);
  bool CheckNewer(const mlir::Operation& op, const VhloOp& row);
  // Converts the attributes of the row, and those that no row names.
  bool ConvertAttributes(const mlir::Operation& op, const VhloOp& row, Named* inherent,
                         Named* others);
  bool ConvertAttribute(const mlir::Operation& op, const VhloAttribute& attribute, uint64_t* id);
  bool ConvertPresent(const mlir::Operation& op, const VhloAttribute& attribute,
                      const mlir::Attribute& value, uint64_t* id);
  bool ConvertAbsent(const mlir::Operation& op, const VhloAttribute& attribute, uint64_t* id);
  bool ConvertInts(const VhloAttribute& attribute, const mlir::Attribute& value, uint64_t* id);

  const mlir::Document& document_;
  VhloEncoder encoder_;
  std::unordered_map<const mlir::Value*, Known> values_;
};

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_WRITER_H_
