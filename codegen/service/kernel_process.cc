#include "codegen/service/kernel_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "codegen/compile_kernel.h"
#include "codegen/service/frame.h"
#include "frontend/files/address_space.h"
#include "frontend/files/system_error.h"

namespace halyard::lowering {

namespace {

// Halide recurses deeply on deep expressions.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kStackBytes = size_t{60} << 20;  // it loses track of larger ones at an exception
#else
constexpr size_t kStackBytes = size_t{256} << 20;
#endif

// The service sends a process messages that begin with one of these bytes. A request is the last:
// it takes up the rest of the pipe.
constexpr char kWarmUp = 'w', kRequest = 'r';

struct ChildTask {
  int request_fd;
  std::string reply;
};

// Faults for tests of what a failing code generator does to its users: $HALYARD_CODEGEN_FAULT is
// `KIND:TEXT`, and happens to kernels whose request holds TEXT. Real ones are Halide's: assertions
// of its LLVM, recursion over deep expressions, endless passes.
int RecurseForever(volatile char* frame) {
  volatile char here[4096];
  here[0] = *frame;
  return *frame == 0 ? 0 : RecurseForever(here) + here[0];  // `frame` is never 0
}

void InjectFault(const std::string& request) {
  const char* asked = getenv("HALYARD_CODEGEN_FAULT");
  if (asked == nullptr) return;
  const std::string fault = asked;
  const size_t colon = fault.find(':');
  if (colon == std::string::npos || request.find(fault.substr(colon + 1)) == std::string::npos)
    return;
  const std::string kind = fault.substr(0, colon);
  volatile char seed = 1;
  if (kind == "abort") abort();
  if (kind == "overflow") RecurseForever(&seed);
  if (kind == "hang") {
    while (seed != 0) {
    }
  }
  if (kind == "memory") {
    for (std::vector<std::string> hoard; seed != 0;) hoard.emplace_back(size_t{64} << 20, 'x');
  }
}

// Ties this process to the service: it ends with it.
void BelongTo(pid_t service, const std::vector<int>& streams) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != service) _exit(1);  // it has ended already
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : streams) nothing < 0 ? close(stream) : dup2(nothing, stream);
}

void CompileEmptyFunction() {
  const Halide::Target target("x86-64-linux-sse41-no_runtime-no_asserts-no_bounds_query");
  Halide::Module module("warm", target);
  module.append(Halide::Internal::LoweredFunc(
      "warm", std::vector<Halide::Internal::LoweredArgument>(), Halide::Internal::Evaluate::make(0),
      Halide::LinkageType::External));
  try {
    module.compile({{Halide::OutputFileType::object, "/dev/null"}});
  } catch (const std::exception&) {
    // If something is wrong, the next request reports it.
  }
}

// Ends the process where there is none.
std::string ReadRequest(int fd) {
  std::string request;
  char buffer[65536];
  bool is_warm = false;
  while (true) {
    const ssize_t got = read(fd, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    absl::string_view bytes(buffer, static_cast<size_t>(got));
    while (request.empty() && absl::ConsumePrefix(&bytes, absl::string_view(&kWarmUp, 1))) {
      if (!std::exchange(is_warm, true)) CompileEmptyFunction();
    }
    request.append(bytes.begin(), bytes.end());
  }
  if (request.empty()) _exit(0);
  return request.substr(1);
}

void* CompileOnBigStack(void* argument) {
  auto* task = static_cast<ChildTask*>(argument);
  const std::string bytes = ReadRequest(task->request_fd);
  InjectFault(bytes);
  Frame frame;
  absl::StatusOr<KernelRequest> request = KernelRequest::Parse(bytes);
  absl::StatusOr<KernelReply> reply =
      request.ok() ? CompileKernel(*request) : absl::StatusOr<KernelReply>(request.status());
  if (reply.ok()) {
    frame.bytes = reply->Serialize();
  } else {
    frame.code = reply.status().code();
    frame.bytes = std::string(reply.status().message());
  }
  task->reply = EncodeFrame(frame);
  return nullptr;
}

// The process ends soon, so its one heap grows in large steps, and memory is not given back. A heap
// of the compiling thread's own would grow by hundreds of small system calls.
void GrowHeapInLargeSteps() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, 16 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

[[noreturn]] void Compile(int request_fd, int reply_fd, const ServiceOptions& options) {
  LimitAddressSpace(static_cast<int64_t>(kStackBytes) + options.memory_bytes_per_kernel);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  GrowHeapInLargeSteps();
  Halide::set_compiler_stack_size(0);  // not the 32 MiB that it would switch to
  ChildTask task{request_fd, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, CompileOnBigStack, &task) != 0) _exit(kNoThread);
  pthread_join(thread, nullptr);
  WriteAll(reply_fd, task.reply);
  _exit(0);
}

// Pipes that close by themselves unless Release is called.
class Pipe {
 public:
  Pipe() : status_(pipe2(ends_, O_CLOEXEC) == 0 ? 0 : errno) {}
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  int error() const { return status_; }
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  int ReleaseReading() { return std::exchange(ends_[0], -1); }
  int ReleaseWriting() { return std::exchange(ends_[1], -1); }

 private:
  int ends_[2] = {-1, -1};
  int status_;
};

}  // namespace

bool WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

void WarmUp() { Halide::Internal::CodeGen_LLVM::initialize_llvm(); }

void WarmUpLlvm() {
  static bool is_warm = false;  // also in processes that are forked from a warm one
  if (!std::exchange(is_warm, true)) CompileEmptyFunction();
}

bool WarmUpProcess(const KernelProcess& process) {
  return WriteAll(process.request_fd, absl::string_view(&kWarmUp, 1));
}

bool SendRequest(const KernelProcess& process, absl::string_view request) {
  return WriteAll(process.request_fd, absl::string_view(&kRequest, 1)) &&
         WriteAll(process.request_fd, request);
}

absl::StatusOr<KernelProcess> ForkKernelProcess(const std::vector<int>& streams,
                                                const ServiceOptions& options) {
  Pipe request, reply, errors;
  for (const Pipe* pipe : {&request, &reply, &errors}) {
    if (pipe->error() == 0) continue;
    return absl::ResourceExhaustedError(
        absl::StrCat("halyard-codegen: pipe: ", SystemErrorText(pipe->error())));
  }
  const pid_t service = getpid(), pid = fork();
  if (pid < 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("halyard-codegen: fork: ", SystemErrorText(errno)));
  }
  if (pid == 0) {
    BelongTo(service, streams);
    dup2(errors.writing(), STDERR_FILENO);
    close(request.ReleaseWriting());  // else its end would not come
    Compile(request.reading(), reply.writing(), options);
  }
  return KernelProcess{pid, request.ReleaseWriting(), reply.ReleaseReading(),
                       errors.ReleaseReading()};
}

}  // namespace halyard::lowering
