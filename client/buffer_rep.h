// What stands behind a Buffer; shared by the client and its executables.
#ifndef HALYARD_CLIENT_BUFFER_REP_H_
#define HALYARD_CLIENT_BUFFER_REP_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client/client.h"
#include "client/profile.h"
#include "runtime/context.h"

namespace halyard {

// Either memory of the runtime or, for the reference evaluator, a literal.
struct Buffer::Rep {
  hlo::Shape shape;
  hlo::Literal literal;
  runtime::Buffer* buffer = nullptr;
  std::shared_ptr<Profile> profile;  // null: none is asked for
  ~Rep() {
    if (buffer != nullptr) buffer->Release();
  }
};

// kInvalidArgument, naming the argument, unless `given` are as many and of the shapes `wanted`.
absl::Status CheckArguments(const std::vector<hlo::Shape>& wanted, absl::Span<const Buffer> given);

}  // namespace halyard

#endif  // HALYARD_CLIENT_BUFFER_REP_H_
