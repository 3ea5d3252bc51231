// PJRT_Buffer is a handle on an array of the device, or on the error of what should have made it.
#ifndef HALYARD_CLIENT_PJRT_BUFFER_H_
#define HALYARD_CLIENT_PJRT_BUFFER_H_

#include <memory>
#include <mutex>
#include <optional>

#include "absl/status/statusor.h"
#include "client/pjrt/array_type.h"
#include "client/pjrt/event.h"
#include "client/pjrt/platform.h"

namespace halyard::pjrt {

// What several users may hold at once: handles, work in flight, NumPy arrays that alias the memory,
// and events.
struct Contents {
  std::optional<Buffer> array;  // if empty, `error` says why
  absl::Status error;
  // Made when it is first asked for, with the mutex of the handle held.
  std::shared_ptr<EventState> ready;
};

}  // namespace halyard::pjrt

struct PJRT_Buffer {
  PJRT_Buffer(std::shared_ptr<PJRT_Client> owner, int on_device, halyard::hlo::Shape array_shape,
              std::shared_ptr<halyard::pjrt::Contents> made)
      : client(std::move(owner)),
        device(on_device),
        shape(std::move(array_shape)),
        contents(std::move(made)) {}

  const std::shared_ptr<PJRT_Client> client;
  const int device;
  const halyard::hlo::Shape shape;  // row-major, or a token

  std::mutex mutex;  // guards the fields below
  // Null once the buffer is deleted or donated.
  std::shared_ptr<halyard::pjrt::Contents> contents;
  // External references keep the memory even if the buffer is deleted.
  int64_t external_references = 0;
  std::shared_ptr<halyard::pjrt::Contents> kept;
};

namespace halyard::pjrt {

PJRT_Buffer* NewBuffer(const std::shared_ptr<PJRT_Client>& client, Buffer array);
PJRT_Buffer* NewErrorBuffer(const std::shared_ptr<PJRT_Client>& client, int device,
                            hlo::Shape shape, absl::Status error);

// Returns FailedPrecondition if the buffer has been deleted or donated.
absl::StatusOr<std::shared_ptr<Contents>> ContentsOf(PJRT_Buffer* buffer);
// Returns the event that is set when the array is ready, with the error of the run that makes it.
std::shared_ptr<EventState> ReadyEvent(PJRT_Buffer* buffer,
                                       const std::shared_ptr<Contents>& contents);

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_BUFFER_H_
