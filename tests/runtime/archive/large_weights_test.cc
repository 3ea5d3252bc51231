// Large weights: a file of them is mapped at create, and neither read nor copied; processes share
// its pages; and what is embedded does not part the code from its data. With HALYARD_NIGHTLY there
// are 4 GiB in a file, and 3 GiB embedded.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/archive/static_library.h"
#include "tests/runtime/program_builder.h"

namespace halyard {
namespace {

bool Nightly() { return getenv("HALYARD_NIGHTLY") != nullptr; }

// Prints what create took, the memory that it made resident (KiB), and the first and last element
// of the result. Then it waits for a line of its input, so that other processes are at the same
// place, and prints how much of the weights is resident in this process, and how much it shares
// with others.
constexpr char kMain[] = R"(#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "model.h"
static long kib(const char* path, const char* section, const char* field) {
  static char line[4096];
  long sum = 0;
  int inside = section == NULL;
  FILE* f = fopen(path, "r");
  while (f != NULL && fgets(line, sizeof(line), f)) {
    unsigned long begin, end;
    if (section != NULL && sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      inside = strstr(line, section) != NULL;
    if (inside && strncmp(line, field, strlen(field)) == 0) sum += atol(line + strlen(field));
  }
  if (f != NULL) fclose(f);
  return sum;
}
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
int main(void) {
  static char out[MODEL_OUT0_BYTES];
  model_model* model = NULL;
  const long before = kib("/proc/self/status", NULL, "VmRSS:");
  const double begin = now();
  hy_status status = model_create(1, &model);
  const double ms = now() - begin;
  const long after = kib("/proc/self/status", NULL, "VmRSS:");
  if (status == NULL) status = model_run(model, out);
  if (status != NULL) {
    printf("error: %s\n", hy_status_message(status));
    return 1;
  }
  printf("%.2f %ld %d %d\n", ms, after - before, out[0], out[sizeof(out) - 1]);
  fflush(stdout);
  if (getchar() == 'x') {
    printf("%ld %ld\n", kib("/proc/self/smaps", "model.weights", "Rss:"),
           kib("/proc/self/smaps", "model.weights", "Shared_Clean:") +
               kib("/proc/self/smaps", "model.weights", "Shared_Dirty:"));
    fflush(stdout);
    (void)getchar();
  }
  model_destroy(model);
  return 0;
}
)";

class LargeWeights : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/large_weights_" + std::to_string(getpid());
    ASSERT_EQ(system(("rm -rf " + folder_ + " && mkdir -p " + folder_).c_str()), 0);
  }
  void TearDown() override { (void)!system(("rm -rf " + folder_).c_str()); }

  // Writes a library whose program has this many constants of this size, and returns the last one.
  // Constants are 0 but for the first and the last byte.
  void MakeLibrary(int64_t constants, int64_t bytes, bool weights_file) {
    testing::ProgramBuilder b("model");
    b.spec.target = "x86:v2";
    const auto out = b.Result("s8", {bytes}, bytes);
    void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    static_cast<char*>(memory)[0] = 1;
    static_cast<char*>(memory)[bytes - 1] = 2;
    const std::shared_ptr<const void> owner(memory, [bytes](const void* pages) {
      munmap(const_cast<void*>(pages), static_cast<size_t>(bytes));
    });
    testing::ProgramBuilder::Slice last;
    for (int64_t i = 0; i < constants; ++i) {
      last = b.Constant("");
      b.spec.constants.back() = {owner, static_cast<const uint8_t*>(memory), bytes};
      b.spec.allocations.back().bytes = last.bytes = bytes;
    }
    b.Copy(0, last, out);
    std::ifstream file(HALYARD_RUNTIME_ARCHIVE, std::ios::binary);
    std::stringstream runtime;
    runtime << file.rdbuf();
    auto library = MakeStaticLibrary("model", b.spec, runtime.str(), {}, weights_file);
    ASSERT_TRUE(library.ok()) << library.status();
    Save("model.h", library->header);
    Save("libmodel.a", library->archive);
    Save("model.weights", library->weights);
    Save("main.c", kMain);
  }

  // Leaves holes for zeros.
  void Save(const std::string& name, const std::string& bytes) {
    FILE* file = fopen((folder_ + "/" + name).c_str(), "wb");
    ASSERT_NE(file, nullptr);
    constexpr size_t kPiece = 1 << 20;
    for (size_t at = 0; at < bytes.size(); at += kPiece) {
      const size_t size = std::min(kPiece, bytes.size() - at);
      const char* piece = bytes.data() + at;  // of zeros if it equals itself one byte later
      if (piece[0] == 0 && memcmp(piece, piece + 1, size - 1) == 0) continue;
      fseek(file, static_cast<long>(at), SEEK_SET);
      ASSERT_EQ(fwrite(piece, 1, size, file), size);
    }
    fflush(file);
    ASSERT_EQ(ftruncate(fileno(file), static_cast<off_t>(bytes.size())), 0);
    fclose(file);
  }

