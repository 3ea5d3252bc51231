// Runs damaged programs through the C API.
#ifndef HALYARD_TESTS_FUZZ_BUNDLE_RUNNER_H_
#define HALYARD_TESTS_FUZZ_BUNDLE_RUNNER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/c_api/halyard_rt.h"

namespace halyard {

// Cancels runs that take long.
class Canceller {
 public:
  Canceller() : thread_([this] { Watch(); }) {}
  ~Canceller();
  // Runs may take this long.
  void set_patience(std::chrono::milliseconds patience);
  void Begin(hy_cancel* cancel);
  void End();

 private:
  void Watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  hy_cancel* running_ = nullptr;
  std::chrono::steady_clock::time_point since_;
  std::chrono::milliseconds patience_{60000};
  std::thread thread_;
};

// How many programs, or runs of them, came to which end.
struct Counts {
  int64_t refused = 0, too_large = 0, failed = 0, cancelled = 0, right = 0;
  std::string last_error;
};

using Array = std::unique_ptr<void, decltype(&free)>;

// Reads all that the API tells of a program, and runs each of its entries, with some of the sizes
// that it takes if it takes any.
class Runner {
 public:
  explicit Runner(Canceller* canceller) : canceller_(*canceller) {}

  // What a function that opens programs has returned. Frees both.
  void Take(hy_status status, hy_program* program, Counts* counts);

 private:
  struct Arrays {
    std::vector<Array> arguments, results;
  };
  bool MakeArrays(const hy_program* program, const int64_t* sizes, Arrays* arrays);
  void RunEntry(hy_program* program, Counts* counts);
  void RunWith(hy_program* program, const int64_t* sizes, Counts* counts);

  Canceller& canceller_;
};

}  // namespace halyard

#endif  // HALYARD_TESTS_FUZZ_BUNDLE_RUNNER_H_
