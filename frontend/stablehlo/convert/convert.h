// Converts the syntax of a StableHLO program to an HLO module. Only stablehlo.cc uses this.
#ifndef HALYARD_FRONTEND_STABLEHLO_CONVERT_CONVERT_H_
#define HALYARD_FRONTEND_STABLEHLO_CONVERT_CONVERT_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/mlir/ast.h"
#include "frontend/stablehlo/graph.h"
#include "frontend/stablehlo/op_reader.h"
#include "frontend/stablehlo/stablehlo.h"

namespace halyard::stablehlo {

// Returns the module's name: what `module @name` says, or "main".
std::string ModuleName(const mlir::Document& document);

class Converter {
 public:
  // `kept_calls`: as in ParseStableHlo.
  Converter(const mlir::Document& document, hlo::Module& module,
            std::vector<std::string> kept_calls = {});

  // Returns false on an error; see status().
  bool Convert(absl::string_view entry);
  const absl::Status& status() const { return errors_.status(); }
  // Why a program without errors still cannot be run: the first thing that the entry reaches and
  // that has no meaning here. The module then has stand-ins in its place.
  const absl::Status& runnable() const { return runnable_; }
  // The jax.result_info of the entry's results, "" where there is none.
  const std::vector<std::string>& result_names() const { return result_names_; }
  // How the entry's arguments and results are spread over the partitions.
  const EntryShardings& shardings() const { return shardings_; }

 private:
  using Operation = mlir::Operation;
  using Region = mlir::Region;
  using Value = mlir::Value;
  using Instructions = std::vector<hlo::Instruction*>;

  // A computation that is being made, and what the values of the text are in it.
  struct Frame {
    hlo::Computation* computation = nullptr;
    std::unordered_map<const Value*, hlo::Instruction*> values;
  };
  using Handler = bool (Converter::*)(const Operation& op, Frame& frame);
  static const absl::flat_hash_map<absl::string_view, Handler>& Handlers();

  // functions.cc: modules and functions. Functions of modules inside the module are called
  // `prefix`, "outer::inner::", followed by their name.
  bool CollectFunctions(const std::vector<std::unique_ptr<Operation>>& operations,
                        const std::string& prefix, int depth);
  // Returns the function that the one being converted calls by that name, or null.
  const Operation* FindFunction(absl::string_view name) const;
  bool ReadGrid(const Operation& op);
  const Operation* FindEntry(absl::string_view name);
  bool ConvertDeclaration(const Operation& function, hlo::Computation** computation);
  // Errors of calling are shown at `caller`.
  bool ConvertFunction(const Operation& caller, const Operation& function,
                       hlo::Computation** computation);
  bool ConvertEntryAttributes(const Operation& function);
  void ReadResultNames(const Operation& function);
  bool ConvertArgumentAttributes(const mlir::Attribute& attributes, int64_t number);
  // convert.cc: blocks, operations, values
  bool Fail(const Operation& op, absl::string_view message);
  // Records that the function that is being converted is right but cannot be run, and why.
  void CannotRun(size_t offset, absl::string_view message);
  bool ConvertBlock(const Operation& owner, const mlir::Block& block, Frame& frame,
                    Instructions* results);
  bool ConvertOperation(const Operation& op, Frame& frame);
  bool OneBlock(const Operation& owner, const Region& region, const mlir::Block** block);
  // types.cc. With `any`, also takes types of which there are no operations, as values that
  // cannot be run.
  bool ShapeOf(const mlir::Type& type, hlo::Shape* shape, bool any = false);
  bool TensorShapeOf(const mlir::Type& type, hlo::Shape* shape, bool any);
  bool StandIn(const mlir::Type& type, absl::string_view what, hlo::Shape* shape);
  bool ResultShapes(const Operation& op, std::vector<hlo::Shape>* shapes, bool any = false);
  // Checks buffers, futures and tensors without a rank, which only some operations may have.
  bool CheckTypes(const Operation& op);
  bool Operand(const Operation& op, const Value& value, Frame& frame, hlo::Instruction** inst);
  bool Operands(const Operation& op, Frame& frame, Instructions* insts);
  // Adds an instruction whose shape is what the text says. Several results come out of a tuple.
  // `any` is as in ShapeOf.
  bool Emit(const Operation& op, Frame& frame, hlo::Opcode opcode, Instructions operands,
            hlo::AttrMap attrs = {}, std::vector<hlo::Computation*> called = {}, bool any = false);
  bool Plain(const Operation& op, Frame& frame, hlo::Opcode opcode, hlo::AttrMap attrs = {});
  // Makes the results of an operation that is right and cannot be run, for the reason `why`.
  bool EmitStandIn(const Operation& op, Frame& frame, absl::string_view why);
  hlo::Instruction* Element(Frame& frame, hlo::Instruction* tuple, int64_t index);
  // Returns one value, or a tuple of them, which gets the place of `op`.
  hlo::Instruction* Pack(const Operation& op, Frame& frame, const Instructions& values);
  bool OpcodeOf(const Operation& op, hlo::Opcode* opcode);

