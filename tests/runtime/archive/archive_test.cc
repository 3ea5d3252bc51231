#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/archive/ar.h"
#include "runtime/archive/data_object.h"

namespace halyard {
namespace {

std::string Path(const std::string& name) { return ::testing::TempDir() + "/archive_test_" + name; }

void Write(const std::string& name, const std::string& bytes) {
  std::ofstream(Path(name), std::ios::binary) << bytes;
}

std::string Read(const std::string& name) {
  std::ifstream file(Path(name), std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

int Shell(const std::string& command) {
  return system(("cd " + ::testing::TempDir() + " && " + command).c_str());
}

DataSymbol Text(const std::string& name, const std::string& text, uint64_t alignment, bool global) {
  DataSymbol symbol;
  symbol.name = name;
  symbol.bytes = std::string(text.c_str(), text.size() + 1);
  symbol.alignment = alignment;
  symbol.global = global;
  return symbol;
}

// The linker and the loader must accept the object like one from a compiler.
TEST(DataObject, LinksAndLoads) {
  DataSymbol table;
  table.name = "table";
  table.bytes = std::string(24, '\0');
  table.bytes[16] = 42;
  table.pointers = {{0, "first"}, {8, "second"}};
  const std::string object =
      WriteDataObject({Text("first", "one", 1, false), Text("second", "two", 4096, true), table,
                       Text("third", "three", 64, true)});
  Write("data.o", object);
  ASSERT_EQ(
      Shell("gcc -shared -Wl,-z,defs,--fatal-warnings archive_test_data.o -o archive_test_data.so"),
      0);
  void* library = dlopen(Path("data.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const char* const* loaded = static_cast<const char* const*>(dlsym(library, "table"));
  ASSERT_NE(loaded, nullptr);
  EXPECT_STREQ(loaded[0], "one");
  EXPECT_STREQ(loaded[1], "two");
  EXPECT_EQ(reinterpret_cast<const char*>(loaded)[16], 42);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(loaded[1]) % 4096, 0u);
  EXPECT_EQ(dlsym(library, "second"), loaded[1]);
  EXPECT_EQ(dlsym(library, "first"), nullptr) << "a local symbol";
  const char* third = static_cast<const char*>(dlsym(library, "third"));
  EXPECT_STREQ(third, "three");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(third) % 64, 0u);
  dlclose(library);
}

TEST(DataObject, ImportsWhatItDoesNotHave) {
  DataSymbol table;
  table.name = "table";
  table.bytes = std::string(8, '\0');
  table.pointers = {{0, "strlen"}};
  Write("import.o", WriteDataObject({table}));
  ASSERT_EQ(Shell("gcc -shared archive_test_import.o -o archive_test_import.so"), 0);
  void* library = dlopen(Path("import.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto function = *static_cast<size_t (**)(const char*)>(dlsym(library, "table"));
  EXPECT_EQ(function("halyard"), 7u);
  dlclose(library);
}

// Large data lies before or behind everything that instructions address, with each linker.
TEST(DataObject, LargeDataPartsNothing) {
  DataSymbol table;
  table.name = "table";
  table.bytes = std::string(8, '\0');
  table.pointers = {{0, "big"}};
  DataSymbol big = Text("big", "large", 4096, false);
  big.large = true;
  Write("large.o", WriteDataObject({Text("small", "small", 1, false), big, table}));
  Write("large.c",
        "#include <string.h>\nextern const char* const table;\nint counter;\n"
        "int main(void) { return strcmp(table, \"large\") + counter; }\n");
  for (const std::string linker : {"bfd", "lld", "gold"}) {
    if (Shell("command -v ld." + linker + " > /dev/null") != 0) continue;
    ASSERT_EQ(Shell("gcc archive_test_large.c archive_test_large.o -fuse-ld=" + linker +
                    " -o archive_test_large && ./archive_test_large"),
              0)
        << linker;
    ASSERT_EQ(Shell("nm archive_test_large | sed -n 's/^\\([0-9a-f]*\\) . "
                    "\\(big\\|counter\\|main\\|_IO_stdin_used\\)$/\\1 \\2/p' | sort | cut -d' ' "
                    "-f2 | tr '\\n' ' ' > archive_test_order"),
              0);
    const std::string order = Read("order");
    EXPECT_TRUE(order.rfind("big ", 0) == 0 || order.find(" big ") + 5 == order.size())
        << linker << ": " << order;
  }
}

// A C compiler links with the archive, binutils lists it, and archives made by binutils can be
// read.
TEST(Archive, ToolsAgree) {
  Write("a.c", "int a_value(void) { return 40; }");
  Write("b.c", "int a_value(void); int b_value(void) { return a_value() + 2; }");
  Write("main.c", "int b_value(void); int main(void) { return b_value() == 42 ? 0 : 1; }");
  ASSERT_EQ(Shell("gcc -c archive_test_a.c -o archive_test_a.o && gcc -c archive_test_b.c -o "
                  "archive_test_b.o"),
            0);
  const std::vector<ArchiveMember> members = {
      {"short.o", Read("a.o")},
      {"a_name_longer_than_fifteen_letters.o", Read("b.o")},
      {"another_name_longer_than_that.o", WriteDataObject({Text("x", "odd", 1, true)})}};
  auto archive = WriteArchive(members);
  ASSERT_TRUE(archive.ok()) << archive.status();
  EXPECT_EQ(*archive, *WriteArchive(members));
  Write("all.a", *archive);
  ASSERT_EQ(
      Shell(
          "gcc archive_test_main.c archive_test_all.a -o archive_test_main && ./archive_test_main"),
      0);
  ASSERT_EQ(Shell("ar t archive_test_all.a > archive_test_list"), 0);
  EXPECT_EQ(Read("list"),
            "short.o\na_name_longer_than_fifteen_letters.o\nanother_name_longer_than_that.o\n");
  ASSERT_EQ(
      Shell("nm -s archive_test_all.a | grep -q 'b_value in a_name_longer_than_fifteen_letters.o'"),
      0);

  // As for an archive over 4 GiB.
  auto wide = WriteArchive(members, 100);
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->substr(8, 8), "/SYM64/ ");
  EXPECT_EQ(ReadArchive(*wide)->size(), 3u);
  Write("wide.a", *wide);
  for (const std::string linker : {"bfd", "lld"}) {
    if (Shell("command -v ld." + linker + " > /dev/null") != 0) continue;
    EXPECT_EQ(Shell("gcc archive_test_main.c archive_test_wide.a -fuse-ld=" + linker +
                    " -o archive_test_main && ./archive_test_main"),
              0)
        << linker;
  }
  EXPECT_EQ(Shell("nm -s archive_test_wide.a | grep -q b_value"), 0);

  // Some readers report unusual symbol tables as damaged.
  EXPECT_EQ(Shell("! readelf -h archive_test_all.a 2>&1 | grep -iE 'warning|error' && "
                  "cp archive_test_all.a archive_test_copy.a && ranlib archive_test_copy.a && "
                  "nm -s archive_test_copy.a > /dev/null"),
            0);
  for (size_t at = 8; at < archive->size();) {
    const int64_t size = atoll(archive->substr(at + 48, 10).c_str());
    if ((*archive)[at] == '/' && !isdigit((*archive)[at + 1])) {
      EXPECT_EQ(size % 2, 0) << at;
    }
    at += 60 + size + size % 2;
  }
  if (Shell("command -v bsdtar > /dev/null") == 0) {
    EXPECT_EQ(Shell("bsdtar -tf archive_test_all.a > archive_test_bsd"), 0);
  }

  auto own = ReadArchive(*archive);
  ASSERT_TRUE(own.ok()) << own.status();
  ASSERT_EQ(own->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*own)[i].name, members[i].name);
    EXPECT_EQ((*own)[i].data, members[i].data);
  }
  ASSERT_EQ(
      Shell("cp archive_test_b.o archive_test_longer_than_fifteen.o && rm -f archive_test_gnu.a && "
            "ar rcs archive_test_gnu.a archive_test_a.o archive_test_longer_than_fifteen.o"),
      0);
  auto gnu = ReadArchive(Read("gnu.a"));
  ASSERT_TRUE(gnu.ok()) << gnu.status();
  ASSERT_EQ(gnu->size(), 2u);
  EXPECT_EQ((*gnu)[1].name, "archive_test_longer_than_fifteen.o");
  EXPECT_EQ((*gnu)[1].data, Read("b.o"));
}

TEST(Archive, RefusesWhatIsNone) {
  EXPECT_FALSE(ReadArchive("").ok());
  EXPECT_FALSE(ReadArchive("!<thin>\n").ok());
  EXPECT_FALSE(WriteArchive({{"text.o", "no object"}}).ok());
  const std::string archive = *WriteArchive({{"x.o", WriteDataObject({Text("x", "y", 1, true)})}});
  for (size_t size = 9; size < archive.size(); size += 7)
    EXPECT_FALSE(ReadArchive(archive.substr(0, size)).ok());
}

}  // namespace
}  // namespace halyard
