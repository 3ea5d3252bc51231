// The result of reading MLIR text: types, attributes, locations and operations, without knowledge
// of any dialect beyond the builtin types. Nodes belong to a Document and point at one another
// freely.
#ifndef HALYARD_FRONTEND_MLIR_AST_H_
#define HALYARD_FRONTEND_MLIR_AST_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "frontend/hlo/values/element_type.h"
#include "frontend/mlir/source.h"

namespace halyard::mlir {

struct Attribute;
struct Location;
struct Operation;
struct Type;

// The size of a dimension written `?`.
inline constexpr int64_t kDynamic = -1;

enum class TypeKind : uint8_t {
  kInteger,    // i32 si32 ui32: `name` holds the spelling, `width` the bits
  kIndex,      // index
  kFloat,      // f32 bf16 f8E4M3FN tf32 …: `name`
  kNone,       // none
  kComplex,    // complex<elements[0]>
  kTensor,     // tensor<dims x elements[0], encoding>
  kUnranked,   // tensor<*xelements[0]>
  kMemRef,     // memref<dims x elements[0], text>: a buffer
  kFuture,     // !stablehlo.future<elements…>
  kTuple,      // tuple<elements…>
  kFunction,   // (elements…) -> (results…)
  kQuantized,  // !quant.uniform<…>: elements = {storage, expressed}, `quant`
  kOpaque,  // !dialect.name<text>: `name` is "dialect.name" (or "dialect"), `text` what is between
            // the brackets
};

// The numbers of !quant.uniform. There is one scale and zero point, or one for each slice of
// `dimension`.
struct QuantParams {
  std::optional<int64_t> storage_min, storage_max;
  std::optional<int64_t> dimension;
  std::vector<double> scales;
  std::vector<int64_t> zero_points;  // as many as scales; 0 if the text leaves it out
};

struct Type {
  TypeKind kind = TypeKind::kNone;
  int depth = 1;       // of nesting, including aliases
  int64_t weight = 1;  // number of nodes, counted as often as they are referenced
  size_t offset = 0;   // in the source, as in every node
  int width = 0;
  std::string name;
  std::string text;
  std::vector<const Type*> elements;
  std::vector<const Type*> results;
  std::vector<int64_t> dims;
  const Attribute* encoding = nullptr;
  std::unique_ptr<QuantParams> quant;

  bool IsTensor() const { return kind == TypeKind::kTensor; }
};

bool SameType(const Type& a, const Type& b);
// MLIR spelling: "tensor<2x?xf32>".
std::string ToString(const Type& type);
// Returns the element type of a scalar type. Quantized types give their storage type, and index
// gives s64. Returns nothing for tf32, odd widths and types that are not scalar.
std::optional<hlo::ElementType> ScalarType(const Type& type);

enum class AttributeKind : uint8_t {
  kUnit,
  kBool,           // boolean
  kInteger,        // integer, type (i64 if not written)
  kFloat,          // number and its bits in `type` (f64 if not written)
  kString,         // text
  kArray,          // elements
  kDictionary,     // entries
  kDenseArray,     // array<i64: 1, 2>: type = element type, data
  kDense,          // dense<…> : type, data
  kDenseResource,  // dense_resource<text> : type, data
  kSymbol,         // @text, with `::@…` parts joined by "::"
  kType,           // type
  kLocation,       // location
  kDialect,  // #dialect.name<…> or #dialect<name …>: `name` = "dialect.name", `text` the rest; or
             // entries (from a hook)
  kOpaque,  // affine_map<…>, affine_set<…>, strided<…>, distinct[…]<…>: `text` as written
};

struct NamedAttribute {
  std::string name;
  const Attribute* value = nullptr;
  size_t offset = 0;
};

// Elements as hlo::Literal stores them (StorageBytes each, row-major). There is only one element if
// `splat`.
struct DenseData {
  hlo::ElementType element_type = hlo::ElementType::kF32;
  int64_t count = 0;  // number of elements of the type, whether or not it is a splat
  bool splat = false;
  std::vector<std::byte> bytes;
};

struct Attribute {
  AttributeKind kind = AttributeKind::kUnit;
  int depth = 1;  // as in Type
  int64_t weight = 1;
  size_t offset = 0;
  bool boolean = false;
  int64_t integer = 0;  // unsigned 64-bit values wrap
  double number = 0;
  uint64_t bits = 0;
  std::string name;
  std::string text;
  const Type* type = nullptr;
  const Location* location = nullptr;
  std::vector<const Attribute*> elements;
  std::vector<NamedAttribute> entries;
  std::shared_ptr<DenseData> data;

  bool Is(AttributeKind k) const { return kind == k; }
};

const Attribute* Find(const std::vector<NamedAttribute>& entries, absl::string_view name);

// MLIR spelling on one line.
std::string ToString(const Attribute& attribute);

// Returns whether the two are equal in meaning, apart from places.
bool SameAttribute(const Attribute& a, const Attribute& b);

struct Location {
  enum class Kind : uint8_t { kUnknown, kFile, kName, kCallSite, kFused, kAlias };
  Kind kind = Kind::kUnknown;
  size_t offset = 0;
  std::string text;  // file name, name, or alias (until it is resolved)
  int line = 0, column = 0;
  // kName has at most one child, kCallSite has the callee and the caller, kFused has any number,
  // and kAlias has the target.
  std::vector<const Location*> children;
};

// An SSA value: result `index` of `owner`, or a block argument if the owner is null.
struct Value {
  const Type* type = nullptr;
  Operation* owner = nullptr;
  int64_t index = 0;
  std::string name;  // as written, without '%'; "" for results without a name
  size_t offset = 0;
  const Location* location = nullptr;
};

struct Block {
  std::string label;
  size_t offset = 0;
  std::vector<std::unique_ptr<Value>> arguments;
  std::vector<std::unique_ptr<Operation>> operations;
};

struct Region {
  size_t offset = 0;
  std::vector<std::unique_ptr<Block>> blocks;
};

struct Operation {
  Operation();
  ~Operation();
  std::string name;  // "stablehlo.add"
  size_t offset = 0;
  std::vector<Value*> operands;
  std::vector<std::unique_ptr<Value>> results;
  std::vector<NamedAttribute>
      attributes;  // properties and attributes in one list; names are unique
  std::vector<Region> regions;
  const Location* location = nullptr;

  const Attribute* Attr(absl::string_view attr_name) const { return Find(attributes, attr_name); }
};

// A whole file. It borrows the text (bytes, if `binary`).
class Document {
 public:
  Document(absl::string_view text, absl::string_view filename, bool binary = false)
      : source(text, filename, binary) {}

  Source source;
  std::vector<std::unique_ptr<Operation>> operations;
  // Documents whose nodes this one uses, for attributes that a binary file holds as text.
  std::vector<std::unique_ptr<Document>> parts;

  Type* NewType(TypeKind kind, size_t offset);
  Attribute* NewAttribute(AttributeKind kind, size_t offset);
  Location* NewLocation(Location::Kind kind, size_t offset);

 private:
  std::deque<Type> types_;
  std::deque<Attribute> attributes_;
  std::deque<Location> locations_;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_AST_H_
