#include "autotuner/measure/machine_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/device_class.h"

namespace halyard::autotuner {

namespace {

class SharingCompiler : public lowering::KernelCompiler {
 public:
  SharingCompiler(lowering::KernelCompiler* compiler, MachineLock* lock)
      : compiler_(compiler), lock_(lock) {}
  absl::Status Start() override { return compiler_->Start(); }
  std::vector<absl::StatusOr<lowering::KernelReply>> Compile(
      absl::Span<const lowering::KernelRequest> requests,
      const std::function<void(size_t index)>& done) override {
    MachineLock::Hold hold(lock_, /*shared=*/true);
    return compiler_->Compile(requests, done);
  }

 private:
  lowering::KernelCompiler* const compiler_;
  MachineLock* const lock_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<MachineLock>> MachineLock::Open(const std::string& name) {
  const char* folder = getenv("TMPDIR");
  const std::string path = absl::StrCat(folder != nullptr && *folder != '\0' ? folder : "/tmp",
                                        "/halyard-", geteuid(), "-", name, ".lock");
  // Other users may write to that folder, so no link is followed, and no file of theirs is used.
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  struct stat is = {};
  if (file >= 0 && fstat(file, &is) == 0 && is.st_uid == geteuid() && S_ISREG(is.st_mode))
    return std::unique_ptr<MachineLock>(new MachineLock(file));
  const std::string why = file < 0 ? strerror(errno) : "it is another user's";
  if (file >= 0) close(file);
  return absl::FailedPreconditionError(
      absl::StrCat(path, ", by which processes on this machine take turns: ", why));
}

MachineLock::~MachineLock() { close(file_); }

MachineLock::Hold::Hold(MachineLock* lock, bool shared) : lock_(lock) {
  if (lock_ == nullptr || lock_->depth_++ > 0) return;
  // flock has no time limit of its own.
  constexpr int kMilliseconds = 300000;
  for (int i = 0; i < kMilliseconds; ++i) {
    if (flock(lock_->file_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) return;
    usleep(1000);
  }
}

MachineLock::Hold::~Hold() {
  if (lock_ != nullptr && --lock_->depth_ == 0) (void)flock(lock_->file_, LOCK_UN);
}

std::string MachineLockName(const runtime::DeviceInfo& device, int device_index) {
  if (runtime::RunsOnCpu(device)) return "measure-cpu";
  return absl::StrCat("measure-", runtime::KindName(device.kind), device_index);
}

std::unique_ptr<lowering::KernelCompiler> CompilerBesideOthers(lowering::KernelCompiler* compiler,
                                                               MachineLock* lock) {
  return std::make_unique<SharingCompiler>(compiler, lock);
}

}  // namespace halyard::autotuner
