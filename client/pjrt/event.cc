#include "client/pjrt/event.h"

#include <utility>

namespace halyard::pjrt {

std::shared_ptr<EventState> EventState::Done(absl::Status status) {
  auto state = std::make_shared<EventState>();
  state->set_ = true;
  state->status_ = std::move(status);
  return state;
}

void EventState::Set(absl::Status status) {
  std::vector<Callback> callbacks;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (set_) return;
    set_ = true;
    status_ = status;
    callbacks.swap(callbacks_);
    changed_.notify_all();
  }
  for (const Callback& callback : callbacks) callback(status);
}

bool EventState::IsSet() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return set_;
}

absl::Status EventState::Await() const {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return set_; });
  return status_;
}

void EventState::OnReady(Callback callback) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!set_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback(status_);
}

PJRT_Event* NewEvent(std::shared_ptr<EventState> state) { return new PJRT_Event{std::move(state)}; }

namespace {

absl::Status Destroy(PJRT_Event_Destroy_Args& args) {
  delete args.event;
  return absl::OkStatus();
}

absl::Status IsReady(PJRT_Event_IsReady_Args& args) {
  HALYARD_PJRT_NEED(args.event);
  args.is_ready = args.event->state->IsSet();
  return absl::OkStatus();
}

// An error that is returned may be that of the event or that of this call.
absl::Status Error(PJRT_Event_Error_Args& args) {
  HALYARD_PJRT_NEED(args.event);
  if (!args.event->state->IsSet())
    return absl::FailedPreconditionError("PJRT_Event_Error: the event has not happened yet");
  return args.event->state->Await();
}

absl::Status Await(PJRT_Event_Await_Args& args) {
  HALYARD_PJRT_NEED(args.event);
  return args.event->state->Await();
}

absl::Status OnReady(PJRT_Event_OnReady_Args& args) {
  HALYARD_PJRT_NEED(args.event);
  HALYARD_PJRT_NEED(args.callback);
  const PJRT_Event_OnReadyCallback callback = args.callback;
  void* const argument = args.user_arg;
  args.event->state->OnReady(
      [callback, argument](const absl::Status& status) { callback(ToError(status), argument); });
  return absl::OkStatus();
}

absl::Status Create(PJRT_Event_Create_Args& args) {
  args.event = NewEvent(std::make_shared<EventState>());
  return absl::OkStatus();
}

absl::Status Set(PJRT_Event_Set_Args& args) {
  HALYARD_PJRT_NEED(args.event);
  HALYARD_PJRT_NEED_LIST(args.error_message, args.error_message_size);
  if (args.event->state->IsSet())
    return absl::FailedPreconditionError("PJRT_Event_Set: the event has happened already");
  args.event->state->Set(FromCode(args.error_code, args.error_message, args.error_message_size));
  return absl::OkStatus();
}

}  // namespace

void AddEventEntries(PJRT_Api* api) {
  HALYARD_PJRT_SERVE(api, PJRT_Event_Destroy, Destroy);
  HALYARD_PJRT_SERVE(api, PJRT_Event_IsReady, IsReady);
  HALYARD_PJRT_SERVE(api, PJRT_Event_Error, Error);
  HALYARD_PJRT_SERVE(api, PJRT_Event_Await, Await);
  HALYARD_PJRT_SERVE(api, PJRT_Event_OnReady, OnReady);
  HALYARD_PJRT_SERVE(api, PJRT_Event_Create, Create);
  HALYARD_PJRT_SERVE(api, PJRT_Event_Set, Set);
}

}  // namespace halyard::pjrt
