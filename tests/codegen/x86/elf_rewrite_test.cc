#include "codegen/x86/elf_rewrite.h"

#include <Halide.h>
#include <elf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halyard::lowering {
namespace {

// Returns a kernel with a parallel loop (so that it imports something) and tables of constants.
std::string HalideObject(const std::string& name) {
  Halide::Var x, y;
  Halide::ImageParam in(Halide::Float(32), 2);
  Halide::Func f("f");
  f(x, y) = Halide::exp(in(x, y)) * Halide::sin(in(y, x));
  f.parallel(y).vectorize(x, 8);
  const std::string path = ::testing::TempDir() + "/" + name + ".o";
  f.compile_to_object(path, {in}, name,
                      Halide::Target("x86-64-linux-no_runtime-no_asserts-no_bounds_query"));
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  remove(path.c_str());
  return bytes.str();
}

// Returns what binutils sees, rather than our own reader: the name and nm's letter.
std::map<std::string, char> Symbols(const std::string& object) {
  const std::string path = ::testing::TempDir() + "/nm_input.o";
  std::ofstream(path, std::ios::binary) << object;
  FILE* pipe = popen(("nm " + path).c_str(), "r");
  std::map<std::string, char> symbols;
  char line[512];
  while (fgets(line, sizeof(line), pipe) != nullptr) {
    char letter, name[256];
    if (sscanf(line + 17, "%c %255s", &letter, name) == 2) symbols[name] = letter;
  }
  EXPECT_EQ(pclose(pipe), 0);
  remove(path.c_str());
  return symbols;
}

TEST(RewriteSymbols, HidesAllButTheEntry) {
  const std::string object = HalideObject("kernel_a");
  auto rewritten = RewriteSymbols(object, "kernel_a_argv", "hyk_1234");
  ASSERT_TRUE(rewritten.ok()) << rewritten.status();
  const auto symbols = Symbols(*rewritten);
  EXPECT_EQ(symbols.at("hyk_1234"), 'T');
  EXPECT_EQ(symbols.at("hyrt_do_par_for"), 'U');
  EXPECT_EQ(symbols.at("kernel_a"), 't');
  EXPECT_EQ(symbols.count("kernel_a_argv"), 0u);
  for (const auto& [name, letter] : symbols) {
    EXPECT_EQ(name.find("halide"), std::string::npos) << name;
    if (name == "hyk_1234") continue;
    EXPECT_TRUE(letter == 'U' || islower(letter)) << name << " " << letter;
  }
}

TEST(RewriteSymbols, EntryMayBeNamedAsTheFunction) {
  auto rewritten = RewriteSymbols(HalideObject("hyk_7"), "hyk_7_argv", "hyk_7");
  ASSERT_TRUE(rewritten.ok()) << rewritten.status();
  const auto symbols = Symbols(*rewritten);
  EXPECT_EQ(symbols.at("hyk_7"), 'T');
  EXPECT_EQ(symbols.at("hyk_7.body"), 't');
}

TEST(RewriteSymbols, CodeAndRelocationsStayEqual) {
  const std::string object = HalideObject("kernel_b");
  auto rewritten = RewriteSymbols(object, "kernel_b_argv", "hyk_b");
  ASSERT_TRUE(rewritten.ok()) << rewritten.status();
  auto disassemble = [](const std::string& bytes) {
    const std::string path = ::testing::TempDir() + "/objdump_input.o";
    std::ofstream(path, std::ios::binary) << bytes;
    FILE* pipe = popen(("objdump -d -r --no-addresses --no-show-raw-insn " + path +
                        " | sed -e s/halide_/hyrt_/g -e s/kernel_b_argv/hyk_b/g -e 1,3d")
                           .c_str(),
                       "r");
    std::string text;
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof(part), pipe)) > 0;) text.append(part, n);
    pclose(pipe);
    remove(path.c_str());
    return text;
  };
  const std::string before = disassemble(object);
  EXPECT_GT(before.size(), 1000u);
  EXPECT_EQ(before, disassemble(*rewritten));
}

TEST(RewriteSymbols, SaysWhatIsWrong) {
  const std::string object = HalideObject("kernel_c");
  EXPECT_EQ(RewriteSymbols(object, "missing", "x").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(RewriteSymbols("", "a", "b").status().code(), absl::StatusCode::kInvalidArgument);
  std::string not_elf = object;
  not_elf[0] = 'x';
  EXPECT_EQ(RewriteSymbols(not_elf, "kernel_c_argv", "x").status().code(),
            absl::StatusCode::kInvalidArgument);
  for (size_t size = 0; size < object.size(); size += 37) {  // the section headers are at the end
    EXPECT_FALSE(RewriteSymbols(object.substr(0, size), "kernel_c_argv", "x").ok()) << size;
  }
}

TEST(RewriteSymbols, DamagedBytesNeverCrash) {
  const std::string object = HalideObject("kernel_d");
  uint64_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = object;
    for (int i = 0; i < 4; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      // Half of the hits are in the headers, where they matter most.
      const size_t tail = 64 * 12;
      const size_t at = (state >> 63) != 0 ? damaged.size() - 1 - (state >> 20) % tail
                                           : (state >> 20) % damaged.size();
      damaged[at] = static_cast<char>(state >> 52);
    }
    auto rewritten = RewriteSymbols(damaged, "kernel_d_argv", "hyk_d");
    if (!rewritten.ok()) continue;
    EXPECT_LT(rewritten->size(), 100 * object.size());
  }
}

}  // namespace
}  // namespace halyard::lowering
