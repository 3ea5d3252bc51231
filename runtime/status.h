// Status of the free-standing runtime.
//
// runtime/ is what applications embed: C++20 without exceptions, RTTI, iostream, Abseil or any
// libstdc++ symbol (no std:: containers, no operator new, no thread-safe statics, no std::thread:
// libc, libm, libdl and pthread only). client/ turns this into absl::Status.
#ifndef HALYARD_RUNTIME_STATUS_H_
#define HALYARD_RUNTIME_STATUS_H_

#include <stdarg.h>
#include <stdint.h>

namespace halyard::runtime {

// The values are those of absl::StatusCode.
enum class Code : int32_t {
  kOk = 0,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
};

// A code and an owned message. Move-only and as wide as one pointer. The OK status allocates
// nothing.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Status&& other) noexcept : rep_(other.rep_) { other.rep_ = nullptr; }
  Status& operator=(Status&& other) noexcept;
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status();

  bool ok() const { return rep_ == nullptr; }
  Code code() const;
  const char* message() const;  // "" when ok
  // Hands over the storage of the message (for the C API). The status becomes OK.
  void* Release();
  static Status Adopt(void* rep);

 private:
  friend Status MakeStatus(Code code, const char* format, ...);
  struct Rep;
  Rep* rep_ = nullptr;
};

// Formats the message like printf.
Status MakeStatus(Code code, const char* format, ...) __attribute__((format(printf, 2, 3)));

#define HY_RETURN_IF_ERROR(expression)                    \
  do {                                                    \
    ::halyard::runtime::Status hy_status_ = (expression); \
    if (!hy_status_.ok()) return hy_status_;              \
  } while (false)

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_STATUS_H_
