// Test programs: functions without arguments whose check ops (check_ops.h) say what they must
// compute.
#ifndef HALYARD_CLIENT_CHECK_H_
#define HALYARD_CLIENT_CHECK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/client.h"
#include "frontend/mlir/ast.h"

namespace halyard::check {

// The programs of a file, which lines `// -----` divide; those without any word are left out. Each
// stands behind as many line breaks as come before it, so that its places are the file's.
std::vector<std::string> SplitPrograms(absl::string_view text);

struct Function;
class Interpreter;

struct RunSettings {
  std::string data;    // folder with the arrays of expect_serialized_eq; "": none
  std::string probes;  // folder that the probes' arrays are added to; "": none
};

// Makes the folder of RunSettings::probes if need be, and takes away an index.csv of before.
absl::Status StartProbes(const std::string& folder);

// A function of a test program as a program that computes the values that its checks compare.
struct Runnable {
  std::string function;
  std::unique_ptr<hlo::Module> module;
  std::vector<hlo::Literal> arguments;  // the function's constants
};

// One program.
class Program {
 public:
  // `bytes` must outlive the program. Errors are located.
  static absl::StatusOr<std::unique_ptr<Program>> Read(absl::string_view bytes,
                                                       absl::string_view filename);
  ~Program();

  // What is wrong with it: located, the first only. The checks are verified, and not run.
  absl::Status Verify();

  // Names of the functions to be run, in the program's order: those without arguments, but for
  // private ones that others call and those that interpreter.run_parallel runs; and @main.
  std::vector<std::string> functions() const;

  // The functions to be run, each as a program of its own; those that are wrong, or have ops of the
  // interpreter dialect, are left out. For tests with other arguments.
  std::vector<Runnable> Runnables();

  // Runs the functions and says of each what was wrong first. Checks become results of the
  // functions that they are in, constants become arguments (else they and all that follows from
  // them would be computed when compiling), and all functions become one program; if that cannot be
  // compiled or run, each becomes its own, and so does one with ops of the interpreter dialect.
  // expect_serialized_eq takes what the run's own probes saw, else the arrays of `settings.data`.
  // interpreter.run_parallel needs a client of `reference`.
  std::vector<absl::Status> Run(Client& client, const RunSettings& settings,
                                const CompileOptions& options = {});

 private:
  class Focus;
  class Rewrite;
  Program() = default;
  void Prepare(bool hoist_constants);
  std::vector<const Function*> Running() const;
  // What of the interpreter dialect the functions reached from `function` have; an error where the
  // client cannot run it.
  absl::StatusOr<bool> UsesInterpreter(const Client& client, const Function& function) const;
  absl::Status MakeProcesses();
  // Of each of `functions`, unless that is impossible for all of them together.
  struct Runner {
    Client& client;
    const RunSettings& settings;
    const CompileOptions& options;
  };
  absl::StatusOr<Runnable> MakeRunnable(const std::vector<const Function*>& functions);
  absl::Status RunTogether(const Runner& runner, const std::vector<const Function*>& functions,
                           std::vector<absl::Status>* outcomes);
  void RunOrSplit(const Runner& runner, const std::vector<const Function*>& functions,
                  std::vector<absl::Status>* outcomes);

  std::unique_ptr<mlir::Document> document_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::unique_ptr<Interpreter> interpreter_;
  bool prepared_ = false;
};

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_H_
