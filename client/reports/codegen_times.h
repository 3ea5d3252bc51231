// When each kernel of a batch was compiled, for profiles.
#ifndef HALYARD_CLIENT_REPORTS_CODEGEN_TIMES_H_
#define HALYARD_CLIENT_REPORTS_CODEGEN_TIMES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/reports/profile.h"

namespace halyard {

// Follows a batch of kernels through the codegen service, which starts them in order, the next one
// as soon as one of its processes is free.
class CodegenTimes {
 public:
  // `profile` receives the events. If it is null, nothing is recorded.
  CodegenTimes(Profile* profile, std::vector<std::string> names);
  void Done(size_t index);

 private:
  struct Running {
    int64_t begin_ns = 0;
    int lane = 0;
  };
  void Start(int lane);

  Profile* profile_;
  std::vector<std::string> names_;
  std::vector<Running> running_;
  size_t next_ = 0;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_CODEGEN_TIMES_H_
