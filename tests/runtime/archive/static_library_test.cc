#include "runtime/archive/static_library.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/version.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard {
namespace {

using ::halyard::testing::IncrementKernel;
using ::halyard::testing::LessThanKernel;
using ::halyard::testing::MultiplyAddKernel;
using ::halyard::testing::ProgramBuilder;

// out0 = (arg0 * 2 + arg1) * 3 + [0, 1, ...];  out1: while (out1 < 100) out1 += 7, from arg2
ProgramSpec Model(int n, const std::string& prefix) {
  ProgramBuilder b("model", 3);
  b.spec.target = "x86:v2";
  const auto x = b.Parameter("f32", {n}, 4 * n), y = b.Parameter("f32", {n}, 4 * n),
             start = b.Parameter("s32", {}, 4);
  const auto out = b.Result("f32", {n}, 4 * n), count = b.Result("s32", {}, 4);
  std::vector<float> constant(n);
  for (int i = 0; i < n; ++i) constant[i] = static_cast<float>(i);
  const auto k = b.Constant(std::string(reinterpret_cast<const char*>(constant.data()), 4 * n));
  const auto temp = b.Temp(4 * n), state = b.Temp(4), next = b.Temp(4),
             predicate = b.Temp(1, MemorySpace::kHost);
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_" + prefix + "1", n, 2.0f)), {x, y}, {temp});
  b.Launch(0, b.Kernel(MultiplyAddKernel("hyk_" + prefix + "2", n, 3.0f)), {temp, k}, {out});
  b.Copy(0, start, state);
  b.While(0, predicate, 1, 2);
  b.Copy(0, state, count);
  b.Launch(1, b.Kernel(LessThanKernel("hyk_less", 100)), {state}, {predicate});
  b.Launch(2, b.Kernel(IncrementKernel("hyk_add", 7)), {state}, {next});
  b.Copy(2, next, state);
  return b.spec;
}

const char kMain[] = R"(#include <stdio.h>
#include <stdlib.h>
#include "model.h"
#include "second.h"

static void check(hy_status status) {
  if (status == NULL) return;
  printf("error %d: %s\n", hy_status_code(status), hy_status_message(status));
  exit(1);
}

int main(void) {
  static float a[640], b[640], raw[641];
  float* out = raw + 1; /* not aligned to 64 bytes */
  int32_t start = 3, count = 0;
  model_model* model = NULL;
  second_model* second = NULL;
  hy_value value;
  int i;
  for (i = 0; i < 640; ++i) {
    a[i] = (float)i;
    b[i] = 0.5f;
  }
  check(model_create(2, &model));
  check(second_create(1, &second));
  check(hy_program_argument(model, 0, &value));
  printf("%s %s %s %d %d\n", hy_program_name(model), value.name, value.element_type, value.rank, (int)value.dims[0]);
  check(model_run(model, a, b, &start, out, &count));
  for (i = 0; i < 640; ++i) {
    if (out[i] != ((float)i * 2.0f + 0.5f) * 3.0f + (float)i) return 2;
  }
  printf("count %d\n", (int)count);
  out[5] = 0;
  check(second_run(second, a, b, &start, out, &count));
  if (out[5] != (5.0f * 2.0f + 0.5f) * 3.0f + 5.0f) return 3;
  model_destroy(model);
  second_destroy(second);
  return 0;
}
)";

class StaticLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/static_library_test_" + std::to_string(getpid());
    ASSERT_EQ(system(("mkdir -p " + folder_).c_str()), 0);
    std::ifstream file(HALYARD_RUNTIME_ARCHIVE, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    runtime_ = bytes.str();
    ASSERT_GT(runtime_.size(), 10000u);
  }
  void TearDown() override { (void)!system(("rm -rf " + folder_).c_str()); }

  void Save(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  void MakeModel(const std::string& name, const std::string& prefix) {
    auto library = MakeStaticLibrary(name, Model(640, prefix), runtime_);
    ASSERT_TRUE(library.ok()) << library.status();
    Save(name + ".h", library->header);
    Save("lib" + name + ".a", library->archive);
  }
  // Returns the output of a shell command in the folder, and sets `status_` to its exit status.
  std::string Shell(const std::string& command) {
    FILE* pipe = popen(("cd " + folder_ + " && (" + command + ") 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> part;
    for (size_t n; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), n);
    status_ = pclose(pipe);
    return text;
  }

  std::string folder_, runtime_;
  int status_ = 0;
};

const char kByName[] = R"(#include "model.h"
#include <stdio.h>

static int ended;
static void done(void* user, hy_status status) {
  *(int*)user = hy_status_code(status);
  hy_status_free(status);
  __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
}

int main(void) {
  static float a[640], b[640], out[640];
  int32_t start = 3, count = 0;
  int code = -1;
  model_model *model = NULL, *second = NULL;
  model_arguments arguments = {0};
  model_results results = {0};
  hy_choose_options options = {0};
  a[7] = 1.0f;
  arguments.arg0 = a;
  arguments.arg1 = b;
  arguments.arg2 = &start;
  results.out0 = out;
  results.out1 = &count;
  options.struct_size = sizeof(options);
  options.threads = 2;
  if (model_create_with(&options, &model) != NULL) return 1;
  options.threads = 0;
  options.shared_device = hy_program_device(model);
  if (model_create_with(&options, &second) != NULL) return 2;
  if (hy_program_device(second) != hy_program_device(model)) return 3;
  if (model_call(second, NULL, &arguments, &results) != NULL) return 4;
  printf("%g %d %s\n", out[7], (int)count, model_chosen(second));
  count = 0;
  if (model_call_async(second, NULL, &arguments, &results, done, &code) != NULL) return 5;
  while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
  }
  printf("%d %d\n", code, (int)count);
  hy_status status = model_call(model, NULL, NULL, &results);
  printf("%d\n", hy_status_code(status));
  hy_status_free(status);
  model_destroy(second);
  model_destroy(model);
  return 0;
}
)";

TEST_F(StaticLibraryTest, ModelsAreCalledByName) {
  MakeModel("model", "a");
  Save("by_name.c", kByName);
  EXPECT_EQ(Shell("gcc -std=c99 -pedantic -Wall -Wextra -Werror by_name.c libmodel.a -o by_name "
                  "-lm -lpthread"),
            "");
  ASSERT_EQ(status_, 0);
  EXPECT_EQ(Shell("./by_name"), "13 101 x86:v2\n0 101\n3\n");
  EXPECT_EQ(status_, 0);
}

const char kCpp[] = R"(#include "model.h"
#include "class.h"
#include <array>
#include <cstdio>
#include <vector>

int main() {
  std::vector<float> a(640), b(640, 0.5f);
  std::array<float, MODEL_OUT0_COUNT> out;
  int32_t start[1] = {3}, count[1] = {};
  a[1] = 1;
  auto model = hy::models::model::Create();
  if (!model) return std::puts(model.status().message()), 1;
  hy::models::model moved = *std::move(model);
  hy::Status status = moved.Run({a, b, start}, {out, count});
  std::printf("%s %g %d\n", status.message(), out[1], static_cast<int>(count[0]));
  b.pop_back();
  status = moved.Run({a, b, start}, {out, count});
  std::printf("%d %s\n", status.code(), status.message());
  b.push_back(0.5f);
  bool ended = false;
  status = moved.RunAsync({a, b, start}, {out, count}, [&](hy::Status done) {
    std::printf("async %d\n", done.code());
    __atomic_store_n(&ended, true, __ATOMIC_RELEASE);
  });
  while (status.ok() && !__atomic_load_n(&ended, __ATOMIC_ACQUIRE)) {
  }
  hy::models::model nothing;
  std::printf("%d\n", nothing.Run({a, b, start}, {out, count}).code());
  hy_choose_options options = hy::Init<hy_choose_options>();
  options.shared_device = hy_program_device(moved.get());
  auto second = hy::models::class_::Create(&options);
  std::printf("%s\n", second ? second->name() : second.status().message());
  return 0;
}
)";

TEST_F(StaticLibraryTest, TheHeaderHasAClassForCpp) {
  MakeModel("model", "a");
  MakeModel("class", "b");  // a keyword
  Save("main.cc", kCpp);
  EXPECT_EQ(
      Shell("g++ -std=c++17 -fno-exceptions -fno-rtti -pedantic -Wall -Wextra -Werror main.cc "
            "libmodel.a libclass.a -o main -lm -lpthread"),
      "");
  ASSERT_EQ(status_, 0);
  EXPECT_EQ(Shell("./main"),
            " 8.5 101\n3 model: arg1 has not MODEL_ARG1_BYTES\nasync 0\n3\nmodel\n");
  EXPECT_EQ(status_, 0);
  // Older C++ has the functions of C.
  Save("old.cc", "#include \"model.h\"\nint main() { return model_chosen(0)[0]; }\n");
  EXPECT_EQ(Shell("g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only old.cc"), "");
  EXPECT_EQ(status_, 0);
}