  // accuracy.cc
  bool CheckAccuracy(const Operation& op);

  // location.cc
  std::vector<std::string> FrontendAttributes(const Operation& op) const;
  void KeepMetadata(const Operation& op, hlo::Instruction* inst) const;
  hlo::Provenance ProvenanceOf(size_t offset, const mlir::Location* location) const;

  // control.cc, reduction.cc: ops with regions, and calls
  std::vector<const Value*> Captures(const std::vector<const Region*>& regions) const;
  bool ConvertWhile(const Operation& op, Frame& frame);
  bool ConvertIf(const Operation& op, Frame& frame);
  bool ConvertCase(const Operation& op, Frame& frame);
  bool ConvertBranches(const Operation& op, Frame& frame);
  bool ConvertCall(const Operation& op, Frame& frame);
  bool ConvertComposite(const Operation& op, Frame& frame);
  bool EmitCall(const Operation& op, Frame& frame, absl::string_view callee, hlo::AttrMap attrs);
  bool ConvertCustomCall(const Operation& op, Frame& frame);
  // custom_call.cc
  bool ConvertCallAttributes(const Operation& op, const std::string& target, hlo::AttrMap* attrs);
  bool ConvertCallLayouts(const Operation& op, hlo::AttrMap* attrs,
                          std::vector<hlo::Shape>* results);
  bool ReadLayout(const Operation& op, const mlir::Attribute& given, const mlir::Type& type,
                  hlo::Shape* shape);
  bool ConvertCallAliases(const Operation& op, absl::string_view target, hlo::AttrMap* attrs);
  bool ConvertBufferCall(const Operation& op, Frame& frame, absl::string_view target);
  bool CheckBackendConfig(const Operation& op, int64_t api_version);
  bool ConvertReduce(const Operation& op, Frame& frame);
  bool ConvertReduceWindow(const Operation& op, Frame& frame);
  bool ConvertSort(const Operation& op, Frame& frame);
  bool ConvertMap(const Operation& op, Frame& frame);
  // A region as a computation that takes the block's arguments one by one. After each of `groups`
  // equal parts of the arguments come `copies` parameters for each capture. With `return_captures`,
  // the captures are returned, too, after the results.
  struct BodyForm {
    int groups = 1;
    int copies = 1;
    bool return_captures = false;
    size_t region = 0;
  };
  bool ConvertBody(const Operation& op, const std::vector<const Value*>& captures,
                   const BodyForm& form, hlo::Computation** computation);
  // Scalars that region 0 uses from outside, and each of them broadcast to `shape`.
  struct ScalarCaptures {
    std::vector<const Value*> values;
    Instructions scalars;
    Instructions broadcasts;
  };
  bool CaptureScalars(const Operation& op, Frame& frame, const hlo::Shape& shape,
                      ScalarCaptures* captures);
  // Fails if a region of `op` uses a value from outside that is not a constant.
  bool RefuseCaptures(const Operation& op);
  bool Capture(const Operation& op, Frame& frame, const std::vector<const Value*>& captures,
               Instructions* insts);
  // Makes a region with one tuple parameter: the block's arguments, then the captures.
  bool ConvertTupleRegion(const Operation& op, const Region& region, absl::string_view name,
                          const hlo::Shape& parameter, const std::vector<const Value*>& captures,
                          Frame* inner, Instructions* results);
  // Region 0 folds or orders the inputs of `op`. Emits the op with the captures as further inputs,
  // whose results are dropped.
  bool EmitFold(const Operation& op, Frame& frame, hlo::Opcode opcode, hlo::AttrMap attrs);
  // Only verifies an op whose initial values are arrays.
  bool CheckArrayFold(const Operation& op, Frame& frame, hlo::Opcode opcode,
                      const hlo::AttrMap& attrs, const Instructions& operands);
  bool EmitWithExtras(const Operation& op, Frame& frame, hlo::Opcode opcode, Instructions operands,
                      hlo::AttrMap attrs, hlo::Computation* body, const Instructions& extras);

