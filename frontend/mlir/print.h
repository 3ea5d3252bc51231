// Prints MLIR text: the generic form of any operation, and the pretty forms that dialects register
// for their operations. The names of values are those that MLIR's own printer uses (%arg0, %0,
// %cst_0).
#ifndef HALYARD_FRONTEND_MLIR_PRINT_H_
#define HALYARD_FRONTEND_MLIR_PRINT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/mlir/ast.h"

namespace halyard::mlir {

class Printer;

// Prints what follows the op's name, without the location. Returns false if the op lacks what the
// pretty form needs. What was printed is then dropped, and the generic form is used.
using PrintOpHook = bool (*)(Printer& printer, const Operation& op);
// Prints a whole attribute of a dialect. Returns false if it has appended nothing. The attribute is
// then printed as it was read.
using PrintAttributeHook = bool (*)(const Attribute& attribute, std::string* out);

struct PrintSyntax {
  absl::flat_hash_map<std::string, PrintOpHook> ops;                // by full name
  absl::flat_hash_map<std::string, PrintAttributeHook> attributes;  // by Attribute::name
  // Returns the name of a result or of a block's argument, or "" for a number. A result with a name
  // of its own stands for itself. The results after it that have no name belong to its group.
  std::string (*result_name)(const Operation& op, int64_t index) = nullptr;
  std::string (*argument_name)(const Operation& owner, int64_t index) = nullptr;
  // Returns whether the generic form has the attribute in `<{…}>`.
  bool (*is_property)(const Operation& op, absl::string_view attribute) = nullptr;
};

// Adds module, func.func, func.call and func.return.
void AddBuiltinPrinters(PrintSyntax& syntax);
bool IsBuiltinProperty(const Operation& op, absl::string_view attribute);

struct PrintOptions {
  bool generic = false;
  bool locations = false;  // `loc(…)` after every operation and argument
};

// Prints the whole file. Operations outside a module are put into one.
std::string PrintMlir(const Document& document, const PrintSyntax& syntax,
                      const PrintOptions& options = {});

// Append spellings. `elide_type` leaves out `: i64` and `: f64`. `syntax` may be null.
void AppendType(const Type& type, const PrintSyntax* syntax, std::string* out);
void AppendAttribute(const Attribute& attribute, const PrintSyntax* syntax, bool elide_type,
                     std::string* out);
void AppendLocation(const Location& location, std::string* out);  // loc(…)
void AppendSymbol(absl::string_view name, std::string* out);      // @name, @"any thing"
void AppendQuoted(absl::string_view text, std::string* out);
// `a = 1, b` sorted by name.
void AppendEntries(const std::vector<NamedAttribute>& entries, const PrintSyntax* syntax,
                   std::string* out);

// The names of values, which are chosen before anything is printed.
class ValueNames {
 public:
  ValueNames(const Document& document, const PrintSyntax& syntax, bool generic);
  struct Name {
    std::string text;
    int64_t index = 0;  // in the group
    int64_t count = 1;  // of the group
  };
  // Returns null for values that do not belong to this document.
  const Name* Of(const Value* value) const;
  int64_t LabelOf(const Block* block) const;

 private:
  struct Scope;
  struct Ids {
    int64_t value = 0, argument = 0, conflict = 0;
  };
  void NameRegion(const Operation* owner, const Region& region, Scope* scope);
  void NameOp(const Operation& op, Scope* scope);
  void SetName(const Value* value, absl::string_view wanted, Scope* scope);

  const PrintSyntax& syntax_;
  const bool generic_;
  Ids ids_;
  absl::flat_hash_map<const Value*, Name> names_;
  absl::flat_hash_map<const Block*, int64_t> labels_;
};

class Printer {
 public:
  Printer(const Document& document, const PrintSyntax& syntax, const PrintOptions& options);

  std::string PrintDocument();

  // Pieces for hooks.
  void Text(absl::string_view text) { out_.append(text.data(), text.size()); }
  void Number(int64_t value);
  void NewLine();
  std::string Indentation() const { return std::string(indent_, ' '); }
  void OperandName(const Value* value);                // %0#1
  void OperandNames(absl::Span<Value* const> values);  // %a, %b
  void TypeOf(const Type& type);
  template <typename Values>  // pointers, plain or unique
  void TypesOf(const Values& values) {
    const char* comma = "";
    for (const auto& value : values) {
      Text(std::exchange(comma, ", "));
      TypeOf(*value->type);
    }
  }
  void FunctionType(const Operation& op);  // (t, t) -> t
  void AttributeOf(const Attribute& attribute, bool elide_type = false);
  // Prints ` {…}` without the `elided` entries, or nothing. `keyword` comes before the '{'.
  void Dictionary(const Operation& op, absl::Span<const absl::string_view> elided,
                  absl::string_view keyword = "");
  void Dictionary(const std::vector<NamedAttribute>& entries);
  // Prints `{…}`. With `arguments`, prints the header of the entry block if it has arguments.
  void RegionOf(const Operation& owner, const Region& region, bool arguments);
  void ArgumentOf(const Value& argument);  // %arg0: t
  void TrailingLocation(const Location* location);

 private:
  void Indent();
  void PrintOperation(const Operation& op);
  void PrintResults(const Operation& op);
  void PrintGeneric(const Operation& op);
  void PrintBlock(const Block& block, bool header);
  void PrintResources();

  const Document& document_;
  const PrintSyntax& syntax_;
  const PrintOptions options_;
  const ValueNames names_;
  std::string out_;
  int indent_ = 0;
  std::vector<absl::string_view> default_dialects_;  // their names need no prefix
  std::vector<const Attribute*> resources_;
};

}  // namespace halyard::mlir

#endif  // HALYARD_FRONTEND_MLIR_PRINT_H_