TEST_F(StaticLibraryTest, ACProgramRunsTwoModels) {
  MakeModel("model", "a");
  MakeModel("second", "b");
  Save("main.c", kMain);
  // g++ must accept the headers, too, but only gcc links.
  EXPECT_EQ(Shell("g++ -x c++ -std=c++17 -Wall -Wextra -Werror -c main.c -o main_cc.o"), "");
  EXPECT_EQ(status_, 0);
  EXPECT_EQ(Shell("gcc -std=c99 -pedantic -Wall -Wextra -Werror -O1 main.c libmodel.a libsecond.a "
                  "-o main -lm -lpthread"),
            "");
  ASSERT_EQ(status_, 0);
  EXPECT_EQ(Shell("./main"), "model arg0 f32 1 640\ncount 101\n");
  EXPECT_EQ(status_, 0);

  std::istringstream libraries(Shell("ldd main"));
  for (std::string line; std::getline(libraries, line);) {
    bool known = false;
    for (const char* name :
         {"libc.so", "libm.so", "libdl.so", "libpthread.so", "ld-linux", "linux-vdso"}) {
      known |= line.find(name) != std::string::npos;
    }
    EXPECT_TRUE(known) << line;
  }
  EXPECT_EQ(Shell("nm main | grep -icE 'halide|llvm'"), "0\n");
  EXPECT_EQ(
      Shell("nm -C main | grep -E 'std::|__gxx|operator new|operator delete|vtable for __cxx'"),
      "");
  EXPECT_EQ(Shell("nm main | grep -oE '__cxa_[a-z_]+' | grep -vE '__cxa_(pure_virtual|finalize)'"),
            "");
  // No memory becomes executable at run time.
  EXPECT_EQ(Shell("nm main | grep -cE ' [Tt] hyk_[a-z0-9]+$'"), "6\n");
  EXPECT_EQ(Shell("readelf -lW main | grep -E 'LOAD.*RWE'"), "");
}

// Models and values named like keywords, macros and the runtime's own names.
TEST_F(StaticLibraryTest, HeadersCompileWhateverNamesAre) {
  const std::vector<ValueNames> all = {
      {{"int", "class", "NULL"}, {"results", "hy_run"}},
      {{"model", "params['w']", "params['w']"}, {"result['logits']", "*/ #error \n"}},
      {{"I", "errno", "int32_t"}, {"static_model", "\xC3\xA4"}},
      {{"", "Arg_1.2", "X"}, {"x", "result[1]"}}};
  const std::vector<std::string> models = {"int", "template", "hybrid", "Z9"};
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string& name = models[i];
    auto library = MakeStaticLibrary(name, Model(64, "n"), runtime_, all[i]);
    ASSERT_TRUE(library.ok()) << library.status();
    Save("odd.h", library->header);
    Save("odd.c",
         absl::StrCat("#include <complex.h>\n#include <errno.h>\n#include <pthread.h>\n"
                      "#include <time.h>\n#include \"odd.h\"\nint main(void) { ",
                      name, "_model* m = NULL; return ", name, "_create(1, &m) != NULL; }"));
    EXPECT_EQ(Shell("gcc -std=c99 -pedantic -Wall -Wextra -Wshadow -Werror -fsyntax-only odd.c"),
              "");
    EXPECT_EQ(Shell("g++ -x c++ -std=c++17 -fno-exceptions -pedantic -Wall -Wextra -Werror "
                    "-fsyntax-only odd.c"),
              "");
  }
}

TEST_F(StaticLibraryTest, ConstantsSayWhatValuesAre) {
  auto library = MakeStaticLibrary("model", Model(640, "c"), runtime_,
                                   {{"images", "", "start"}, {"result['logits']", ""}});
  ASSERT_TRUE(library.ok()) << library.status();
  Save("model.h", library->header);
  Save("libmodel.a", library->archive);
  Save("main.c", R"(#include <stdio.h>
#include "model.h"
static float images[MODEL_IMAGES_COUNT], other[MODEL_ARG1_DIM_0], logits[MODEL_LOGITS_COUNT];
int main(void) {
  model_model* model = NULL;
  hy_value value;
  int32_t start = 0, count = 0;
  if (model_create(1, &model) != NULL) return 1;
  if (model_run(model, images, other, &start, logits, &count) != NULL) return 2;
  if (hy_program_argument(model, MODEL_START_INDEX, &value) != NULL) return 3;
  if (value.rank != MODEL_START_RANK || value.bytes != MODEL_START_BYTES) return 4;
  if (hy_program_result(model, MODEL_LOGITS_INDEX, &value) != NULL) return 5;
  if (value.rank != MODEL_LOGITS_RANK || value.bytes != MODEL_LOGITS_BYTES) return 6;
  if (hy_program_num_arguments(model) != MODEL_NUM_ARGUMENTS) return 7;
  if (hy_program_num_results(model) != MODEL_NUM_RESULTS) return 8;
  printf("%d %d\n", (int)MODEL_OUT1_BYTES, MODEL_ALIGNMENT);
  model_destroy(model);
  return (int)sizeof(images) == MODEL_IMAGES_BYTES ? 0 : 9;
}
)");
  EXPECT_EQ(Shell("gcc -std=c99 -pedantic -Wall -Wextra -Werror main.c libmodel.a -o main -lm "
                  "-lpthread && ./main"),
            "4 64\n");
  EXPECT_EQ(status_, 0);
}