  // sharding.cc: arrays that are spread over the processes of a mesh
  struct Mesh {
    std::vector<std::string> axes;
    std::vector<int64_t> sizes;    // of each axis
    std::vector<int64_t> devices;  // the partition at each place of the mesh, row-major
  };
  struct Sharding {
    const Mesh* mesh = nullptr;
    std::vector<std::vector<std::string>> dims;  // the axes that cut each dimension, outer first
    bool IsSpread() const;
    std::string Key() const;  // equal for equal ones
    int64_t Blocks(size_t dim) const;
    int64_t BlockOf(size_t dim, int64_t partition) const;
  };
  bool ReadMesh(const Operation& op);
  bool ReadSharding(absl::string_view text, Sharding* sharding);
  bool ShardingOf(const Operation& op, const mlir::Attribute* attribute, Sharding* sharding);
  // Returns whether the mesh has the size of the grid of processes, and the grid one that runs. If
  // not, says why.
  bool MeshFits(const Sharding& sharding, std::string* why) const;
  bool CheckMesh(const Operation& op, const Sharding& sharding);
  bool ReadManual(const Operation& op, absl::string_view name, size_t count,
                  std::vector<Sharding>* shardings);
  // The part of an array that a process has.
  bool LocalShape(const Operation& op, const Sharding& sharding, hlo::Shape* shape);
  std::string HloText(const Sharding& sharding) const;
  // The sharding by the axes that do not cut this dimension; -1 for those that cut none.
  Sharding OtherAxes(const Sharding& sharding, int64_t dim) const;
  hlo::IntLists GatherGroups(const Sharding& sharding, size_t dim) const;
  // The whole array from the processes' parts, and a process's part of a whole array. One that was
  // made from the other is found again.
  hlo::Instruction* Whole(Frame& frame, hlo::Instruction* part, const Sharding& sharding);
  hlo::Instruction* Part(Frame& frame, hlo::Instruction* whole, const Sharding& sharding);
  bool ConvertManualComputation(const Operation& op, Frame& frame);
  bool HasManual(const Operation& function);
  bool InlineCall(const Operation& op, const Operation& callee, Frame& frame);
  bool ConvertShardingConstraint(const Operation& op, Frame& frame);
  // Takes over what is known of the results of a call.
  void KeepResultShardings(const Operation& call, Frame& frame, const hlo::Computation& callee);
  // Whether each process has a part of the same shape, and that can be expressed.
  static bool CanBeCut(const hlo::Shape& shape, const Sharding& sharding);
  // Cuts result `number` of the entry as its sharding says. One without is cut as its value was
  // last known to be spread, which saves every process the whole array.
  bool ConvertResult(const Operation& function, Frame& frame, size_t number,
                     hlo::Instruction** result);
  // Of argument or result `number` of the entry; not spread if it has none.
  bool EntrySharding(const Operation& function, absl::string_view list, size_t number,
                     Sharding* sharding, bool* stated = nullptr);

  // ops.cc: ops with attributes
  bool ConvertConstant(const Operation& op, Frame& frame);
  bool ConvertIota(const Operation& op, Frame& frame);
  bool ConvertCompare(const Operation& op, Frame& frame);
  bool ConvertBroadcastInDim(const Operation& op, Frame& frame);
  bool ConvertBroadcast(const Operation& op, Frame& frame);
  bool ConvertTranspose(const Operation& op, Frame& frame);
  bool ConvertReverse(const Operation& op, Frame& frame);
  bool ConvertSlice(const Operation& op, Frame& frame);
  bool ConvertConcatenate(const Operation& op, Frame& frame);
  bool ConvertPad(const Operation& op, Frame& frame);
  bool ConvertDynamicSlice(const Operation& op, Frame& frame);
  bool ConvertReducePrecision(const Operation& op, Frame& frame);
  bool ConvertGetTupleElement(const Operation& op, Frame& frame);
  bool ConvertCreateToken(const Operation& op, Frame& frame);
  bool ConvertIgnored(const Operation& op, Frame& frame);
  bool ConvertIdentity(const Operation& op, Frame& frame);

