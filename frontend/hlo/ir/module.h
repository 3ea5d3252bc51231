// The HLO graph: a Module consists of Computations, and a Computation of Instructions.
#ifndef HALYARD_FRONTEND_HLO_IR_MODULE_H_
#define HALYARD_FRONTEND_HLO_IR_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/attributes.h"
#include "frontend/hlo/ir/opcode.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/hlo/values/shape.h"

namespace halyard::hlo {

class Computation;
class Module;

// Where an instruction came from. Fusion and rewrites combine the sets (in order of first
// appearance).
struct SourceLocation {
  std::string file;
  int line = 0, column = 0;
  bool operator==(const SourceLocation& o) const {
    return std::tie(file, line, column) == std::tie(o.file, o.line, o.column);
  }
};
struct Provenance {
  std::vector<SourceLocation>
      locations;                      // the program file's place first, then user source locations
  std::vector<std::string> op_names;  // `metadata={op_name="…"}` / MLIR name locations
  void Unite(const Provenance& other);
  // Returns `file:line:col` of the first location, or an empty string.
  std::string Place() const;
};

// A plain node. The op table has the rules for each opcode. `name` is unique in its module, on
// which printer and parser rely.
struct Instruction {
  Opcode opcode;
  Shape shape;
  std::vector<Instruction*> operands;  // in the same computation, and earlier in its list
  AttrMap attrs;
  std::vector<Computation*> called;  // in the order of the op table's `called` names
  std::string name;
  Literal literal;               // kConstant only
  int64_t parameter_number = 0;  // kParameter only
  Provenance provenance;
  Computation* parent = nullptr;

  Instruction* operand(int64_t i) const { return operands[i]; }
  bool Has(Attr attr) const { return attrs.Find(attr) != nullptr; }
  // Returns the attribute's value, or the kind's default (false, 0, "", empty) if it is absent.
  bool GetBool(Attr attr) const;
  int64_t GetInt(Attr attr, int64_t absent = 0) const;
  double GetFloat(Attr attr, double absent = 0) const;
  const std::string& GetString(Attr attr) const;  // kWord, kString, kRaw
  const Ints& GetInts(Attr attr) const;
  const IntLists& GetIntLists(Attr attr) const;
  const Words& GetWords(Attr attr) const;
  const Window& GetWindow() const;
  const PaddingConfig& GetPadding() const;
  const SliceDims& GetSlice() const;
  const ConvDims& GetConvDims() const;
};

// Instructions in a topological order (operands first). Parameters are dense and numbered from 0.
class Computation {
 public:
  Computation(Module* module, std::string name) : module_(module), name_(std::move(name)) {}
  Module* module() const { return module_; }
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  const std::vector<std::unique_ptr<Instruction>>& instructions() const { return instructions_; }
  const std::vector<Instruction*>& parameters() const { return parameters_; }
  int64_t num_parameters() const { return static_cast<int64_t>(parameters_.size()); }
  Instruction* root() const { return root_; }
  void set_root(Instruction* root) { root_ = root; }

  // Appends an instruction. An empty `name` is replaced by one made from the opcode ("add.12"). The
  // caller must set the shape (op_table.h's InferShape returns it). kParameter instructions are
  // registered by their number.
  Instruction* Add(Opcode opcode, Shape shape, std::vector<Instruction*> operands,
                   AttrMap attrs = {}, std::vector<Computation*> called = {},
                   std::string name = "");
  Instruction* AddParameter(int64_t number, Shape shape, std::string name = "");
  Instruction* AddConstant(Literal value, std::string name = "");
  // Appends a copy of `from` (of any module) with these operands. The caller handles called
  // computations and the name (the pointers are the same, and the name is made unique).
  Instruction* AddClone(const Instruction& from, std::vector<Instruction*> operands);

  // Replaces every use of `from` as an operand (and as the root) by `to`. O(instructions).
  void ReplaceAllUses(Instruction* from, Instruction* to);
  // Returns the users of each instruction, computed anew. O(instructions).
  std::unordered_map<const Instruction*, std::vector<Instruction*>> Users() const;
  // Removes what the root does not reach, except parameters and side effects (see
  // OpRow::has_side_effect). Returns how many instructions were removed.
  int64_t RemoveDead();
  // Restores the topological order after rewrites that appended instructions. Removes nothing.
  // Returns false if there is a cycle.
  bool SortTopologically();
  // Puts the instructions into this order, which has all of them, operands first.
  void Reorder(const std::vector<const Instruction*>& order);
  // Drops parameter `number`, which must be unused, and renumbers those after it.
  void RemoveParameter(int64_t number);

 private:
  Module* module_;
  std::string name_;
  std::vector<std::unique_ptr<Instruction>> instructions_;
  std::vector<Instruction*> parameters_;
  Instruction* root_ = nullptr;
};

// `parameter_number` (leaf `parameter_leaf` of its flattened shape) and the flattened result leaf
// share a buffer.
struct InputOutputAlias {
  int64_t result_leaf = 0;
  int64_t parameter_number = 0;
  int64_t parameter_leaf = 0;
  bool must = false;
};

class Module {
 public:
  explicit Module(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }
  // The name gets a suffix if it is taken.
  Computation* AddComputation(absl::string_view name);
  const std::vector<std::unique_ptr<Computation>>& computations() const { return computations_; }
  Computation* FindComputation(absl::string_view name) const;
  Computation* entry() const { return entry_; }
  void set_entry(Computation* entry) { entry_ = entry; }
  // Removes computations that the entry does not reach.
  void RemoveUnreachableComputations();
  // Returns every computation, callees before callers and the entry last.
  std::vector<Computation*> PostOrder() const;
  std::string UniqueName(absl::string_view base);
  std::unique_ptr<Module> Clone() const;

  std::vector<InputOutputAlias> aliases;
  std::vector<int64_t> donors;  // parameters that may be overwritten and for which no result is
                                // named
  int64_t num_replicas = 1, num_partitions = 1;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Computation>> computations_;
  Computation* entry_ = nullptr;
  std::unordered_map<std::string, int64_t> names_;
};

// Deep-copies `from` and the computations that it calls into `module`. `map`, if given, maps old to
// new instructions.
Computation* CloneComputation(const Computation& from, Module* module,
                              std::unordered_map<const Instruction*, Instruction*>* map = nullptr);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_IR_MODULE_H_
