// Turns an HLO module into the syntax of a StableHLO program. Only write/*.cc use this.
#ifndef HALYARD_FRONTEND_STABLEHLO_WRITE_MODULE_H_
#define HALYARD_FRONTEND_STABLEHLO_WRITE_MODULE_H_

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/mlir/ast.h"
#include "frontend/stablehlo/write/nodes.h"

namespace halyard::stablehlo {

// Functions return false after recording an error. The first error stays.
class Writer {
 public:
  Writer(const hlo::Module& module, mlir::Document& document)
      : module_(module), document_(document), nodes_(document) {}

  bool Write();
  const absl::Status& status() const { return status_; }

 private:
  using Instruction = hlo::Instruction;
  using Values = std::vector<mlir::Value*>;
  using Types = std::vector<const mlir::Type*>;

  // An HLO value: a value of the text, or for tuples what their elements are. A tuple may be both.
  struct Tree {
    mlir::Value* value = nullptr;
    std::vector<Tree> parts;
  };
  struct Frame {
    mlir::Block* block = nullptr;
    std::unordered_map<const Instruction*, Tree> values;
  };
  using Handler = bool (Writer::*)(const Instruction& inst, Frame& frame);
  static const absl::flat_hash_map<hlo::Opcode, Handler>& Handlers();

  // module.cc: functions, computations, values
  bool Fail(const Instruction& inst, absl::string_view message);
  std::string FunctionName(const hlo::Computation* computation);
  bool WriteFunction(const hlo::Computation& computation, bool entry, mlir::Block* into);
  bool WriteEntryAttributes(mlir::Operation* function);
  std::vector<int64_t> ResultsOfLeaves();
  bool WriteInstructions(const hlo::Computation& computation, Frame& frame);
  bool WriteInstruction(const Instruction& inst, Frame& frame);
  // Writes a region with one block that takes the leaves of the parameters and returns those of the
  // root.
  bool WriteRegion(const hlo::Computation& computation, mlir::Operation* owner);
  // Writes a region whose block has no arguments; the parameters are `parameters`.
  bool WriteRegion(const hlo::Computation& computation, mlir::Operation* owner,
                   std::vector<Tree> parameters, mlir::Block* block);
  mlir::Value* Argument(mlir::Block* block, const hlo::Shape& shape,
                        const hlo::Provenance& provenance);
  mlir::Operation* Op(Frame& frame, absl::string_view name, Values operands, const Types& results);
  void Set(mlir::Operation* op, absl::string_view name, const mlir::Attribute* value);
  const Tree* Find(const Instruction& inst, Frame& frame);
  // Returns one value, and packs tuples. Null after an error.
  mlir::Value* Single(const Instruction& user, const Tree& tree, const hlo::Shape& shape,
                      Frame& frame);
  bool Singles(const Instruction& inst, Frame& frame, Values* values);  // of all operands
  bool Leaves(const Instruction& user, const Tree& tree, const hlo::Shape& shape, Frame& frame,
              Values* leaves);
  bool OperandLeaves(const Instruction& inst, Frame& frame, Values* leaves);
  bool Element(const Instruction& user, const Tree& tree, const hlo::Shape& shape, int64_t index,
               Frame& frame, Tree* element);
  Types LeafTypes(const hlo::Shape& shape);
  Tree TreeOf(const hlo::Shape& shape, const Values& leaves, size_t* next);
  // Writes the op "stablehlo.NAME", whose operands and results are the leaves of the instruction's.
  mlir::Operation* Leafwise(const Instruction& inst, Frame& frame, absl::string_view name = "");
  // Returns the types and the tree of results that are the elements of the instruction's tuple, or
  // its value.
  Types ResultTypes(const hlo::Shape& shape);
  Tree ResultTree(const hlo::Shape& shape, const mlir::Operation& op);

