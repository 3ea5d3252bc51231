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
  // private ones that others call; and @main.
  std::vector<std::string> functions() const;

  // Runs the functions and says of each what was wrong first. Checks become results of the
  // functions that they are in, constants become arguments (else they and all that follows from
  // them would be computed when compiling), and all functions become one program; if that cannot be
  // compiled or run, each becomes its own. `data` is the folder of expect_serialized_eq's arrays.
  std::vector<absl::Status> Run(Client& client, const std::string& data,
                                const CompileOptions& options = {});

 private:
  class Focus;
  class Rewrite;
  Program() = default;
  void Prepare(bool hoist_constants);
  std::vector<const Function*> Running() const;
  // Of each of `functions`, unless that is impossible for all of them together.
  struct Runner {
    Client& client;
    const std::string& data;
    const CompileOptions& options;
  };
  absl::Status RunTogether(const Runner& runner, const std::vector<const Function*>& functions,
                           std::vector<absl::Status>* outcomes);
  void RunOrSplit(const Runner& runner, const std::vector<const Function*>& functions,
                  std::vector<absl::Status>* outcomes);

  std::unique_ptr<mlir::Document> document_;
  std::vector<std::unique_ptr<Function>> functions_;
  bool prepared_ = false;
};

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_H_
