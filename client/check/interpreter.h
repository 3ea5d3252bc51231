// The interpreter dialect of StableHLO's own test programs. interpreter.probe keeps the value of
// its operand each time it is computed. interpreter.run_parallel runs functions as the processes of
// a grid. Both become custom calls of the program, and this file declares what they call. Probes
// work on every target, because custom calls run on the host. The processes run on the reference.
#ifndef HALYARD_CLIENT_CHECK_INTERPRETER_H_
#define HALYARD_CLIENT_CHECK_INTERPRETER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "client/api/custom_call.h"
#include "frontend/hlo/ir/module.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::check {

inline constexpr char kProbeTarget[] = "interpreter.probe";
inline constexpr char kParallelTarget[] = "interpreter.run_parallel";

// One interpreter.probe of a program.
struct ProbeSite {
  std::string id;
  std::string type;  // in MLIR's spelling
  hlo::Shape shape;
};

// One interpreter.run_parallel of a program.
struct ParallelSite {
  std::string place;  // "file:line:col"
  hlo::GridShape grid;
  std::vector<std::string> programs;  // the function of each process, replica-major
  std::vector<std::string> infeed;    // functions that each return one array of the infeed, in
                                      // order
};

// Holds the probes and parallel runs of one program, and what the probes of its last run kept. The
// custom calls find it by a number while it exists.
class Interpreter {
 public:
  // A value that a probe saw. Values are in the order in which probes saw them.
  struct Seen {
    std::string id, type;
    hlo::Literal value;
  };

  Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  ~Interpreter();

  // Returns the backend_config for the custom call of the site.
  std::string Add(ProbeSite site);
  std::string Add(ParallelSite site);

  const std::vector<ParallelSite>& parallel_sites() const { return parallel_; }
  // Returns whether there is a module whose entry is function `name`. The modules of all sites must
  // be there before they run.
  bool HasModule(const std::string& name) const { return modules_.contains(name); }
  void SetModule(const std::string& name, std::unique_ptr<hlo::Module> module);

  // Forgets what was seen, because a run begins.
  void Clear();
  std::vector<Seen> seen() const;

 private:
  static absl::Status Call(const CustomCallArguments& arguments, bool parallel);
  absl::Status Probe(const ProbeSite& site, const CustomCallArguments& arguments);
  absl::Status RunParallel(const ParallelSite& site, const CustomCallArguments& arguments) const;

  const int64_t number_;
  std::vector<ProbeSite> probes_;
  std::vector<ParallelSite> parallel_;
  std::map<std::string, std::unique_ptr<hlo::Module>> modules_;
  mutable std::mutex mutex_;
  std::vector<Seen> seen_;
};

// Adds arrays to `folder` as probeN.npy, and describes them in its index.csv (lines
// "probe,type,file"), as StableHLO's interpreter does.
absl::Status WriteProbes(const std::vector<Interpreter::Seen>& seen, const std::string& folder);

}  // namespace halyard::check

#endif  // HALYARD_CLIENT_CHECK_INTERPRETER_H_