  // contraction.cc
  bool ConvertDotGeneral(const Operation& op, Frame& frame);
  bool ConvertDot(const Operation& op, Frame& frame);
  bool ConvertConvolution(const Operation& op, Frame& frame);
  bool ConvolutionDims(const Operation& op, hlo::ConvDims* dims);
  bool ConvolutionWindow(const Operation& op, const hlo::Shape& kernel,
                         const hlo::Ints& kernel_spatial, hlo::Window* window);
  bool Precision(const Operation& op, hlo::AttrMap* attrs);
  bool DotOfQuantized(const Operation& op, Frame& frame, const Instructions& operands);
  bool DotAlgorithm(const Operation& op, hlo::AttrMap* attrs);

  // deprecated.cc
  bool SetResult(const Operation& op, Frame& frame, const absl::StatusOr<hlo::Instruction*>& value);
  bool ConvertEinsum(const Operation& op, Frame& frame);
  bool ConvertTorchIndexSelect(const Operation& op, Frame& frame);
  bool ConvertCrossReplicaSum(const Operation& op, Frame& frame);

  // dynamic.cc
  bool ConvertDynamicBroadcastInDim(const Operation& op, Frame& frame);
  bool ConvertDynamicIota(const Operation& op, Frame& frame);
  // Emits broadcast_in_dim of an operand of unknown sizes to a static result.
  bool EmitBroadcastTo(const Operation& op, Frame& frame, hlo::Instruction* operand,
                       const hlo::Shape& result, hlo::Ints dims);

  // random.cc
  bool ConvertRng(const Operation& op, Frame& frame);
  bool ConvertRngBitGenerator(const Operation& op, Frame& frame);
  // linear_algebra.cc
  bool ConvertFft(const Operation& op, Frame& frame);
  bool ConvertCholesky(const Operation& op, Frame& frame);
  bool ConvertTriangularSolve(const Operation& op, Frame& frame);
  bool ConvertBatchNorm(const Operation& op, Frame& frame);
  bool ConvertDimensionSize(const Operation& op, Frame& frame);
  bool ConstantSizeAgrees(const Operation& op, Frame& frame, int64_t dimension);

  // indexing.cc
  bool ConvertGather(const Operation& op, Frame& frame);
  bool ConvertScatter(const Operation& op, Frame& frame);
  bool ConvertSelectAndScatter(const Operation& op, Frame& frame);

  // communication.cc
  bool ConvertCollective(const Operation& op, Frame& frame);
  // rooted.cc
  bool RootedOperands(const Operation& op, Frame& frame, Instructions* data,
                      hlo::Instruction** roots);
  bool ConvertCollectiveBroadcast(const Operation& op, Frame& frame);
  bool ConvertCollectiveReduce(const Operation& op, Frame& frame);
  bool ConvertAsyncStart(const Operation& op, Frame& frame);
  bool ConvertAsyncDone(const Operation& op, Frame& frame);

  bool CheckInfeedLayout(const Operation& op);
  bool ConvertInfeed(const Operation& op, Frame& frame);
  bool ConvertOutfeed(const Operation& op, Frame& frame);
  bool TransferAttributes(const Operation& op, hlo::AttrMap* attrs);
  bool ConvertSend(const Operation& op, Frame& frame);
  bool ConvertRecv(const Operation& op, Frame& frame);
  bool GroupsAttribute(const Operation& op, absl::string_view name, hlo::Attr attr,
                       hlo::AttrMap* attrs);
  bool ChannelAttributes(const Operation& op, hlo::AttrMap* attrs);
  // The constraints on results that are data followed by a token.
  struct ResultLabels {
    absl::string_view any, data, token;
  };
  bool DataShape(const Operation& op, const ResultLabels& labels, hlo::Shape* data);
  void TakeData(const Operation& op, Frame& frame, hlo::Instruction* pair);

