// Libraries whose constants are in a separate file: how applications find that file, and when they
// refuse it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "runtime/archive/static_library.h"
#include "runtime/version.h"
#include "tests/runtime/program_builder.h"

namespace halyard {
namespace {

constexpr int kCount = 3000;

// Returns a program whose result is the constant `first`, `first` + 1, ….
ProgramSpec Model(int first) {
  testing::ProgramBuilder b("model");
  b.spec.target = "x86:v2";
  const auto out = b.Result("s32", {kCount}, 4 * kCount);
  std::string bytes;
  for (int i = 0; i < kCount; ++i) {
    const int32_t value = first + i;
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  b.Copy(0, b.Constant(bytes), out);
  return b.spec;
}

// Prints the first and the last element, or the error, and then the result of hy_program_verify.
constexpr char kMain[] = R"(#include <stdio.h>
#include "model.h"
static int show(hy_status status) {
  printf("error %d: %s\n", hy_status_code(status), hy_status_message(status));
  hy_status_free(status);
  return 1;
}
int main(int argc, char** argv) {
  static int32_t out[MODEL_OUT0_COUNT];
  model_model* model = NULL;
  hy_status status = argc > 1 ? model_create_with_weights(1, argv[1], &model)
                              : model_create(1, &model);
  if (status != NULL || (status = model_run(model, out)) != NULL) return show(status);
  printf("%d %d\n", (int)out[0], (int)out[MODEL_OUT0_COUNT - 1]);
  if ((status = hy_program_verify(model)) != NULL) return show(status);
  model_destroy(model);
  return 0;
}
)";

class WeightsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/weights_test_" + std::to_string(getpid());
    ASSERT_EQ(system(("rm -rf " + folder_ + " && mkdir -p " + folder_ + "/else").c_str()), 0);
    std::ifstream file(HALYARD_RUNTIME_ARCHIVE, std::ios::binary);
    std::stringstream bytes;
    bytes << file.rdbuf();
    runtime_ = bytes.str();
    auto library = MakeStaticLibrary("model", Model(7), runtime_, {}, true);
    ASSERT_TRUE(library.ok()) << library.status();
    weights_ = library->weights;
    ASSERT_EQ(weights_.size(), 4096u + (4 * kCount + 255) / 256 * 256);
    EXPECT_LT(library->archive.size(), runtime_.size() + 16384);
    Save("model.h", library->header);
    Save("libmodel.a", library->archive);
    Save("model.weights", weights_);
    Save("main.c", kMain);
    ASSERT_EQ(Shell("gcc -std=c99 -pedantic -Wall -Wextra -Werror main.c libmodel.a -o main -lm "
                    "-lpthread"),
              "");
  }
  void TearDown() override { (void)!system(("rm -rf " + folder_).c_str()); }

  void Save(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << bytes;
  }
  std::string Shell(const std::string& command) {
    FILE* pipe = popen(("cd " + folder_ + " && (" + command + ") 2>&1").c_str(), "r");
    std::string text;
    std::array<char, 4096> part;
    for (size_t n; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), n);
    pclose(pipe);
    return text;
  }
  void ExpectError(const std::string& command, int code, const std::string& what) {
    const std::string text = Shell(command);
    EXPECT_TRUE(absl::StartsWith(text, "error " + std::to_string(code) + ": ")) << text;
    EXPECT_TRUE(absl::StrContains(text, what)) << text;
  }

  const std::string right_ = "7 " + std::to_string(7 + kCount - 1) + "\n";
  std::string folder_, runtime_, weights_;
};

TEST_F(WeightsTest, AreFoundBesideTheExecutable) {
  EXPECT_EQ(Shell("cd / && " + folder_ + "/main"), right_);
  ASSERT_EQ(Shell("gcc -static main.c libmodel.a -o main_static -lm -lpthread"), "");
  EXPECT_EQ(Shell("cd else && ../main_static"), right_);
  Shell("mv model.weights else");
  ExpectError("./main", 5, "/model.weights: No such file");
  EXPECT_EQ(Shell("./main else/model.weights"), right_);
  EXPECT_EQ(Shell("HALYARD_WEIGHTS=else ./main"), right_);
  ExpectError("HALYARD_WEIGHTS=/nowhere ./main", 5, "/nowhere/model.weights");
}

// A shared object in another folder finds the file in its own folder, wherever the executable is.
TEST_F(WeightsTest, AreFoundBesideASharedObject) {
  Save("object.c", std::string(kMain) + "int run(void) { return main(0, NULL); }\n");
  Save("app.c", "int run(void);\nint main(void) { return run(); }\n");
  ASSERT_EQ(Shell("gcc -shared -fPIC -Dmain=own_main object.c libmodel.a -o else/libobject.so -lm "
                  "-lpthread && gcc app.c -o app -Lelse -lobject -Wl,-rpath,'$ORIGIN/else' && "
                  "mv model.weights else"),
            "");
  EXPECT_EQ(Shell("./app"), right_);
}

TEST_F(WeightsTest, OthersAreRefused) {
  auto other = MakeStaticLibrary("model", Model(8), runtime_, {}, true);
  ASSERT_TRUE(other.ok());
  Save("else/model.weights", other->weights);
  ExpectError("HALYARD_WEIGHTS=else ./main", 9, "else/model.weights: the weights of another");
  Save("else/model.weights", weights_.substr(0, weights_.size() - 256));
  ExpectError("HALYARD_WEIGHTS=else ./main", 15, "damaged");
  Save("else/model.weights", weights_ + "x");
  ExpectError("HALYARD_WEIGHTS=else ./main", 15, "damaged");
  for (const std::string& text : {std::string(), std::string("text"), std::string(9999, 'x')}) {
    Save("else/model.weights", text);
    ExpectError("HALYARD_WEIGHTS=else ./main", 15, "not a weights file");
  }
  ExpectError("./main else", 15, "not a weights file");
  std::string newer = weights_;
  newer[8] = 99;
  Save("else/model.weights", newer);
  ExpectError("HALYARD_WEIGHTS=else ./main", 9,
              "in format 99; this is Halyard " HALYARD_VERSION_TEXT);
}

TEST_F(WeightsTest, DamageIsFoundOnRequest) {
  std::string damaged = weights_;
  damaged[4096] ^= 1;
  Save("model.weights", damaged);
  const std::string text = Shell("./main");
  EXPECT_TRUE(absl::StartsWith(text, "6 ")) << text;
  EXPECT_TRUE(absl::StrContains(text, "error 15: program file: checksum of a constant")) << text;
}

// The pages are those of the file, so processes share them.
TEST_F(WeightsTest, AreMapped) {
  Save("maps.c", "#include <string.h>\n" + std::string(kMain) +
                     "int real(void) { model_model* m = NULL; char line[4096]; FILE* f;\n"
                     "  if (model_create(1, &m)) return 1;\n"
                     "  f = fopen(\"/proc/self/maps\", \"r\");\n"
                     "  while (fgets(line, sizeof(line), f)) if (strstr(line, \"model.weights\"))"
                     " printf(\"%.4s\", strchr(line, ' ') + 1);\n"
                     "  return 0; }\n#undef main\nint main(void) { return real(); }\n");
  EXPECT_EQ(Shell("gcc -Dmain=other maps.c libmodel.a -o maps -lm -lpthread && ./maps"), "r--p");
}

}  // namespace
}  // namespace halyard
