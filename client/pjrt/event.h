// PJRT_Event is a handle on something that happens once, often long after the handle is destroyed.
#ifndef HALYARD_CLIENT_PJRT_EVENT_H_
#define HALYARD_CLIENT_PJRT_EVENT_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "client/pjrt/entry.h"

namespace halyard::pjrt {

// Thread-safe.
class EventState {
 public:
  using Callback = std::function<void(const absl::Status&)>;

  static std::shared_ptr<EventState> Done(absl::Status status = absl::OkStatus());

  // Sets the status and runs the callbacks. Only the first call has an effect.
  void Set(absl::Status status);
  bool IsSet() const;
  absl::Status Await() const;
  // Calls `callback` at once if the event has happened, or else later on the thread that calls Set.
  void OnReady(Callback callback);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool set_ = false;
  absl::Status status_;
  std::vector<Callback> callbacks_;
};

PJRT_Event* NewEvent(std::shared_ptr<EventState> state);

}  // namespace halyard::pjrt

struct PJRT_Event {
  std::shared_ptr<halyard::pjrt::EventState> state;
};

#endif  // HALYARD_CLIENT_PJRT_EVENT_H_
