// Makes the types and attributes of a StableHLO program.
#ifndef HALYARD_FRONTEND_STABLEHLO_WRITE_NODES_H_
#define HALYARD_FRONTEND_STABLEHLO_WRITE_NODES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/attributes.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

using Fields = std::vector<std::pair<absl::string_view, const mlir::Attribute*>>;

class Nodes {
 public:
  explicit Nodes(mlir::Document& document) : document_(document) {}

  const mlir::Type* Scalar(hlo::ElementType type);
  const mlir::Type* TypeOf(const hlo::Shape& shape);
  const mlir::Type* FunctionType(std::vector<const mlir::Type*> inputs,
                                 std::vector<const mlir::Type*> results);

  const mlir::Attribute* Unit();
  const mlir::Attribute* Bool(bool value);
  const mlir::Attribute* Int(int64_t value, int width = 64);
  const mlir::Attribute* F32(double value);
  const mlir::Attribute* String(absl::string_view text);
  const mlir::Attribute* Symbol(absl::string_view name);
  const mlir::Attribute* TypeAttribute(const mlir::Type* type);
  const mlir::Attribute* Array(std::vector<const mlir::Attribute*> elements);
  const mlir::Attribute* Dictionary(const Fields& fields);
  const mlir::Attribute* Ints(const hlo::Ints& values);           // array<i64: …>
  const mlir::Attribute* Bools(const std::vector<bool>& values);  // array<i1: …>
  // Makes dense<…> : tensor<NxMxi64>, M at least `width`. Shorter rows are filled up with -1.
  const mlir::Attribute* Matrix(const hlo::IntLists& rows, size_t width = 0);
  const mlir::Attribute* Indices(const hlo::Ints& values);  // dense<…> : tensor<Nxindex>
  const mlir::Attribute* Dense(const hlo::Literal& value);  // an array
  const mlir::Attribute* Enum(absl::string_view name, absl::string_view word);  // "precision"
  const mlir::Attribute* Struct(absl::string_view name, const Fields& fields);  // "gather"

  const mlir::Location* LocationOf(const hlo::Provenance& provenance);

 private:
  mlir::Attribute* New(mlir::AttributeKind kind) { return document_.NewAttribute(kind, 0); }
  const mlir::Attribute* DenseOfInts(const hlo::Ints& values, const mlir::Type* type);

  mlir::Document& document_;
};

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WRITE_NODES_H_
