#include "codegen/service/service.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "Halide.h"
#include "absl/strings/str_cat.h"
#include "codegen/compile_kernel.h"
#include "codegen/service/frame.h"
#include "frontend/files/system_error.h"

namespace halyard::lowering {

namespace {

using Clock = std::chrono::steady_clock;

// Halide recurses deeply on deep expressions.
constexpr size_t kStackBytes = size_t{256} << 20;

// The exit status of a child whose thread could not be started.
constexpr int kNoThread = 3;

bool WriteAll(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Makes LLVM and Halide load and initialise everything that a compile needs.
void WarmUp() {
  Halide::Var x("x");
  Halide::Func f("warm");
  Halide::ImageParam in(Halide::Float(32), 1, "warm_in");
  f(x) = in(x) + 1.0f;
  f.vectorize(x, 8);
  Halide::Target target("x86-64-linux-sse41-no_runtime-no_asserts-no_bounds_query");
  try {
    Halide::Module module = Halide::Pipeline(f).compile_to_module({in}, "warm", target);
    module.compile({{Halide::OutputFileType::object, "/dev/null"}});
  } catch (const std::exception&) {
    // If something is wrong, the first real request will report it.
  }
}

struct ChildTask {
  const std::string* request;
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

void* CompileOnBigStack(void* argument) {
  auto* task = static_cast<ChildTask*>(argument);
  InjectFault(*task->request);
  Frame frame;
  absl::StatusOr<KernelRequest> request = KernelRequest::Parse(*task->request);
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

int64_t AddressSpaceBytes() {
  FILE* file = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (file != nullptr) {
    if (fscanf(file, "%ld", &pages) != 1) pages = 0;
    fclose(file);
  }
  return static_cast<int64_t>(pages) * sysconf(_SC_PAGESIZE);
}

// Ties this process to the service: it ends with it, and does not keep the service's streams, whose
// end says to the asker that the service is gone.
void BelongTo(pid_t service, std::initializer_list<int> streams) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != service) _exit(1);  // it has ended already
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream : streams) nothing < 0 ? close(stream) : dup2(nothing, stream);
}

// Never returns.
[[noreturn]] void RunChild(const std::string& request, int reply_fd, int error_fd,
                           const ServiceOptions& options) {
  dup2(error_fd, STDERR_FILENO);
  const rlim_t limit = static_cast<rlim_t>(AddressSpaceBytes() + static_cast<int64_t>(kStackBytes) +
                                           options.memory_bytes_per_kernel);
  const rlimit memory = {limit, limit}, no_core = {0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &no_core);
  ChildTask task{&request, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, CompileOnBigStack, &task) != 0) _exit(kNoThread);
  pthread_join(thread, nullptr);
  WriteAll(reply_fd, task.reply);
  _exit(0);
}

struct Child {
  uint64_t id = 0;
  pid_t pid = -1;
  int reply_fd = -1, error_fd = -1;
  FrameReader reply;
  std::string errors;  // the last of its stderr
  Clock::time_point deadline;
  bool timed_out = false;
  std::string label;
};

class Service {
 public:
  Service(int in, int out, const ServiceOptions& options) : in_(in), out_(out), options_(options) {
    struct stat stat = {};
    in_is_socket_ = fstat(in, &stat) == 0 && S_ISSOCK(stat.st_mode);
  }

