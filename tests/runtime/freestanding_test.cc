// The runtime's archives as an application's linker sees them: they need nothing from libstdc++,
// Abseil, Halide or LLVM.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <string>

namespace {

std::string Shell(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof(part), pipe)) > 0;) text.append(part, n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(Freestanding, NoForeignSymbolIsNeeded) {
  std::set<std::string> needed, defined;
  std::istringstream archives(HALYARD_RUNTIME_ARCHIVES);
  int count = 0;
  for (std::string archive; std::getline(archives, archive, '|'); ++count) {
    std::istringstream lines(Shell("nm -P '" + archive + "'"));
    for (std::string line; std::getline(lines, line);) {
      char name[1024], type = 0;
      if (sscanf(line.c_str(), "%1023s %c", name, &type) != 2) continue;
      (type == 'U' || type == 'w' ? needed : defined).insert(name);
    }
  }
  ASSERT_GE(count, 1);
  ASSERT_GT(defined.size(), 100u);
  int own = 0;
  for (const std::string& name : needed) {
    if (defined.count(name) != 0) continue;
    const bool is_cxx = name.rfind("_Z", 0) == 0,
               is_own = name.rfind("_ZN7halyard7runtime", 0) == 0;
    own += is_own;
    EXPECT_FALSE(is_cxx && !is_own) << name;
    for (const char* part : {"__cxa", "__gxx", "_Unwind", "halide", "LLVM", "__gnu_cxx"}) {
      EXPECT_EQ(name.find(part), std::string::npos) << name;
    }
  }
  EXPECT_LE(own, 2) << "only the doors of backends, which are weak";
}

// If the runtime is linked into an application's shared object, that object exports only the C API,
// besides the application's own symbols.
TEST(Freestanding, SharedObjectsShowTheCApiAlone) {
  std::string archives;
  std::istringstream list(HALYARD_RUNTIME_ARCHIVES);
  for (std::string archive; std::getline(list, archive, '|');) archives += " '" + archive + "'";
  const std::string object = ::testing::TempDir() + "/freestanding_test.so";
  Shell("gcc -shared -o '" + object + "' -Wl,--whole-archive" + archives +
        " -Wl,--no-whole-archive -lpthread -ldl -lm");
  std::istringstream lines(Shell("nm -D --defined-only -P '" + object + "'"));
  int shown = 0;
  for (std::string line; std::getline(lines, line); ++shown)
    EXPECT_EQ(line.rfind("hy_", 0), 0u) << line;
  EXPECT_GE(shown, 30);
  remove(object.c_str());
}

}  // namespace