  // frontend/stablehlo/chlo/convert.cc
  static void AddChloHandlers(absl::flat_hash_map<absl::string_view, Handler>& handlers);
  bool ChloOperands(const Operation& op, Frame& frame, size_t count, Instructions* operands);
  // Does the same where `op` has the meaning of the CHLO op `name`.
  bool ChloOperands(const Operation& op, Frame& frame, absl::string_view name, size_t count,
                    Instructions* operands);
  // Returns whether an operand has unknown sizes, with which this op cannot be run.
  bool HasDynamicOperand(const Operation& op, Frame& frame);
  // Sets the results to `values`, with which their types must agree.
  bool FinishGraph(const Operation& op, Frame& frame, const Graph& graph,
                   const std::vector<Term>& values);
  bool ConvertChloUnary(const Operation& op, Frame& frame);
  // For functions of one array, element by element: treats `op` as the CHLO op `name`.
  static bool IsChloFunction(absl::string_view name);
  bool ConvertChloFunction(const Operation& op, Frame& frame, absl::string_view name);
  bool ConvertChloBinary(const Operation& op, Frame& frame);
  bool ApplyChloBinary(const Operation& op, Frame& frame, const Graph& graph,
                       absl::string_view name, const std::vector<Term>& arrays);
  bool ConvertConstantLike(const Operation& op, Frame& frame);
  bool ConvertTopK(const Operation& op, Frame& frame);
  bool EmitTopK(const Operation& op, Frame& frame, int64_t k, bool largest);
  // frontend/stablehlo/chlo/broadcast.cc
  bool ConvertChloBroadcast(const Operation& op, Frame& frame);
  bool CheckDynamicBroadcast(const Operation& op, Frame& frame, absl::string_view name);
  bool CheckQuantizedBroadcast(const Operation& op);
  bool ConvertQuantizedBroadcast(const Operation& op, Frame& frame, hlo::Opcode opcode);
  bool BroadcastArrays(const Operation& op, const hlo::Ints* places, std::vector<Term>* arrays);
  // known_calls.cc
  bool ConvertKnownCall(const Operation& op, Frame& frame, absl::string_view target, bool* known);
  bool EmitKnownCall(const Operation& op, Frame& frame, Graph& graph, const std::string& routine,
                     const Instructions& operands);
  bool ConvertTopKCall(const Operation& op, Frame& frame);
  bool ConvertApproxTopK(const Operation& op, Frame& frame);
  // frontend/stablehlo/chlo/scan.cc, frontend/stablehlo/chlo/ragged_dot.cc
  struct Scan {
    int64_t dim = 0, size = 0;
    bool reverse = false;
    int64_t inputs = 0, carries = 0, outputs = 0;
  };
  bool ReadScan(const Operation& op, Scan* scan);
  bool CheckScan(const Operation& op, const std::vector<Term>& inputs,
                 const std::vector<hlo::Shape>& outputs, Scan* scan);
  bool BuildScanBody(const Operation& op, const Scan& scan, hlo::Computation* step,
                     const hlo::Shape& state, hlo::Computation** body);
  bool ConvertScan(const Operation& op, Frame& frame);
  bool CheckDynamicScan(const Operation& op, Frame& frame, const Scan& scan);
  bool ConvertRaggedDot(const Operation& op, Frame& frame);
  struct RaggedDot {
    DotDims dims;
    int64_t ragged = 0;  // of lhs
    int64_t group = -1;  // of rhs, or -1
    hlo::AttrMap attrs;  // precision
    hlo::ElementType type = hlo::ElementType::kF32;
  };
  bool EmitRaggedDot(const Operation& op, Frame& frame, Graph& graph, const RaggedDot& dot,
                     const std::vector<Term>& operands);

  const mlir::Document& document_;
  hlo::Module& module_;
  const std::vector<std::string> kept_calls_;
  Errors errors_;
  absl::flat_hash_map<std::string, const Operation*> functions_;
  std::unordered_map<const Operation*, std::string> prefixes_;
  std::vector<const Operation*> function_order_;
  std::unordered_map<const Operation*, hlo::Computation*> converted_;
  std::vector<const Operation*> open_functions_;  // being converted
  std::unordered_map<const Operation*, absl::Status> cannot_run_;
  absl::Status runnable_;
  const Operation* entry_ = nullptr;
  std::unordered_map<const Operation*, bool> has_manual_;
  std::unordered_map<std::string, Mesh> meshes_;
  std::unordered_map<const hlo::Instruction*,
                     std::vector<std::pair<std::string, hlo::Instruction*>>>
      parts_;  // of whole arrays, by Sharding::Key
  std::unordered_map<const hlo::Instruction*, Sharding> spread_;  // as was last asked for
  std::vector<std::string> result_names_;
  EntryShardings shardings_;
};

// Returns the entry `name` of a custom call's backend_config, under each of the names that
// exporters give it, or null. known_calls.cc
const mlir::Attribute* BackendConfig(const mlir::Operation& op, absl::string_view name);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_CONVERT_CONVERT_H_
