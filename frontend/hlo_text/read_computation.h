// Computations and their instructions.
#ifndef HALYARD_FRONTEND_HLO_TEXT_READ_COMPUTATION_H_
#define HALYARD_FRONTEND_HLO_TEXT_READ_COMPUTATION_H_

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/hlo/ir/module.h"
#include "frontend/hlo/ir/op_table.h"
#include "frontend/hlo/processes/async_pairs.h"
#include "frontend/hlo_text/cursor.h"
#include "frontend/hlo_text/read_header.h"

namespace halyard::hlo_text {

// Reads computation after computation into a module. As in XLA, names are defined before they are
// used, so no computation can call itself. Calls nest at most 512 deep.
class ComputationReader {
 public:
  ComputationReader(Cursor& cursor, const SourceTables& tables, hlo::Module* module)
      : cursor_(cursor), tables_(tables), module_(module) {}

  // Reads one computation, which is the module's entry if the text says so.
  bool Read();

 private:
  struct Called {
    hlo::Computation* computation = nullptr;
    int depth = 0;  // of the calls in it
  };
  struct Signature {
    size_t offset = 0;
    std::vector<hlo::Shape> parameters;
    hlo::Shape result;
  };
  // An instruction, as far as it has been read.
  struct Pending {
    size_t offset = 0;
    std::string name;
    hlo::Opcode opcode;
    hlo::Shape shape;
    std::vector<hlo::Instruction*> operands;
    hlo::AttrMap attrs;
    std::vector<std::vector<hlo::Computation*>> called;  // for each name of the op table's row
    hlo::Literal literal;
    int64_t parameter_number = 0;
    bool is_async = false;  // whether it is an asynchronous start
    hlo::Provenance provenance;
  };

  bool ReadSignature(Signature* signature);
  bool CheckSignature(const Signature& signature, const hlo::Computation& computation);
  bool ReadBody(hlo::Computation* computation);
  bool FinishBody(size_t offset, hlo::Computation* computation);
  bool SkipTrailingAttributes();

  bool ReadInstruction(hlo::Computation* computation);
  bool ReadRest(Pending* pending);  // operands and attributes
  static void FillDimensions(Pending* pending);
  bool ReadOperands(Pending* pending);
  bool ReadOperandList(Pending* pending);
  bool AddInstruction(Pending pending, hlo::Computation* computation);

  // read_async.cc
  bool ReadAsync(const hlo::AsyncOp& op, Pending pending, bool is_root,
                 hlo::Computation* computation);
  bool ReadAsyncStart(hlo::Opcode opcode, Pending pending, bool is_root,
                      hlo::Computation* computation);
  bool ReadStart(hlo::Opcode opcode, hlo::AsyncStart* start);
  bool CheckStarts(size_t offset);

  bool ReadAttribute(Pending* pending);
  bool ReadMetadata(hlo::Provenance* provenance);
  bool ReadCalled(const hlo::OpRow& row, absl::string_view name, size_t offset, Pending* pending,
                  bool* known);
  bool ReadCallee(std::vector<hlo::Computation*>* callees);
  bool ReadBackendConfig(Pending* pending);

  Cursor& cursor_;
  const SourceTables& tables_;
  hlo::Module* module_;
  std::unordered_map<std::string, Called> computations_;
  // Instructions of the computation that is being read, and its asynchronous starts.
  std::unordered_map<std::string, hlo::Instruction*> instructions_;
  std::unordered_map<std::string, hlo::AsyncStart> starts_;
  hlo::Instruction* root_ = nullptr;
  int call_depth_ = 0;
};

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_READ_COMPUTATION_H_