  int Run() {
    while (open_ || !waiting_.empty() || !children_.empty()) {
      while (static_cast<int>(children_.size()) < options_.jobs && !waiting_.empty()) {
        Start(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      if (!Poll()) return 1;
    }
    return 0;
  }

 private:
  void Reply(uint64_t id, absl::StatusCode code, std::string bytes) {
    if (!WriteAll(out_, EncodeFrame(Frame{id, code, std::move(bytes)})))
      _exit(1);  // the asker is gone
  }

  void Start(Frame request) {
    int reply[2], errors[2];
    if (pipe2(reply, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) {
      Reply(request.id, absl::StatusCode::kResourceExhausted,
            absl::StrCat("halyard-codegen: pipe: ", SystemErrorText(errno)));
      return;
    }
    const pid_t service = getpid(), pid = fork();
    if (pid == 0) BelongTo(service, {in_, out_});
    if (pid == 0) RunChild(request.bytes, reply[1], errors[1], options_);
    close(reply[1]);
    close(errors[1]);
    if (pid < 0) {
      close(reply[0]);
      close(errors[0]);
      Reply(request.id, absl::StatusCode::kResourceExhausted,
            absl::StrCat("halyard-codegen: fork: ", SystemErrorText(errno)));
      return;
    }
    Child child;
    child.id = request.id;
    child.pid = pid;
    child.reply_fd = reply[0];
    child.error_fd = errors[0];
    child.deadline = Clock::now() + std::chrono::microseconds(
                                        static_cast<int64_t>(options_.seconds_per_kernel * 1e6));
    child.label = KernelLabel(request.bytes);
    children_.push_back(std::move(child));
  }

  // Reads once from the child's stderr. Returns false at its end.
  bool KeepErrors(Child& child) {
    char buffer[4096];
    const ssize_t got = read(child.error_fd, buffer, sizeof(buffer));
    if (got <= 0) return false;
    child.errors.append(buffer, static_cast<size_t>(got));
    if (child.errors.size() > 2000) child.errors.erase(0, child.errors.size() - 2000);
    return true;
  }

  void Finish(Child& child) {
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    while (KeepErrors(child)) {
    }
    close(child.reply_fd);
    close(child.error_fd);
    std::optional<Frame> frame;
    if (!child.timed_out && child.reply.Next(&frame).ok() && frame.has_value()) {
      Reply(child.id, frame->code, std::move(frame->bytes));
      return;
    }
    std::string what;
    if (child.timed_out) {
      what = absl::StrCat("compiling took more than ", options_.seconds_per_kernel,
                          " s and was stopped");
    } else if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      what =
          absl::StrCat("the code generator died of signal ", signal, " (", strsignal(signal), ")");
      if (signal == SIGSEGV) absl::StrAppend(&what, ": a stack overflow, or a bug in Halide");
    } else if (WEXITSTATUS(status) == kNoThread) {
      what = "no memory for the code generator's stack";
    } else {
      what = absl::StrCat("the code generator ended with status ", WEXITSTATUS(status),
                          " and no answer");
    }
    if (!child.timed_out) what += LowLimitsNote();
    if (!child.errors.empty()) absl::StrAppend(&what, "; it said: ", child.errors);
    Reply(child.id,
          child.timed_out ? absl::StatusCode::kDeadlineExceeded : absl::StatusCode::kInternal,
          absl::StrCat(child.label, ": ", what));
  }

  // Returns false if the stream of requests is damaged.
  bool Poll() {
    std::vector<pollfd> fds;
    if (open_) fds.push_back({in_, POLLIN, 0});
    for (const Child& child : children_) {
      fds.push_back({child.reply_fd, POLLIN, 0});
      fds.push_back({child.error_fd, POLLIN, 0});
    }
    int64_t wait_ms = -1;
    for (const Child& child : children_) {
      const int64_t left =
          std::chrono::duration_cast<std::chrono::milliseconds>(child.deadline - Clock::now())
              .count() +
          1;
      wait_ms = std::max<int64_t>(0, wait_ms < 0 ? left : std::min(wait_ms, left));
    }
    if (poll(fds.data(), fds.size(), static_cast<int>(wait_ms)) < 0 && errno != EINTR) return false;

    size_t next = 0;
    if (open_) {
      // The stream is closed in both directions, so nobody waits for the answers.
      if ((fds[next].revents & POLLHUP) != 0 && in_is_socket_) return GiveUp();
      if (fds[next++].revents != 0 && !ReadRequests()) return false;
    }
    // There are two descriptors per child, in the order of the children above.
    for (size_t c = 0; c < children_.size(); next += 2) {
      Child& child = children_[c];
      const bool reply_ready = fds[next].revents != 0, errors_ready = fds[next + 1].revents != 0;
      char buffer[65536];
      if (errors_ready) KeepErrors(child);
      bool ended = false;
      if (reply_ready) {
        const ssize_t got = read(child.reply_fd, buffer, sizeof(buffer));
        if (got > 0) child.reply.Append(absl::string_view(buffer, static_cast<size_t>(got)));
        ended = got == 0;
      }
      if (!ended && Clock::now() >= child.deadline) {
        kill(child.pid, SIGKILL);
        child.timed_out = true;
        ended = true;
      }
      if (!ended) {
        ++c;
        continue;
      }
      Finish(child);
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(c));
    }
    return true;
  }

  bool GiveUp() {
    for (const Child& child : children_) kill(child.pid, SIGKILL);
    return false;
  }

  bool ReadRequests() {
    char buffer[65536];
    const ssize_t got = read(in_, buffer, sizeof(buffer));
    if (got < 0) return errno == EINTR;
    if (got == 0) {
      open_ = false;
      return true;
    }
    reader_.Append(absl::string_view(buffer, static_cast<size_t>(got)));
    while (true) {
      std::optional<Frame> frame;
      if (!reader_.Next(&frame).ok()) return false;
      if (!frame.has_value()) return true;
      waiting_.push_back(*std::move(frame));
    }
  }

  int in_, out_;
  ServiceOptions options_;
  bool open_ = true, in_is_socket_ = false;
  FrameReader reader_;
  std::deque<Frame> waiting_;
  std::vector<Child> children_;
};

}  // namespace

int ServeKernels(int in, int out, const ServiceOptions& options) {
  signal(SIGPIPE, SIG_IGN);
  WarmUp();
  return Service(in, out, options).Run();
}

}  // namespace halyard::lowering