  std::string Shell(const std::string& command) {
    FILE* pipe = popen(("cd " + folder_ + " && (" + command + ") 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> part;
    for (size_t n; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), n);
    pclose(pipe);
    return text;
  }

  std::string folder_;
};

// A process that stops after its run.
struct Process {
  FILE* input = nullptr;
  std::string output;
};

TEST_F(LargeWeights, InAFileAreMappedAndShared) {
  const int64_t constants = 16, bytes = (Nightly() ? 256 : 4) << 20;
  MakeLibrary(constants, bytes, /*weights_file=*/true);
  ASSERT_EQ(Shell("gcc -std=gnu99 -O1 main.c libmodel.a -o main -lm -lpthread"), "");
  const size_t count = Nightly() ? 16 : 4;
  std::vector<Process> processes(count);
  for (size_t i = 0; i < count; ++i) {
    processes[i].output = folder_ + "/out" + std::to_string(i);
    processes[i].input = popen((folder_ + "/main > " + processes[i].output).c_str(), "w");
    ASSERT_NE(processes[i].input, nullptr);
  }
  const auto lines = [&](size_t i) {
    std::ifstream file(processes[i].output);
    std::string line, last;
    size_t number = 0;
    for (; std::getline(file, line); ++number) last = line;
    return std::pair(number, last);
  };
  const auto wait = [&](size_t number) {
    for (size_t i = 0; i < count; ++i) {
      for (int tries = 0; lines(i).first < number && tries < 60000; ++tries) usleep(10000);
      ASSERT_EQ(lines(i).first, number) << lines(i).second;
    }
  };
  wait(1);
  for (size_t i = 0; i < count; ++i) {
    double ms = 0;
    long resident = 0;
    int first = 0, last = 0;
    ASSERT_EQ(sscanf(lines(i).second.c_str(), "%lf %ld %d %d", &ms, &resident, &first, &last), 4)
        << lines(i).second;
    if (i == 0)
      printf("figure: %lld MiB of weights in a file: create %.2f ms, %ld KiB resident after it\n",
             static_cast<long long>(constants * bytes >> 20), ms, resident);
    EXPECT_LT(resident, 1024);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(last, 2);
  }
  // All processes have read the last constant, and none has a copy of a page.
  for (Process& process : processes) {
    fputs("x", process.input);
    fflush(process.input);
  }
  wait(2);
  for (size_t i = 0; i < count; ++i) {
    long resident = 0, shared = 0;
    ASSERT_EQ(sscanf(lines(i).second.c_str(), "%ld %ld", &resident, &shared), 2);
    if (i == 0)
      printf("figure: of %ld KiB of weights that %zu processes have read, each shares %ld KiB\n",
             resident, count, shared);
    // Neighbours of what was read may be mapped in one process alone.
    EXPECT_GE(shared, bytes / 1024);
    EXPECT_LT(resident, 2 * bytes / 1024);
  }
  for (Process& process : processes) {
    fputs("\n", process.input);
    EXPECT_EQ(pclose(process.input), 0);
  }
}

TEST_F(LargeWeights, EmbeddedLink) {
  // Above the size from which the linker must place them apart.
  MakeLibrary(Nightly() ? 12 : 2, (Nightly() ? 256 : 66) << 20, /*weights_file=*/false);
  for (const std::string linker : {"bfd", "lld"}) {
    if (system(("command -v ld." + linker + " > /dev/null").c_str()) != 0) continue;
    ASSERT_EQ(
        Shell("gcc -std=gnu99 -O1 main.c libmodel.a -o main -fuse-ld=" + linker + " -lm -lpthread"),
        "")
        << linker;
    const std::string said = Shell("./main < /dev/null");
    double ms = 0;
    long resident = 0;
    int first = 0, last = 0;
    ASSERT_EQ(sscanf(said.c_str(), "%lf %ld %d %d", &ms, &resident, &first, &last), 4) << said;
    printf("figure: %d MiB embedded, linked with %s: create %.2f ms, %ld KiB resident after it\n",
           Nightly() ? 3072 : 132, linker.c_str(), ms, resident);
    EXPECT_LT(resident, 1024);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(last, 2);
    Shell("rm main");
  }
}

}  // namespace
}  // namespace halyard
