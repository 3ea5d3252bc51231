// What a Buffer refers to. The client and its executables share it.
#ifndef HALYARD_CLIENT_API_BUFFER_REP_H_
#define HALYARD_CLIENT_API_BUFFER_REP_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client/api/client.h"
#include "client/reports/profile.h"
#include "runtime/execute/context.h"

namespace halyard {

// Holds either memory of the runtime or, for the reference evaluator, a literal.
struct Buffer::Rep {
  hlo::Shape shape;
  hlo::Literal literal;
  runtime::Buffer* buffer = nullptr;
  std::shared_ptr<Profile> profile;  // null if no profile was asked for
  int device = 0;
  ~Rep();
  // Returns the same array on another logical device, which shares the memory.
  std::shared_ptr<Rep> Share(int on_device) const;
};

struct Place;
// Returns the array on `place`, which is logical device `device`: the same memory if that is of the
// same Context, else a copy, which may become ready later.
absl::StatusOr<Buffer> CopyToPlace(const Buffer& buffer, const Place& place, int device);

// Returns kInvalidArgument, naming the argument, unless `given` has the number and the shapes of
// `wanted`.
absl::Status CheckArguments(const std::vector<hlo::Shape>& wanted, absl::Span<const Buffer> given);

// Returns kInvalidArgument unless the grid has the process that the options name.
absl::Status CheckProcess(const Executable::Grid& grid, const RunOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_BUFFER_REP_H_
