#include "client/ffi/handler.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/api/custom_call.h"
#include "client/ffi/call_frame.h"

namespace halyard {
namespace {

// A function with the calls of it that have been made so far. Equal calls are read only once.
class Handler {
 public:
  explicit Handler(XLA_FFI_Handler* function) : function_(function) {}

  absl::Status Call(const CustomCallArguments& arguments) {
    absl::StatusOr<const ffi::CallSite*> site =
        SiteOf({std::string(arguments.types), std::string(arguments.config)});
    if (!site.ok()) return site.status();
    return (*site)->Call(function_, XLA_FFI_ExecutionStage_EXECUTE, arguments.in, arguments.out);
  }

 private:
  absl::StatusOr<const ffi::CallSite*> SiteOf(const std::pair<std::string, std::string>& key) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = sites_.find(key); known != sites_.end()) return known->second.get();
    absl::StatusOr<std::unique_ptr<ffi::CallSite>> site =
        ffi::CallSite::Read(key.first, key.second);
    if (!site.ok()) return site.status();
    return (sites_[key] = *std::move(site)).get();
  }

  XLA_FFI_Handler* const function_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ffi::CallSite>> sites_;
};

}  // namespace

absl::Status RegisterFfiHandler(absl::string_view name, XLA_FFI_Handler* function) {
  if (function == nullptr) return absl::InvalidArgumentError("the function is missing");
  if (absl::Status status = ffi::CheckVersion(function); !status.ok())
    return absl::Status(status.code(), absl::StrCat("'", name, "': ", status.message()));
  auto handler = std::make_shared<Handler>(function);
  RegisterCustomCall(
      name, [handler](const CustomCallArguments& arguments) { return handler->Call(arguments); });
  return absl::OkStatus();
}

}  // namespace halyard
