// Code that tests of damaged inputs share: the sources, the number of seeds, and a watchdog.
#ifndef HALYARD_TESTS_FUZZ_DAMAGE_H_
#define HALYARD_TESTS_FUZZ_DAMAGE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace halyard {

// Returns the files of tests/FOLDER whose names end in `ending`.
std::vector<std::string> Sources(const std::vector<std::string>& folders,
                                 const std::string& ending);

struct Form {
  const char* name;
  std::vector<std::string> sources;
  bool text = false;
  std::function<absl::Status(const std::string& bytes)> read;
  // Corrects checksums after damage.
  std::function<void(std::string* bytes)> mend = {};
  // Whether errors must state a place, and so contain "error: ".
  bool places = false;
};

// Damages `form.sources`, which must be correct at first, and reads the results.
void ReadDamaged(const Form& form);

// 500 seeds by default, 10,000 with HALYARD_NIGHTLY=1, N with HALYARD_FUZZ_COUNT=N. With
// HALYARD_FUZZ_SEED=N, only the seed N.
struct Seeds {
  uint64_t first = 0, end = 500;
  static Seeds Wanted();
  uint64_t count() const { return end - first; }
};

// Ends the process with a message that names the input if that input takes too long.
class Watchdog {
 public:
  explicit Watchdog(const char* what);
  ~Watchdog();
  void Begin(uint64_t seed);

 private:
  void Watch();

  const char* const what_;
  std::atomic<uint64_t> seed_{0};
  std::atomic<int64_t> start_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace halyard

#endif  // HALYARD_TESTS_FUZZ_DAMAGE_H_
