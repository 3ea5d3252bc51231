// halyard-codegen: the kernel compiler in a separate process, which is the only one that loads
// Halide.
//
//   halyard-codegen --serve --jobs=N --seconds=S --memory=BYTES
//     Reads requests from stdin and writes replies to stdout (codegen/service/service.h).
//   halyard-codegen --share=SOCKET --idle=S --jobs=N --seconds=S --memory=BYTES
//     Does the same for each who connects to the listening socket at stdin, whose path is SOCKET,
//     and ends when nobody has for S seconds (codegen/service/shared_service.h).
//   halyard-codegen REQUEST-FILE
//     Compiles one request in this process, and prints its schedule, algorithm, statement and
//     assembly.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "codegen/compile_kernel.h"
#include "codegen/service/kernel_process.h"
#include "codegen/service/service.h"
#include "codegen/service/share.h"
#include "frontend/files/read_file.h"
#include "frontend/files/standard_streams.h"

namespace {

int CompileOne(const char* path) {
  const auto bytes = halyard::ReadWholeFile(path, halyard::kProgramLimits);
  if (!bytes.ok()) {
    fprintf(stderr, "halyard-codegen: %s\n", std::string(bytes.status().message()).c_str());
    return 1;
  }
  auto request = halyard::lowering::KernelRequest::Parse(*bytes);
  if (!request.ok()) {
    fprintf(stderr, "halyard-codegen: %s: %s\n", path,
            std::string(request.status().message()).c_str());
    return 1;
  }
  request->dump = true;
  const auto reply = halyard::lowering::CompileKernel(*request);
  if (!reply.ok()) {
    fprintf(stderr, "halyard-codegen: %s\n", std::string(reply.status().message()).c_str());
    return 1;
  }
  printf("// schedule: %s\n\n%s\n%s\n%s\n", reply->schedule.c_str(), reply->dump.algorithm.c_str(),
         reply->dump.stmt.c_str(), reply->dump.assembly.c_str());
  if (fflush(stdout) == 0 && ferror(stdout) == 0) return 0;
  fprintf(stderr, "halyard-codegen: standard output cannot be written\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  halyard::OpenStandardStreams();
  halyard::lowering::ServiceOptions options;
  bool serve = false;
  std::string share;
  double idle_seconds = 0;
  const char* file = nullptr;
  for (int i = 1; i < argc; ++i) {
    absl::string_view arg = argv[i];
    int64_t memory = 0;
    if (arg == "--serve") {
      serve = true;
    } else if (absl::ConsumePrefix(&arg, "--share=") && !arg.empty()) {
      share = std::string(arg);
    } else if (absl::ConsumePrefix(&arg, "--idle=") && absl::SimpleAtod(arg, &idle_seconds)) {
    } else if (absl::ConsumePrefix(&arg, "--jobs=") && absl::SimpleAtoi(arg, &options.jobs) &&
               options.jobs > 0) {
    } else if (absl::ConsumePrefix(&arg, "--seconds=") &&
               absl::SimpleAtod(arg, &options.seconds_per_kernel)) {
    } else if (absl::ConsumePrefix(&arg, "--memory=") && absl::SimpleAtoi(arg, &memory) &&
               memory > 0) {
      options.memory_bytes_per_kernel = memory;
    } else if (!absl::StartsWith(arg, "-") && file == nullptr) {
      file = argv[i];
    } else {
      fprintf(stderr, "halyard-codegen: unknown argument %s\n", argv[i]);
      return 2;
    }
  }
  if (!share.empty()) {
    halyard::lowering::WarmUp();
    halyard::lowering::WarmUpLlvm();
    return halyard::lowering::ShareKernels(STDIN_FILENO, share, idle_seconds, options);
  }
  if (!serve) {
    if (file != nullptr) return CompileOne(file);
    fprintf(stderr, "halyard-codegen: serves `halyard`; give --serve or a request's file\n");
    return 2;
  }
  // Only replies may go to stdout, so what Halide or LLVM print there is sent to stderr.
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  halyard::lowering::WarmUp();
  return halyard::lowering::ServeKernels(STDIN_FILENO, out, options);
}