// Makes an archive like another version of Halyard would: its runtime, and the symbol that its
// models need from the runtime, have another name. The length of the name stays, and so does the
// archive's layout.
std::string OfAnotherVersion(std::string archive) {
  const std::string own = runtime::kAbiSymbol;
  std::string other = own;
  other[other.rfind('_') + 1] = '9';
  return absl::StrReplaceAll(archive, {{own, other}});
}

TEST_F(StaticLibraryTest, TwoVersionsInOneApplicationDoNotLink) {
  MakeModel("model", "a");
  auto second = MakeStaticLibrary("second", Model(640, "b"), runtime_);
  ASSERT_TRUE(second.ok()) << second.status();
  Save("second.h", second->header);
  Save("libsecond.a", OfAnotherVersion(second->archive));
  Save("main.c", kMain);
  for (const char* linker : {"bfd", "lld"}) {
    const std::string link = absl::StrCat(
        "gcc main.c libmodel.a libsecond.a -o main -fuse-ld=", linker, " -lm -lpthread");
    const std::string text = Shell(link);
    EXPECT_NE(status_, 0) << linker;
    int lines = 0;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
      lines += absl::StrContains(line, "multiple definition of") ||
               absl::StrContains(line, "duplicate symbol");
    }
    EXPECT_EQ(lines, 1) << text;
    EXPECT_TRUE(absl::StrContains(text, "halyard_two_versions_of_the_runtime_in_one_program"))
        << text;
  }
}

TEST_F(StaticLibraryTest, AModelDoesNotLinkWithAnotherVersionsRuntime) {
  MakeModel("model", "a");
  Save("libother.a", OfAnotherVersion(runtime_));
  Save("librt_own.a", runtime_);
  Save("main.c",
       "#include \"model.h\"\nint main(void) { model_model* m = NULL;"
       " return model_create(1, &m) != NULL; }");
  ASSERT_EQ(Shell("mkdir -p parts && cd parts && ar x ../libmodel.a && rm -f *.cc.o"), "");
  const std::string link = "gcc main.c parts/*.o -o main -L. ";
  EXPECT_EQ(Shell(link + "-lrt_own -lm -lpthread"), "");
  EXPECT_EQ(status_, 0);
  const std::string text = Shell(link + "-lother -lm -lpthread");
  EXPECT_NE(status_, 0);
  EXPECT_TRUE(
      absl::StrContains(text, absl::StrCat("undefined reference to `", runtime::kAbiSymbol, "'")))
      << text;
}

TEST_F(StaticLibraryTest, LinksStaticallyToo) {
  MakeModel("model", "a");
  Save("main.c",
       "#include \"model.h\"\nint main(void) { model_model* m; hy_status s = model_create(0, &m);"
       " if (s) return 1; model_destroy(m); return 0; }");
  EXPECT_EQ(Shell("gcc -static main.c libmodel.a -o main -lm -lpthread && ./main"), "");
  EXPECT_EQ(status_, 0);
}

TEST_F(StaticLibraryTest, IsReproducible) {
  const ProgramSpec model = Model(64, "r");
  auto first = MakeStaticLibrary("m", model, runtime_),
       second = MakeStaticLibrary("m", model, runtime_);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->archive, second->archive);
  EXPECT_EQ(first->header, second->header);
}

TEST_F(StaticLibraryTest, SaysWhatItCannotDo) {
  ProgramSpec model = Model(64, "r");
  for (const char* name : {"", "1x", "a-b", "a b", "hy", "hy_model", "pthread"}) {
    EXPECT_EQ(MakeStaticLibrary(name, model, runtime_).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
  EXPECT_EQ(MakeStaticLibrary("m", model, "nothing").status().code(),
            absl::StatusCode::kInvalidArgument);
  ProgramSpec damaged = model;
  damaged.kernels[0].object[30] ^= 1;
  EXPECT_EQ(MakeStaticLibrary("m", damaged, runtime_).status().code(),
            absl::StatusCode::kInvalidArgument);
  model.device.kind = runtime::DeviceKind::kVulkan;
  EXPECT_EQ(MakeStaticLibrary("m", model, runtime_).status().code(),
            absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace halyard
