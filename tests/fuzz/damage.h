// What tests of damaged inputs share: their sources, how many, and a watchdog.
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

// Files of tests/FOLDER with this ending.
std::vector<std::string> Sources(const std::vector<std::string>& folders,
                                 const std::string& ending);

struct Form {
  const char* name;
  std::vector<std::string> sources;
  bool text = false;
  std::function<absl::Status(const std::string& bytes)> read;
  // Corrects checksums.
  std::function<void(std::string* bytes)> mend = {};
  // An error has a place: "error: " is in it.
  bool places = false;
};

// Damages `form.sources`, which must be right at first, and reads the results.
void ReadDamaged(const Form& form);

// 500 seeds, 10,000 with HALYARD_NIGHTLY=1, N with HALYARD_FUZZ_COUNT=N; HALYARD_FUZZ_SEED=N is
// that one alone.
struct Seeds {
  uint64_t first = 0, end = 500;
  static Seeds Wanted();
  uint64_t count() const { return end - first; }
};

// Ends the process if an input takes too long, and says which input it was.
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
