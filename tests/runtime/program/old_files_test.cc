// Files that earlier versions of Halyard have made, in a folder for each format: this runtime runs
// those of its own format, and says of the others which version made them.
// tests/runtime/program/testdata/README says how a folder is made. When HALYARD_PROGRAM_FORMAT
// changes, add a folder, and keep the others.
#include <dirent.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/c_api/halyard_rt.h"
#include "runtime/version.h"

namespace {

const std::string kFolder = HALYARD_SOURCE_DIR "/tests/runtime/program/testdata/";

std::vector<int> Formats() {
  std::vector<int> formats;
  DIR* folder = opendir(kFolder.c_str());
  while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
    int format = 0;
    if (sscanf(entry->d_name, "format_%d", &format) == 1) formats.push_back(format);
  }
  if (folder != nullptr) closedir(folder);
  return formats;
}

// Runs the program, y = 2 x + {1, 2, 3, ..., 32}.
void ExpectRuns(hy_program* program) {
  float x[32], y[32] = {};
  for (int i = 0; i < 32; ++i) x[i] = static_cast<float>(i) / 4;
  const void* arguments[] = {x};
  void* results[] = {y};
  const hy_status status = hy_run(program, arguments, results);
  EXPECT_STREQ(hy_status_message(status), "");
  hy_status_free(status);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(y[i], 2 * x[i] + static_cast<float>(i + 1)) << i;
}

hy_status Open(const std::string& path, bool bundle, hy_device* device, hy_program** program) {
  hy_choose_options options = {};
  options.struct_size = sizeof(options);
  options.threads = 1;
  options.targets = "x86";
  return bundle ? hy_program_choose_file(path.c_str(), &options, program)
                : hy_program_load_file(device, path.c_str(), program);
}

TEST(OldFiles, RunOrSayWhichVersionMadeThem) {
  hy_device* device = nullptr;
  ASSERT_EQ(hy_device_open("x86", 0, 1, &device), nullptr);
  bool own = false;
  for (const int format : Formats()) {
    for (const bool bundle : {false, true}) {
      const std::string path = kFolder + "format_" + std::to_string(format) +
                               (bundle ? "/tiny.hybundle" : "/tiny.x86-v2.hyprog");
      hy_program* program = nullptr;
      const hy_status status = Open(path, bundle, device, &program);
      const std::string message = hy_status_message(status);
      if (format == HALYARD_PROGRAM_FORMAT) {
        own = true;
        EXPECT_EQ(message, "") << path;
        if (program != nullptr) ExpectRuns(program);
      } else {
        EXPECT_EQ(program, nullptr) << path;
        EXPECT_EQ(hy_status_code(status), HY_DATA_LOSS) << path;
        const std::string made = " made it in format " + std::to_string(format) +
                                 "; this is Halyard " HALYARD_VERSION_TEXT ", which reads format " +
                                 std::to_string(HALYARD_PROGRAM_FORMAT);
        EXPECT_NE(message.find(made), std::string::npos) << path << ": " << message;
      }
      hy_status_free(status);
      hy_program_free(program);
    }
  }
  EXPECT_TRUE(own) << "HALYARD_PROGRAM_FORMAT is " << HALYARD_PROGRAM_FORMAT << ", but " << kFolder
                   << " has no files of this format: files of users no longer load. If that is "
                      "meant, add them as its README says";
  hy_device_close(device);
}

// The same as if the format had been changed: files of this format say so to other runtimes.
TEST(OldFiles, OtherFormatsAreNamed) {
  FILE* file = fopen((kFolder + "format_5/tiny.x86-v2.hyprog").c_str(), "rb");
  ASSERT_NE(file, nullptr);
  std::vector<char> bytes(1 << 20);
  bytes.resize(fread(bytes.data(), 1, bytes.size(), file));
  fclose(file);
  const uint32_t later = 99, maker = 10203;
  memcpy(bytes.data() + 16, &later, sizeof(later));
  memcpy(bytes.data() + 20, &maker, sizeof(maker));
  hy_device* device = nullptr;
  ASSERT_EQ(hy_device_open("x86", 0, 1, &device), nullptr);
  hy_program* program = nullptr;
  const hy_status status = hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program);
  EXPECT_EQ(hy_status_code(status), HY_DATA_LOSS);
  EXPECT_NE(std::string(hy_status_message(status))
                .find("Halyard 1.2.3 made it in format 99; this is Halyard " HALYARD_VERSION_TEXT),
            std::string::npos)
      << hy_status_message(status);
  hy_status_free(status);
  hy_device_close(device);
}

}  // namespace
