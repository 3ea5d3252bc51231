#include "runtime/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/host.h"

// The vtable of an abstract class refers to this, which otherwise would come from libstdc++.
extern "C" __attribute__((weak)) void __cxa_pure_virtual() { abort(); }

namespace halyard::runtime {

struct Status::Rep {
  Code code;
  char message[];
};

namespace {
// This stands in when there is no memory for a message, because the status must still not be OK. It
// is never freed.
struct {
  Code code = Code::kResourceExhausted;
  char message[32] = "out of memory";
} out_of_memory;
}  // namespace

Status& Status::operator=(Status&& other) noexcept {
  Rep* taken = other.rep_;
  other.rep_ = nullptr;
  if (rep_ != reinterpret_cast<Rep*>(&out_of_memory)) HeapFree(rep_);
  rep_ = taken;
  return *this;
}

Status::~Status() {
  if (rep_ != reinterpret_cast<Rep*>(&out_of_memory)) HeapFree(rep_);
}

Code Status::code() const { return rep_ == nullptr ? Code::kOk : rep_->code; }

const char* Status::message() const { return rep_ == nullptr ? "" : rep_->message; }

void* Status::Release() {
  Rep* rep = rep_;
  rep_ = nullptr;
  return rep;
}

Status Status::Adopt(void* rep) {
  Status status;
  status.rep_ = static_cast<Rep*>(rep);
  return status;
}

Status MakeStatus(Code code, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length < 0) length = 0;
  Status status;
  status.rep_ = static_cast<Status::Rep*>(HeapAllocate(sizeof(Status::Rep) + length + 1));
  if (status.rep_ == nullptr) {
    status.rep_ = reinterpret_cast<Status::Rep*>(&out_of_memory);
  } else {
    status.rep_->code = code;
    vsnprintf(status.rep_->message, length + 1, format, again);
    status.rep_->message[length] = '\0';
  }
  va_end(again);
  return status;
}

}  // namespace halyard::runtime
