// Reads MLIR bytecode (versions 0 to 6 of the format): the container, the types and attributes of
// the builtin dialect, locations, and operations. BytecodeDialects, which the user of the reader
// registers, read what other dialects encode in their own way.
//
// Functions return false after recording an error. The first error wins. Memory and work are
// proportional to the file's size, and recursion is limited (see Charge).
#ifndef HALYARD_FRONTEND_MLIR_BYTECODE_READER_H_
#define HALYARD_FRONTEND_MLIR_BYTECODE_READER_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/mlir/ast.h"
#include "frontend/mlir/bytecode/cursor.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {

class BytecodeReader;

// A dialect's own encodings.
class BytecodeDialect {
 public:
  virtual ~BytecodeDialect() = default;
  virtual bool ReadAttribute(BytecodeReader& reader, ByteCursor& bytes,
                             const Attribute** attribute);
  virtual bool ReadType(BytecodeReader& reader, ByteCursor& bytes, const Type** type);
  // Reads the op's properties as attributes (op.name is set). `bytes` must be read to the end.
  virtual bool ReadProperties(BytecodeReader& reader, ByteCursor& bytes, Operation& op);
  // Called when everything except the regions of an op has been read. It may rename the op and give
  // it other attributes. `parent` is null at the top.
  virtual bool FinishOperation(BytecodeReader& reader, Operation& op, const Operation* parent);
};

class BytecodeReader {
 public:
  // `document` must be binary. `syntax` reads attributes and types that the file holds as text.
  BytecodeReader(Document& document, const Syntax& syntax);

  // `dialect` must outlive the reader.
  void AddDialect(absl::string_view name, BytecodeDialect* dialect);

  // Reads only the header. Then version() and producer() are known.
  absl::Status ReadHeader();
  // Reads the rest, after ReadHeader, into the document.
  absl::Status Read();

  uint64_t version() const { return version_; }
  absl::string_view producer() const { return producer_; }
  Document& document() { return document_; }

  // For dialects.
  bool Fail(size_t offset, absl::string_view message) { return errors_.Fail(offset, message); }
  // Counts bytes that are copied, because what is written once may be used any number of times.
  // Fails if they are out of proportion to the file's size.
  bool Charge(size_t offset, uint64_t bytes);
  // Appends a part of an attribute's text.
  bool Append(size_t offset, absl::string_view part, std::string* text);
  bool ReadAttribute(ByteCursor& bytes, const Attribute** attribute);
  // Returns null if there is none.
  bool ReadOptionalAttribute(ByteCursor& bytes, const Attribute** attribute);
  bool ReadAttributes(ByteCursor& bytes, std::vector<const Attribute*>* attributes);
  bool ReadType(ByteCursor& bytes, const Type** type);
  bool ReadTypes(ByteCursor& bytes, std::vector<const Type*>* types);
  bool ReadString(ByteCursor& bytes, std::string* text);
  // Reads the value of an integer attribute whose type is set.
  bool ReadIntegerValue(ByteCursor& bytes, Attribute& attribute);
  // Reads the value of a float attribute whose type is set.
  bool ReadFloatValue(ByteCursor& bytes, Attribute& attribute);
  // Sets the elements of `attribute`, whose type (a tensor) is set, from MLIR's raw form. i1 may be
  // packed.
  bool SetElements(absl::string_view raw, size_t offset, Attribute& attribute);

 private:
  struct Section {
    bool present = false;
    absl::string_view data;
    size_t offset = 0;
  };
  struct Dialect {
    std::string name;
    BytecodeDialect* hooks = nullptr;
  };
  struct OpName {
    size_t dialect = 0;
    std::string name;        // with the dialect's
    bool registered = true;  // whether its properties have an encoding of their own
  };
  template <typename Node>
  struct Entry {
    size_t dialect = 0;
    bool custom = false;  // otherwise it is text
    bool open = false;    // whether it is being read
    absl::string_view data;
    size_t offset = 0;
    const Node* node = nullptr;
  };
  struct Resource {
    std::string key;
    absl::string_view data;
    size_t offset = 0;
    uint8_t kind = 0;
  };
  using Values = std::vector<Value*>;

  ByteCursor Cursor(absl::string_view data, size_t offset) { return {data, offset, &errors_}; }
  ByteCursor SectionCursor(uint8_t id) { return Cursor(sections_[id].data, sections_[id].offset); }

