// The encodings that dialects in StableHLO files define themselves.
#ifndef HALYARD_FRONTEND_STABLEHLO_VHLO_DIALECTS_H_
#define HALYARD_FRONTEND_STABLEHLO_VHLO_DIALECTS_H_

#include <string>

#include "frontend/mlir/bytecode/reader.h"
#include "frontend/stablehlo/vhlo/ops.h"

namespace halyard::stablehlo {

// VHLO, whose ops become those of StableHLO and func.
class VhloDialect : public mlir::BytecodeDialect {
 public:
  // `written_by` is for messages: "StableHLO_v1.17.0".
  explicit VhloDialect(std::string written_by) : written_by_(std::move(written_by)) {}
  bool ReadAttribute(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                     const mlir::Attribute** attribute) override;
  bool ReadType(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                const mlir::Type** type) override;
  bool ReadProperties(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                      mlir::Operation& op) override;
  bool FinishOperation(mlir::BytecodeReader& reader, mlir::Operation& op,
                       const mlir::Operation* parent) override;

 private:
  bool Unknown(mlir::BytecodeReader& reader, size_t offset, absl::string_view what) const;

  std::string written_by_;
};

// Dialects whose ops are read as they are, with properties by the table in dialect_properties.cc.
class PlainDialect : public mlir::BytecodeDialect {
 public:
  bool ReadProperties(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                      mlir::Operation& op) override;
};

// StableHLO's own attributes and types, in modules that are not portable artifacts.
class StableHloDialect : public PlainDialect {
 public:
  bool ReadAttribute(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                     const mlir::Attribute** attribute) override;
  bool ReadType(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                const mlir::Type** type) override;
};

// CHLO's own attributes.
class ChloDialect : public PlainDialect {
 public:
  bool ReadAttribute(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                     const mlir::Attribute** attribute) override;
};

// Shardy: shardings and meshes.
class ShardyDialect : public PlainDialect {
 public:
  bool ReadAttribute(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                     const mlir::Attribute** attribute) override;
};

// Reads an attribute that becomes part of another one's text: a string, a symbol, a tensor, a
// dialect's attribute, or a list of these. Charges for the text that it may take.
bool ReadPart(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes, const mlir::Attribute** part);
bool ReadOptionalPart(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                      const mlir::Attribute** part);
bool ReadParts(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
               std::vector<const mlir::Attribute*>* parts);
bool ChargePart(mlir::BytecodeReader& reader, size_t offset, const mlir::Attribute& part);

// Reads parts that VHLO and StableHLO encode in the same way.
bool ReadEnum(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes, const VhloEnum& row,
              const mlir::Attribute** attribute);
bool ReadBounds(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                const mlir::Attribute** attribute);
bool ReadOutputOperandAlias(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                            const mlir::Attribute** attribute);
bool ReadAccuracy(mlir::BytecodeReader& reader, mlir::ByteCursor& bytes,
                  const mlir::Attribute** attribute);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_VHLO_DIALECTS_H_
