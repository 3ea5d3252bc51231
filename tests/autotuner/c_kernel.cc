#include "tests/autotuner/c_kernel.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/program/program_spec.h"

namespace halyard::testing {

std::string KernelOf(const std::string& name, const std::string& body) {
  const std::string base = absl::StrCat(::testing::TempDir(), "/", name);
  std::ofstream(base + ".c") << R"(
typedef struct { unsigned long device, iface; unsigned char *host; } Buffer;
void *hyrt_malloc(void *, unsigned long);
static volatile int sink;
static int dig(volatile char *above) { volatile char here[4096]; here[0] = above[0]; return dig(here) + here[1]; }
int hyk_bad(void **buffers) {
  float *in = (float *)((Buffer *)buffers[0])->host, *out = (float *)((Buffer *)buffers[1])->host;
)" << body << "\n  return 0;\n}\n";
  const std::string command = absl::StrCat(
      "gcc -O1 -fno-stack-protector -fno-pic -mcmodel=large -w -c ", base, ".c -o ", base, ".o");
  EXPECT_EQ(system(command.c_str()), 0);
  std::ostringstream object;
  object << std::ifstream(base + ".o", std::ios::binary).rdbuf();
  KernelObjectSpec spec;
  spec.name = "hyk_bad";
  spec.num_inputs = spec.num_outputs = 1;
  runtime::KernelArgument argument;
  argument.type_code = 2;
  argument.type_bits = 32;
  argument.rank = 1;
  argument.bytes = 1024;
  argument.extent[0] = 256;
  argument.stride[0] = 1;
  spec.arguments = {argument, argument};
  spec.x86_object = object.str();
  return WriteKernelObject(spec);
}

autotuner::TrialData DoubleData() {
  std::vector<float> in(256), out(256);
  for (int i = 0; i < 256; ++i)
    out[static_cast<size_t>(i)] = 2 * (in[static_cast<size_t>(i)] = static_cast<float>(i));
  autotuner::TrialCase one;
  one.inputs = {std::string(reinterpret_cast<const char*>(in.data()), 1024)};
  one.expected = {std::string(reinterpret_cast<const char*>(out.data()), 1024)};
  one.rules = {{.type = hlo::ElementType::kF32, .of_largest = 1e-6, .scale = 510}};
  return {{one}, {}};
}

}  // namespace halyard::testing
