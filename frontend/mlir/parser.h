// Reads MLIR text: types, attributes, aliases, locations, regions, and operations in generic form,
// and also module, func.func, func.call and return. Hooks that the user of the reader registers
// read other pretty forms.
//
// Inside the reader and in hooks, every function returns false after it has recorded an error. The
// first error wins, and ParseMlir returns it as an absl::InvalidArgumentError "file:line:col:
// error: …".
#ifndef HALYARD_FRONTEND_MLIR_PARSER_H_
#define HALYARD_FRONTEND_MLIR_PARSER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/mlir/ast.h"
#include "frontend/mlir/lexer.h"

namespace halyard::mlir {

class Parser;

// Reads what follows the op's name in a pretty form (op.name and op.offset are set), up to the
// location but without it. Must give the op the types of its results by Parser::SetResultTypes.
using OpHook = bool (*)(Parser& parser, Operation& op);
// Reads the body of `#name<…>` (after '<', and up to '>' but without it) into `attribute`, whose
// kind is kDialect.
using AttributeHook = bool (*)(Parser& parser, Attribute& attribute);

struct Syntax {
  absl::flat_hash_map<std::string, OpHook> ops;  // by full name
  absl::flat_hash_map<std::string, AttributeHook>
      attributes;  // "stablehlo.gather", or "stablehlo" for #stablehlo<…>
  // Other names of ops: "call" → "func.call", and with a dialect "mhlo.add" → "stablehlo.add",
  // which also applies to the generic form; and other names of types: "mhlo.token" →
  // "stablehlo.token".
  absl::flat_hash_map<std::string, std::string> short_names;
  absl::flat_hash_map<std::string, std::string> type_names;
};

// `text` must outlive the Document.
absl::StatusOr<std::unique_ptr<Document>> ParseMlir(absl::string_view text,
                                                    absl::string_view filename,
                                                    const Syntax& syntax);

// Adds module, func.func, func.call, call, func.return and return.
void AddBuiltinOps(Syntax& syntax);

// The pretty form of a terminator: `[%a, … ] {…} [: t, …]`.
bool ParseReturn(Parser& parser, Operation& op);

class Parser {
 public:
  Parser(Document& document, const Syntax& syntax);

  absl::Status ParseDocument();
  // After pieces of a text without operations: fails unless all of the text has been read.
  bool Finish();

  Document& document() { return document_; }
  const absl::Status& status() const { return status_; }

  // Errors.
  bool Fail(size_t offset, absl::string_view message);
  bool FailHere(absl::string_view message);  // at the current token

  // Tokens.
  const Token& token() const { return token_; }
  bool Is(Tok kind) const { return token_.kind == kind; }
  bool Is(char c) const { return token_.kind == Punct(c); }
  bool IsKeyword(absl::string_view word) const { return Is(Tok::kBareId) && token_.text == word; }
  void Advance();
  bool Try(char c);
  bool Try(Tok kind);
  bool TryKeyword(absl::string_view word);
  bool Expect(char c);
  bool Expect(Tok kind, absl::string_view what);
  bool ExpectKeyword(absl::string_view word);
  // Parses `open item, item … close` and calls `item` for each. An empty list is allowed.
  template <typename Item>
  bool ParseList(char open, char close, Item item) {
    if (!Expect(open)) return false;
    if (Try(close)) return true;
    do {
      if (!item()) return false;
    } while (Try(','));
    return Expect(close);
  }

  // Pieces.
  bool ParseType(const Type** type);
  bool ParseTypeList(std::vector<const Type*>* types);         // t, t
  bool ParseFunctionResults(std::vector<const Type*>* types);  // t | (t, t)
  // `(t, t) -> r` into both lists.
  bool ParseFunctionType(std::vector<const Type*>* inputs, std::vector<const Type*>* results);
  bool ParseAttribute(const Attribute** attribute);
  bool ParseAttributeDictionary(std::vector<NamedAttribute>* entries);  // {a = 1, b}
  bool ParseOptionalDictionary(std::vector<NamedAttribute>* entries);   // the same, or nothing
  bool ParseInteger(int64_t* value);                                    // [-]12
  bool ParseInt64Array(const Attribute** attribute);  // [1, 2] as array<i64: 1, 2>
  bool ParseName(std::string* name);                  // bare word
  // Reads raw text up to the bracket `close` that matches, but without it. Brackets in the text
  // must be balanced.
  bool SkipBalanced(char close, absl::string_view* text);
  bool ParseString(std::string* value);
  bool ParseSymbol(const Attribute** attribute);
  bool ParseOperand(Value** value);
  bool ParseOperands(std::vector<Value*>* values);  // %a, %b; at least one
  bool ParseRegion(Region* region);
  // Parses a region whose entry block's arguments were read elsewhere.
  bool ParseRegion(Region* region, std::unique_ptr<Block> entry);
  // Parses a region that does not see names defined outside.
  bool ParseIsolatedRegion(Region* region, std::unique_ptr<Block> entry = nullptr);
  bool ParseLocation(const Location** location);          // loc(…)
  bool ParseOptionalLocation(const Location** location);  // loc(…) or nothing
  bool ParseBlockArguments(Block* block);                 // (%a: t loc(…), …)

