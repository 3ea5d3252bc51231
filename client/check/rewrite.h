// Rewrites a test program into one that can be compiled. Only check.cc uses this.
#ifndef HALYARD_CLIENT_CHECK_REWRITE_H_
#define HALYARD_CLIENT_CHECK_REWRITE_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absl/status/status.h"
#include "client/check/check.h"
#include "client/check/interpreter.h"
#include "client/check/ops.h"

namespace halyard::check {

using Operations = std::vector<std::unique_ptr<mlir::Operation>>;

struct Constant {
  const mlir::Attribute* value = nullptr;  // a dense attribute
  const mlir::Type* type = nullptr;
};

struct Function {
  mlir::Operation* op = nullptr;
  Operations* home = nullptr;  // the list that holds `op`
  std::string name;
  bool runs = false;             // whether it runs on its own
  bool takes_arguments = false;  // whether it takes arguments before any are added
  // True if every use is a call directly from the body of a function that may change, too, so that
  // arguments and results may be added.
  bool may_change = true;
  bool probes = false;         // whether its body has an interpreter.probe
  std::string parallel_place;  // place of its first interpreter.run_parallel
  enum class State : uint8_t { kNew, kOpen, kDone } state = State::kNew;
  absl::Status status;  // status of the rewrite
  // What the rewrite adds: an argument for each constant, and the expectations' operands as
  // results.
  std::vector<Constant> constants;
  std::vector<Expectation> expectations;

  const mlir::Type* type() const;  // null if it has no type
  const mlir::Block* body() const;
};

// Finds the functions of a document.
std::vector<std::unique_ptr<Function>> FindFunctions(mlir::Document& document);

// Returns the names of functions that an operation refers to.
std::unordered_set<std::string> OwnSymbols(const mlir::Operation& op);
// Adds the names of functions that the operation and everything in its regions refer to.
void AddSymbols(const mlir::Operation& op, std::unordered_set<std::string>* names);

class Program::Rewrite {
 public:
  Rewrite(mlir::Document& document, const std::vector<std::unique_ptr<Function>>& functions,
          Interpreter& interpreter, bool hoist_constants);

  // Rewrites every function, callees first, and sets its status.
  void RewriteAll();

  // Makes a function that calls each of `functions` and returns all their results, one after the
  // other.
  static std::unique_ptr<mlir::Operation> MakeEntry(mlir::Document& document,
                                                    const std::vector<const Function*>& functions,
                                                    absl::string_view name);

 private:
  absl::Status Process(Function& function);
  absl::Status ProcessBody(Function& function, mlir::Block& block);
  absl::Status ProcessCall(Function& function, mlir::Block& block, mlir::Operation& call);
  absl::Status CheckRegions(const mlir::Operation& op) const;
  bool MayHoist(const mlir::Operation& op) const;
  mlir::Value* AddArgument(Function& function, mlir::Block& block, Constant constant);
  void FindUses(const mlir::Operation& op, const Function* function, bool in_region);
  void FindFixed(const mlir::Block& block);
  absl::Status Fail(const mlir::Operation& op, absl::string_view message) const;

  // Replaces the ops of the interpreter dialect by custom calls (rewrite_interpreter.cc).
  absl::Status RewriteInterpreter(Function& function, const mlir::Region& region, bool in_region);
  absl::Status RewriteProbe(Function& function, mlir::Operation& op);
  absl::Status RewriteParallel(Function& function, mlir::Operation& op);
  absl::Status ReadPrograms(const mlir::Operation& op, ParallelSite* site) const;

  mlir::Document& document_;
  Interpreter& interpreter_;
  const std::vector<std::unique_ptr<Function>>& functions_;
  const bool hoist_constants_;
  std::unordered_map<std::string, Function*> by_name_;
  std::vector<std::pair<Function*, Function*>> calls_;  // caller, callee
  std::unordered_set<const mlir::Value*> fixed_;        // values that stay where they are
  int depth_ = 0;                                       // number of functions that are being
                                                        // rewritten
  std::vector<mlir::Value*> results_;                   // results to add to the current function
};

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_REWRITE_H_