  // ops.cc
  bool WritePlain(const Instruction& inst, Frame& frame);
  bool WriteAlias(const Instruction& inst, Frame& frame);
  bool WriteTuple(const Instruction& inst, Frame& frame);
  bool WriteGetTupleElement(const Instruction& inst, Frame& frame);
  bool WriteConstant(const Instruction& inst, Frame& frame);
  bool WriteLiteral(const Instruction& inst, const hlo::Literal& literal, Frame& frame, Tree* tree);
  bool WriteCompare(const Instruction& inst, Frame& frame);
  bool WriteReducePrecision(const Instruction& inst, Frame& frame);
  bool WriteDimensions(const Instruction& inst, Frame& frame);
  bool WriteDimension(const Instruction& inst, Frame& frame);
  bool WriteSlice(const Instruction& inst, Frame& frame);
  bool WritePad(const Instruction& inst, Frame& frame);
  bool WriteBitcast(const Instruction& inst, Frame& frame);
  bool WriteIndexed(const Instruction& inst, Frame& frame);  // gather, scatter, dynamic_slice
  bool WriteErf(const Instruction& inst, Frame& frame);
  bool WriteTopK(const Instruction& inst, Frame& frame);
  bool WriteDynamicReshape(const Instruction& inst, Frame& frame);
  // numeric_ops.cc
  bool WriteDot(const Instruction& inst, Frame& frame);
  bool WriteConvolution(const Instruction& inst, Frame& frame);
  bool WriteWindowed(const Instruction& inst, Frame& frame);  // reduce_window, select_and_scatter
  bool WriteFft(const Instruction& inst, Frame& frame);
  bool WriteCholesky(const Instruction& inst, Frame& frame);
  bool WriteTriangularSolve(const Instruction& inst, Frame& frame);
  bool WriteBatchNorm(const Instruction& inst, Frame& frame);
  bool WriteRng(const Instruction& inst, Frame& frame);
  bool WriteRngBitGenerator(const Instruction& inst, Frame& frame);
  bool WriteReduction(const Instruction& inst, Frame& frame);  // reduce, map, sort
  void SetPrecision(const Instruction& inst, mlir::Operation* op);
  // control.cc
  bool WriteWhile(const Instruction& inst, Frame& frame);
  bool WriteConditional(const Instruction& inst, Frame& frame);
  bool WriteCall(const Instruction& inst, Frame& frame);
  bool ReadFrontendAttributes(const Instruction& inst,
                              std::vector<std::pair<std::string, std::string>>* attributes);
  bool SetFrontendAttributes(const Instruction& inst, mlir::Operation* op);
  bool WriteComposite(const Instruction& inst, Frame& frame);
  bool WriteCustomCall(const Instruction& inst, Frame& frame);
  bool SetCallLayouts(const Instruction& inst, mlir::Operation* op);
  bool ParseText(absl::string_view text, const mlir::Attribute** attribute);
  // communication.cc
  bool WriteCollective(const Instruction& inst, Frame& frame);
  bool WriteAllToAll(const Instruction& inst, Frame& frame);
  bool WriteAllToAllOfOperands(const Instruction& inst, Frame& frame);
  bool WriteInfeed(const Instruction& inst, Frame& frame);
  bool WriteOutfeed(const Instruction& inst, Frame& frame);
  bool WriteSend(const Instruction& inst, Frame& frame);
  bool WriteRecv(const Instruction& inst, Frame& frame);
  bool WriteSendDone(const Instruction& inst, Frame& frame);
  bool WriteRecvDone(const Instruction& inst, Frame& frame);
  bool SetGroups(const Instruction& inst, mlir::Operation* op);
  void SetChannel(const Instruction& inst, mlir::Operation* op, int64_t fallback_type);

  const hlo::Module& module_;
  mlir::Document& document_;
  Nodes nodes_;
  absl::Status status_;
  absl::flat_hash_map<const hlo::Computation*, std::string> names_;
  absl::flat_hash_set<std::string> taken_;
  std::deque<const hlo::Computation*> pending_;  // functions to be written
  const mlir::Location* location_ = nullptr;     // of the ops being made
  int depth_ = 0;                                // of regions
  int64_t count_ = 0;                            // of ops
};

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_WRITE_MODULE_H_
