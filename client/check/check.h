// Test programs: functions without arguments whose check ops (ops.h) state what they must
// compute.
#ifndef HALYARD_CLIENT_CHECK_CHECK_H_
#define HALYARD_CLIENT_CHECK_CHECK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/api/client.h"
#include "frontend/mlir/ast.h"

namespace halyard::check {

// Returns the programs of a file, which lines `// -----` divide, except programs without a word.
// Each program begins with as many line breaks as precede it in the file, so that places in it are
// places in the file.
std::vector<std::string> SplitPrograms(absl::string_view text);

struct Function;
class Interpreter;

struct RunSettings {
  std::string data;    // folder with the arrays of expect_serialized_eq; "" if there is none
  std::string probes;  // folder to which the probes' arrays are added; "" if there is none
};

// Makes the folder of RunSettings::probes if necessary, and removes an earlier index.csv.
absl::Status StartProbes(const std::string& folder);

// A function of a test program, as a program that computes the values that its checks compare.
struct Runnable {
  std::string function;
  std::unique_ptr<hlo::Module> module;
  std::vector<hlo::Literal> arguments;  // the function's constants
};

// One test program.
class Program {
 public:
  // `bytes` must outlive the program. Errors have a place.
  static absl::StatusOr<std::unique_ptr<Program>> Read(absl::string_view bytes,
                                                       absl::string_view filename);
  ~Program();

  // Returns the first error of the program, with its place. Verifies the checks without running
  // them.
  absl::Status Verify();

  // Returns the names of the functions to run, in the program's order: @main, and the functions
  // without arguments except for private functions that others call and functions that
  // interpreter.run_parallel runs.
  std::vector<std::string> functions() const;

  // Returns the functions to run, each as a program of its own, for tests with other arguments.
  // Leaves out functions that are wrong or that have ops of the interpreter dialect.
  std::vector<Runnable> Runnables();

  // Runs the functions and returns the first error of each. Checks become results of the functions
  // that contain them. Constants become arguments, because they and all that follows from them
  // would otherwise be computed when compiling. All functions become one program. If that program
  // cannot be compiled or run, each function becomes its own program, and so does a function with
  // ops of the interpreter dialect. expect_serialized_eq compares with what the run's own probes
  // saw, or else with the arrays in `settings.data`. interpreter.run_parallel needs a client of
  // `reference`.
  std::vector<absl::Status> Run(Client& client, const RunSettings& settings,
                                const CompileOptions& options = {});

 private:
  class Focus;
  class Rewrite;
  Program() = default;
  void Prepare(bool hoist_constants);
  std::vector<const Function*> Running() const;
  // Returns whether the functions that `function` reaches use the interpreter dialect, or an error
  // if the client cannot run them.
  absl::StatusOr<bool> UsesInterpreter(const Client& client, const Function& function) const;
  absl::Status MakeProcesses();
  // What every run of functions needs.
  struct Runner {
    Client& client;
    const RunSettings& settings;
    const CompileOptions& options;
  };
  absl::StatusOr<Runnable> MakeRunnable(const std::vector<const Function*>& functions);
  // Runs `functions` as one program, and sets one outcome for each of them. If the program cannot
  // be compiled or run, returns the error instead.
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

#endif  // HALYARD_CLIENT_CHECK_CHECK_H_