  // Building.
  const Attribute* MakeInteger(int64_t value, size_t offset);
  const Attribute* MakeInt64Array(const std::vector<int64_t>& values, size_t offset);
  const Attribute* MakeEnum(absl::string_view name, absl::string_view word,
                            size_t offset);  // #stablehlo<name word>
  const Attribute* MakeArray(std::vector<const Attribute*> elements, size_t offset);
  bool Add(std::vector<NamedAttribute>* entries, absl::string_view name, const Attribute* value,
           size_t offset);
  void SetResultTypes(Operation& op, const std::vector<const Type*>& types);
  // Parses `(t, …) -> r`, checks it against the operands, and sets the results.
  bool ParseOpFunctionType(Operation& op);
  // Checks that the operands have these types.
  bool CheckOperandTypes(const Operation& op, const std::vector<const Type*>& types, size_t offset);

 private:
  friend class Nesting;
  struct ValueGroup {
    std::vector<Value*> values;
    size_t offset = 0;
  };
  struct Scope {
    absl::flat_hash_map<std::string, ValueGroup> values;
    bool isolated = false;  // names of outer scopes are not visible
  };
  struct ResultName {
    std::string name;
    int64_t count = 1;
    size_t offset = 0;
  };

  // parser.cc
  void Rewind(size_t offset);
  bool ParseTopLevel();
  bool ParseTypeAlias();
  bool ParseAttributeAlias();
  bool ParseFileMetadata();
  bool ParseResourceGroup(int level);
  bool ResolveResources();
  bool ResolveLocations();
  bool Weigh(Type* type);
  bool Weigh(Attribute* attribute);

  // parse_type.cc
  bool ParseTensorType(size_t offset, const Type** type);
  bool ParseMemRefType(Type* type);
  bool ParseFutureType(Type* type);
  bool ParseElementType(Type* type);
  bool ParseDimensions(std::vector<int64_t>* dims);
  bool ParseDialectType(const Type** type);
  bool ParseQuantizedType(Type* type);
  bool ParseQuantStorage(Type* type, QuantParams* quant);
  bool ParseQuantScale(QuantParams* quant);
  bool ParseNumber(double* value);
  bool ParseNamedType(const Type** type);
  bool ParseWrappedTypes(Type* type, int count);

  // parse_attribute.cc
  bool ParseAttributeInner(Attribute** attribute);
  bool ParseWordAttribute(Attribute** attribute);
  bool ParseHashAttribute(Attribute** attribute);
  bool ParseNumberAttribute(Attribute** attribute);
  bool ParseNumberOfType(Attribute* attribute, const Token& number, bool negative,
                         const Type* type);
  bool ParseRawBody(Attribute* attribute);

  // parse_dense.cc
  struct DenseReader;
  bool ParseDense(Attribute** attribute);
  bool ParseDenseArray(Attribute** attribute);
  bool ParseDenseResource(Attribute** attribute);
  bool DenseType(const Type* type, size_t offset, DenseData* data);
  bool ParseDenseElement(hlo::ElementType type, std::vector<std::byte>* bytes);
  bool ParseDensePart(hlo::ElementType type, std::vector<std::byte>* bytes);
  bool ParseDenseList(const std::vector<int64_t>& dims, size_t depth, hlo::ElementType type,
                      std::vector<std::byte>* bytes);
  bool ParseDenseBlob(DenseData* data);
  bool DecodeBlob(absl::string_view hex, size_t offset, DenseData* data, bool resource);

  // parse_location.cc
  bool ParseLocationInner(const Location** location);
  bool ParseStringLocation(Location* location);

  // parse_operation.cc
  bool ParseOperation(std::vector<std::unique_ptr<Operation>>* operations);
  bool ParseResultNames(std::vector<ResultName>* names);
  bool ParseGenericOperation(Operation& op);
  bool ParsePrettyOperation(Operation& op);
  bool DefineResults(Operation& op, const std::vector<ResultName>& names);
  bool ParseBlock(Block* block);
  bool ParseRegionBody(Region* region, std::unique_ptr<Block> entry, bool isolated);
  bool Define(const std::string& name, std::vector<Value*> values, size_t offset);
  ValueGroup* Lookup(const std::string& name);

  Document& document_;
  const Syntax& syntax_;
  Lexer lexer_;
  Token token_;
  absl::Status status_;
  size_t last_end_ = 0;  // of the previous token
  int depth_ = 0;
  std::vector<Scope> scopes_;
  absl::flat_hash_map<std::string, const Type*> type_aliases_;
  absl::flat_hash_map<std::string, const Attribute*> attribute_aliases_;
  absl::flat_hash_map<std::string, const Location*> location_aliases_;
  std::vector<Location*> open_locations_;   // uses of aliases
  std::vector<Attribute*> open_resources_;  // uses of dense_resource blobs
  absl::flat_hash_map<std::string, std::pair<absl::string_view, size_t>>
      resources_;  // hex text and its place
};

// Counts nesting, so that no text can make the reader recurse without end.
class Nesting {
 public:
  explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.depth_; }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  // Returns false, with an error recorded, if the nesting is too deep.
  bool Ok();

 private:
  Parser& parser_;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_PARSER_H_
