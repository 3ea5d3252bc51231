// A program in files, as tests/beside_xla/*.py and the sample have them: NAME.mlir, NAME.in.npz
// (arg0, arg1, ...) and NAME.out.npz (out0, out1, ..., which XLA has computed).
#ifndef HALYARD_TESTS_BESIDE_XLA_STORED_PROGRAM_H_
#define HALYARD_TESTS_BESIDE_XLA_STORED_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "tests/programs/agreement.h"

namespace halyard::testing {

class StoredProgram {
 public:
  // `stem` is the path up to NAME. Without results, there is nothing to compare with.
  static absl::StatusOr<StoredProgram> Read(const std::string& stem, bool with_results);

  absl::StatusOr<std::vector<hlo::Literal>> Run(Client& client) const;
  // Runs the program on the client's target. Returns "", or how the result differs from XLA's.
  // Errors are those of compiling and running.
  absl::StatusOr<std::string> Compare(Client& client);
  // Compares results. `flushes` says that the device takes f32 denormals for zeros.
  absl::StatusOr<std::string> Judge(const std::vector<hlo::Literal>& got, bool flushes);

 private:
  Program program_;
  std::vector<hlo::Literal> wanted_;
  std::unique_ptr<Agreement> agreement_;  // made when it is first needed
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_BESIDE_XLA_STORED_PROGRAM_H_
