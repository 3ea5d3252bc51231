#include "runtime/x86/object_loader.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace halyard::runtime::x86 {
namespace {

std::string Compile(const std::string& source, const std::string& flags) {
  const std::string base = ::testing::TempDir() + "/object_loader_test";
  std::ofstream(base + ".c") << source;
  const std::string command = "gcc -c " + flags + " -o " + base + ".o " + base + ".c";
  EXPECT_EQ(system(command.c_str()), 0) << command;
  std::ifstream file(base + ".o", std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  remove((base + ".c").c_str());
  remove((base + ".o").c_str());
  return bytes.str();
}

int external_value = 1000;
int ExternalAdd(int a, int b) { return a + b; }

void* Resolve(const char* name, void* context) {
  if (context != nullptr) ++*static_cast<int*>(context);
  if (strcmp(name, "external_add") == 0) return reinterpret_cast<void*>(&ExternalAdd);
  if (strcmp(name, "external_value") == 0) return &external_value;
  return nullptr;
}

Status Load(const std::string& object, const char* entry, LoadedObject* loaded,
            int* resolved = nullptr) {
  return LoadObject({reinterpret_cast<const uint8_t*>(object.data()), object.size()}, entry,
                    Resolve, resolved, loaded);
}

// Constants, initialized and zeroed data, tables of pointers, internal and external calls, and
// external data.
const char kSource[] = R"(
int external_add(int, int);
extern int external_value;
extern int nowhere __attribute__((weak));
static const int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
static int counter = 5;
static int zeroed[1000];
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int (*const functions[])(int) = {twice, thrice};
static const char* const words[] = {"one", "seven"};
__attribute__((noinline)) int helper(int x) { return external_add(x, table[x & 7]); }
int run(int x) {
  zeroed[x] += ++counter;
  return helper(x) + functions[x & 1](zeroed[x]) + external_value + words[x & 1][0] + (&nowhere == 0);
}
)";

int Expected(int x, int counter, int zeroed) {
  const int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  return x + table[x & 7] + (x & 1 ? 3 : 2) * (zeroed + counter) + 1000 + (x & 1 ? 's' : 'o') + 1;
}

TEST(ObjectLoader, LinksWhatCompilersMake) {
  for (const char* flags : {"-O2 -fPIC", "-O0 -fPIC",
                            "-O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections",
                            "-O2 -mcmodel=large -fno-pic"}) {
    SCOPED_TRACE(flags);
    LoadedObject loaded;
    int resolved = 0;
    Status status = Load(Compile(kSource, flags), "run", &loaded, &resolved);
    ASSERT_TRUE(status.ok()) << status.message();
    const auto run = reinterpret_cast<int (*)(int)>(loaded.entry);
    EXPECT_EQ(run(3), Expected(3, 6, 0));
    EXPECT_EQ(run(3), Expected(3, 7, 6));
    EXPECT_EQ(run(6), Expected(6, 8, 0));
    EXPECT_GE(resolved, 2);
    UnloadObject(&loaded);
    EXPECT_EQ(loaded.mapping, nullptr);
  }
}

TEST(ObjectLoader, CodeIsNotWritable) {
  LoadedObject loaded;
  ASSERT_TRUE(Load(Compile(kSource, "-O2 -fPIC"), "run", &loaded).ok());
  std::ifstream maps("/proc/self/maps");
  const auto entry = reinterpret_cast<uint64_t>(loaded.entry);
  const auto from_image = reinterpret_cast<uint64_t>(loaded.mapping);
  int found = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long long from = 0, to = 0;
    char rights[8] = {};
    ASSERT_EQ(sscanf(line.c_str(), "%llx-%llx %7s", &from, &to, rights), 3);
    if (from < from_image || to > from_image + loaded.mapping_bytes) continue;
    EXPECT_FALSE(strchr(rights, 'w') != nullptr && strchr(rights, 'x') != nullptr) << line;
    if (from <= entry && entry < to) {
      ++found;
      EXPECT_STREQ(rights, "r-xp");
    }
  }
  EXPECT_EQ(found, 1);
  UnloadObject(&loaded);
}

TEST(ObjectLoader, NamesWhatIsMissing) {
  LoadedObject loaded;
  Status status =
      Load(Compile("int absent(int); int run(int x) { return absent(x) + 1; }", "-O2 -fPIC"), "run",
           &loaded);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_NE(std::string(status.message()).find("absent"), std::string::npos) << status.message();
  status = Load(Compile("int run(void) { return 1; }", "-O2"), "walk", &loaded);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_NE(std::string(status.message()).find("walk"), std::string::npos) << status.message();
  status =
      Load(Compile("static int walk(void) { return 1; } int run(void) { return walk(); }", "-O0"),
           "walk", &loaded);
  EXPECT_EQ(status.code(), Code::kNotFound) << "a local symbol is no entry";
}

TEST(ObjectLoader, NamesRelocationsItLacks) {
  LoadedObject loaded;
  const std::string tls =
      Compile("__thread int here; int run(void) { return ++here; }", "-O2 -fPIC");
  EXPECT_FALSE(Load(tls, "run", &loaded).ok());
  const std::string large =
      Compile("int external_add(int, int); int run(int x) { return external_add(x, 1); }",
              "-O2 -fPIC -mcmodel=large");
  Status status = Load(large, "run", &loaded);  // R_X86_64_GOTPC64 = 29
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(loaded.mapping, nullptr);
}

TEST(ObjectLoader, DamagedBytesNeverCrash) {
  const std::string object = Compile(kSource, "-O2 -fPIC");
  for (size_t size = 0; size < object.size(); size += 13) {
    LoadedObject loaded;
    EXPECT_FALSE(Load(object.substr(0, size), "run", &loaded).ok()) << size;
  }
  Elf64_Ehdr header;
  memcpy(&header, object.data(), sizeof(header));
  uint64_t state = 7;
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = object;
    state = state * 6364136223846793005u + 1442695040888963407u;
    // Damages in turn the section headers, anything (symbols, relocations, code) and the ELF
    // header.
    const size_t at = round % 3 == 0   ? header.e_shoff + (state >> 20) % (64 * header.e_shnum)
                      : round % 3 == 1 ? (state >> 20) % object.size()
                                       : (state >> 20) % 64;
    damaged[at] = static_cast<char>(state >> 56);
    LoadedObject loaded;
    if (Load(damaged, "run", &loaded).ok()) {
      UnloadObject(&loaded);
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

// The offset and size of a null section have no meaning, so nothing may be copied from there.
TEST(ObjectLoader, NullSectionsAreNotLoaded) {
  const std::string object = Compile(kSource, "-O2 -fPIC");
  Elf64_Ehdr header;
  memcpy(&header, object.data(), sizeof(header));
  int changed = 0, refused = 0;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const size_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    memcpy(&section, object.data() + at, sizeof(section));
    if (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_ALLOC) == 0) continue;
    section.sh_type = SHT_NULL;
    section.sh_offset = uint64_t{1} << 40;
    section.sh_size = 4096;
    std::string damaged = object;
    memcpy(damaged.data() + at, &section, sizeof(section));
    LoadedObject loaded;
    ++changed;
    if (Load(damaged, "run", &loaded).ok()) {
      UnloadObject(&loaded);
    } else {
      ++refused;
    }
  }
  EXPECT_GE(changed, 2);
  EXPECT_GE(refused, 1);  // the section that holds `run`
}

}  // namespace
}  // namespace halyard::runtime::x86