  // reader.cc: the container
  bool ReadPrologue();
  bool ReadAll();
  bool ReadSection(ByteCursor& bytes, uint8_t* id, Section* section);
  bool ReadSections();
  bool ReadStrings();
  bool ReadDialects();
  bool ReadOpNames(ByteCursor& bytes);
  bool ReadEntryTables();
  template <typename Node>
  bool ReadEntryTable(ByteCursor& offsets, ByteCursor& data, std::vector<Entry<Node>>* entries);
  bool ReadResources();
  bool ReadResourceGroup(ByteCursor& offsets, ByteCursor& data, bool keep);
  bool ReadPropertyTable();

  // entries.cc: entries of the attribute and type tables
  template <typename Node>
  bool Resolve(uint64_t index, size_t offset, absl::string_view what,
               std::vector<Entry<Node>>& entries, const Node** node);
  bool ReadEntry(Entry<Attribute>& entry);
  bool ReadEntry(Entry<Type>& entry);
  bool ParseEntry(Entry<Attribute>& entry, Parser& parser);
  bool ParseEntry(Entry<Type>& entry, Parser& parser);
  template <typename Node>
  bool ReadTextEntry(Entry<Node>& entry);
  bool Weigh(Type& type);
  bool Weigh(Attribute& attribute);

  // builtin.cc: the builtin dialect
  bool ReadBuiltinType(ByteCursor& bytes, const Type** type);
  bool ReadBuiltinAttribute(ByteCursor& bytes, const Attribute** attribute);
  bool ReadBuiltinLocation(uint64_t code, ByteCursor& bytes, Attribute* attribute);
  bool ReadDictionary(ByteCursor& bytes, Attribute* attribute);
  bool ReadSymbol(uint64_t code, ByteCursor& bytes, Attribute* attribute);
  bool ReadDenseArray(ByteCursor& bytes, Attribute* attribute);
  bool ReadDenseElements(ByteCursor& bytes, Attribute* attribute);
  bool ReadDenseResource(ByteCursor& bytes, Attribute* attribute);
  bool ReadStringOf(ByteCursor& bytes, std::string* text);
  bool ReadLocationOf(ByteCursor& bytes, const Location** location);
  bool DenseType(size_t offset, Attribute& attribute);
  bool CheckDims(size_t offset, Type& tensor);

  // operations.cc: the IR section
  bool ReadIr();
  bool ReadOperation(ByteCursor& bytes, Values& values, const Operation* parent, int depth,
                     std::vector<std::unique_ptr<Operation>>* operations);
  bool ReadAttributesOf(ByteCursor& bytes, uint8_t mask, const OpName& name, Operation& op);
  bool ReadPropertiesOf(ByteCursor& bytes, const OpName& name, Operation& op);
  bool ReadValuesOf(ByteCursor& bytes, uint8_t mask, Values& values, Operation& op);
  bool ReadRegions(ByteCursor& bytes, Values& values, int depth, Operation& op);
  bool ReadRegionList(ByteCursor& bytes, Values& values, int depth, Operation& op);
  bool ReadRegion(ByteCursor& bytes, Values& values, int depth, const Operation& op,
                  Region* region);
  bool ReadBlock(ByteCursor& bytes, Values& values, int depth, const Operation& op, Block* block);
  bool ReadBlockArguments(ByteCursor& bytes, Values& values, Block* block);
  bool SkipUseListOrders(ByteCursor& bytes, uint64_t values);
  bool ResolveType(uint64_t index, Value* value);
  bool Define(ByteCursor& bytes, Value* value, Values& values);
  bool ReplaceCast(ByteCursor& bytes, Values& values, const Operation& op);

  Document& document_;
  const Syntax& syntax_;
  BytecodeErrors errors_;
  ByteCursor file_;
  uint64_t version_ = 0;
  std::string producer_;
  int depth_ = 0;  // of entries being read
  std::map<std::string, BytecodeDialect*, std::less<>> hooks_;
  std::array<Section, 9> sections_;
  std::vector<absl::string_view> strings_;
  std::vector<Dialect> dialects_;
  std::vector<OpName> op_names_;
  std::vector<Entry<Attribute>> attributes_;
  std::vector<Entry<Type>> types_;
  std::vector<Resource> resources_;  // of dialects, in order
  std::vector<std::pair<absl::string_view, size_t>> properties_;
  size_t next_value_ = 0;  // in the scope being read
  uint64_t charged_ = 0;
};

// "i32", "si8": integer types from their width and signedness (0 none, 1 signed, 2 unsigned).
std::string IntegerTypeName(uint64_t width, uint64_t signedness);

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_BYTECODE_READER_H_
