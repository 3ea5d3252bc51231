// .npz: files from NumPy, our own files, and damaged ones.
#include "client/arrays/npz.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/arrays/npy.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

constexpr ElementType kTypes[] = {
#define HALYARD_ELEMENT(name, hlo, mlir, bits, type_class) ElementType::name,
    HALYARD_ELEMENT_TYPES(HALYARD_ELEMENT)
#undef HALYARD_ELEMENT
};

std::string TestData(absl::string_view name) {
  return absl::StrCat(HALYARD_SOURCE_DIR, "/tests/client/testdata/", name, ".npz");
}

class Npz : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "npz_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(absl::string_view name) const { return absl::StrCat(folder_, "/", name); }

  std::string folder_;
};

std::string Load(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

void Store(const std::string& path, absl::string_view bytes) {
  std::filesystem::remove(path);  // overwriting would make file systems flush
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST_F(Npz, ReadsWhatNumPyWrote) {
  for (absl::string_view file : {"good", "deflated"}) {
    auto arrays = ReadNpz(TestData(file));
    ASSERT_TRUE(arrays.ok()) << arrays.status().message();
    EXPECT_EQ(arrays->size(), 11u);
    Literal ramp = (*arrays)["arg0"], fortran = (*arrays)["arg1"];
    EXPECT_EQ(ramp.shape(), Shape::Array(ElementType::kF32, {2, 3, 4}));
    EXPECT_EQ(fortran.shape(), Shape::Array(ElementType::kS16, {2, 3, 4}));
    for (int64_t i = 0; i < 24; ++i) {
      EXPECT_EQ(ramp.GetFloat(i), i);
      EXPECT_EQ(fortran.GetInt(i), i);
    }
    auto text = [&](const std::string& name) {
      const Literal& literal = (*arrays)[name];
      return absl::StrCat(literal.shape().ToString(), " ", literal.ToString());
    };
    EXPECT_EQ(text("arg2"), "bf16[3] {1.5, -2, inf}");
    EXPECT_EQ(text("arg3"), "s4[3] {-1, 7, -8}");
    EXPECT_EQ(text("arg4"), "bf16[3] {1.5, -2, inf}");
    EXPECT_EQ(text("arg5"), "f8e5m2[2] {1, 2}");
    EXPECT_EQ(text("arg6"), "pred[] true");
    EXPECT_EQ(text("arg7"), "f64[0,3] {}");
    EXPECT_EQ(text("arg8"), "c64[1] {(1, 2)}");
    EXPECT_EQ(text("arg9"), "u64[1] {18446744073709551615}");
    EXPECT_EQ(text("arg10"), "s4[1,2] { {-1, -2} }");
  }
}

TEST_F(Npz, RefusesWhatIsNoArrayOfOurs) {
  const std::pair<absl::string_view, absl::string_view> kCases[] = {
      {"big_endian", "a: type '>f4' is big-endian"},
      {"objects", "a: object arrays are not supported"},
      {"structured", "a: structured arrays are not supported"},
      {"long_double", "a: NumPy type 'f16' is not an element type"},
      {"no_dtype",
       "a: NumPy type 'V2' is not an element type; types that NumPy lacks need a NAME.dtype"},
      {"unknown_dtype", "a: unknown type 'float7' in a.dtype"},
      {"wrong_width", "a: NumPy type 'u1' cannot hold bfloat16"},
      {"wrong_kind", "a: NumPy type 'f2' cannot hold bfloat16"},
      {"no_such_value", "a: a byte is no value of type uint4"},
      {"dtype_alone", "a.dtype: there is no such array"},
      {"dtype_no_string", "a.dtype: expected one string"},
  };
  for (const auto& [file, error] : kCases) {
    absl::Status status = ReadNpz(TestData(file)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << file;
    EXPECT_TRUE(absl::StrContains(status.message(), absl::StrCat(TestData(file), ": ", error)))
        << status.message();
  }
}

TEST_F(Npz, EveryTypeRoundTrips) {
  std::mt19937_64 random(3);
  std::vector<std::pair<std::string, Literal>> arrays;
  for (ElementType type : kTypes) {
    for (const std::vector<int64_t>& dims :
         {std::vector<int64_t>{}, {7}, {3, 0}, {2, 3, 5}, {1, 1, 1, 1, 600}}) {
      Literal literal(Shape::Array(type, dims));
      if (hlo::IsComplex(type)) {
        for (std::byte& byte : literal.mutable_bytes()) byte = static_cast<std::byte>(random());
      } else {
        for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
          int bits = hlo::BitWidth(type);
          literal.SetBits(i, bits == 64 ? random() : random() & ((uint64_t{1} << bits) - 1));
        }
      }
      arrays.push_back({absl::StrCat("arg", arrays.size()), literal});
    }
  }
  ASSERT_TRUE(WriteNpz(Path("a.npz"), arrays).ok());
  auto read = ReadNpz(Path("a.npz"));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read->size(), arrays.size());
  for (const auto& [name, literal] : arrays) {
    EXPECT_EQ((*read)[name].shape(), literal.shape()) << name;
    EXPECT_TRUE((*read)[name].BitwiseEqual(literal)) << name;
  }
  // The same arrays give the same bytes.
  ASSERT_TRUE(WriteNpz(Path("b.npz"), arrays).ok());
  EXPECT_EQ(Load(Path("a.npz")), Load(Path("b.npz")));
}

TEST_F(Npz, SignedNarrowTypesAreWrittenAsMlDtypesHoldsThem) {
  Literal literal(Shape::Array(ElementType::kS4, {1}));
  literal.SetInt(0, -1);
  ASSERT_TRUE(WriteNpz(Path("a.npz"), {{"x", literal}}).ok());
  EXPECT_TRUE(absl::StrContains(Load(Path("a.npz")), "\n\x0fPK"));
  EXPECT_EQ(static_cast<int>(literal.bytes()[0]), 0xff) << "the literal is left as it was";
}

TEST_F(Npz, NothingAtAll) {
  ASSERT_TRUE(WriteNpz(Path("a.npz"), {}).ok());
  auto read = ReadNpz(Path("a.npz"));
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_TRUE(read->empty());
}

TEST_F(Npz, FailedWritesLeaveTheOldFile) {
  Literal one = Literal(Shape::Scalar(ElementType::kF32));
  ASSERT_TRUE(WriteNpz(Path("a.npz"), {{"x", one}}).ok());
  std::string before = Load(Path("a.npz"));
  EXPECT_FALSE(WriteNpz(Path("a.npz"), {{"y", one}, {"y", one}}).ok());
  EXPECT_FALSE(WriteNpz(Path("a.npz"), {{"y", Literal::Tuple({one})}}).ok());
  EXPECT_EQ(Load(Path("a.npz")), before);
  absl::Status status = WriteNpz(Path("none/a.npz"), {{"x", one}});
  EXPECT_TRUE(absl::StrContains(status.message(), Path("none/a.npz"))) << status.message();
  EXPECT_FALSE(WriteNpz(folder_, {{"x", one}}).ok());
  EXPECT_FALSE(WriteNpz(Path("none/a.npz"), {}).ok());
  // There is one file and no temporary ones.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  // An existing file is replaced, whatever it contains.
  Store(Path("a.npz"), "no archive");
  EXPECT_TRUE(WriteNpz(Path("a.npz"), {{"x", one}}).ok());
  EXPECT_EQ(Load(Path("a.npz")), before);
}

TEST_F(Npz, MissingAndForeignFiles) {
  absl::Status missing = ReadNpz(Path("none.npz")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(missing.message(), Path("none.npz"))) << missing.message();
  for (absl::string_view bytes : {"", "HloModule m\n", "\x93NUMPY"}) {
    Store(Path("a.npz"), bytes);
    EXPECT_EQ(ReadNpz(Path("a.npz")).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(ReadNpz(folder_).ok());
}

// Makes an archive of zeros, which takes a thousand times the file's size when unpacked.
std::string MakeBomb(const std::string& path, const Shape& shape) {
  int code = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  struct State {
    std::string head;
    int64_t at = 0, size = 0;
  } state;
  state.head = NpyHeaderFor(shape);
  state.size = static_cast<int64_t>(state.head.size()) +
               shape.NumElements() * hlo::StorageBytes(shape.element_type());
  zip_source_t* source = zip_source_function(
      archive,
      [](void* user, void* data, zip_uint64_t length, zip_source_cmd_t command) -> zip_int64_t {
        auto* s = static_cast<State*>(user);
        if (command == ZIP_SOURCE_OPEN) s->at = 0;
        if (command == ZIP_SOURCE_STAT) {
          auto* stat = static_cast<zip_stat_t*>(data);
          zip_stat_init(stat);
          stat->size = static_cast<zip_uint64_t>(s->size);
          stat->valid = ZIP_STAT_SIZE;
          return sizeof(*stat);
        }
        if (command == ZIP_SOURCE_SUPPORTS) {
          return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                                ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                                -1);
        }
        if (command != ZIP_SOURCE_READ) return 0;
        const int64_t count = std::min(static_cast<int64_t>(length), s->size - s->at);
        std::memset(data, 0, static_cast<size_t>(count));
        for (int64_t i = 0; i < count && s->at + i < static_cast<int64_t>(s->head.size()); ++i)
          static_cast<char*>(data)[i] = s->head[static_cast<size_t>(s->at + i)];
        s->at += count;
        return count;
      },
      &state);
  const zip_int64_t index = zip_file_add(archive, "arg0.npy", source, 0);
  EXPECT_EQ(zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 1),
            0);
  EXPECT_EQ(zip_close(archive), 0) << zip_strerror(archive);
  return path;
}

TEST_F(Npz, ShapesAreComparedBeforeAnythingIsUnpacked) {
  const Shape shape = Shape::Array(ElementType::kU8, {64 << 20});
  const std::string path = MakeBomb(Path("bomb.npz"), shape);
  EXPECT_LT(std::filesystem::file_size(path), 1u << 20);
  const std::string bytes = Load(path);
  // Damages the compressed data, so that unpacking it would fail.
  std::string damaged = bytes;
  for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i) damaged[i] ^= 0x55;
  Store(path, damaged);
  EXPECT_FALSE(ReadNpz(path).ok());
  std::vector<std::string> asked;
  auto refuse = [&](const std::string& name, const Shape& given) -> absl::StatusOr<bool> {
    asked.push_back(absl::StrCat(name, " ", given.ToString()));
    return absl::InvalidArgumentError("not this one");
  };
  EXPECT_EQ(ReadNpz(path, refuse).status().message(), "not this one");
  EXPECT_EQ(asked, std::vector<std::string>({"arg0 u8[67108864]"}));
  auto nothing = ReadNpz(path, [](const std::string&, const Shape&) { return false; });
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_TRUE(nothing->empty());
}

// zlib counts bytes in 32 bits.
TEST_F(Npz, MoreThanFourGigabytesCompressed) {
  if (std::getenv("HALYARD_NIGHTLY") == nullptr) GTEST_SKIP() << "takes 5 GB: HALYARD_NIGHTLY=1";
  const int64_t size = (int64_t{1} << 32) + 4096;
  const std::string path = MakeBomb(Path("large.npz"), Shape::Array(ElementType::kU8, {size}));
  auto arrays = ReadNpz(path);
  ASSERT_TRUE(arrays.ok()) << arrays.status();
  EXPECT_EQ((*arrays)["arg0"].shape().dims(), std::vector<int64_t>({size}));
}

TEST_F(Npz, Pipes) {
  ASSERT_EQ(mkfifo(Path("pipe.npz").c_str(), 0600), 0);
  EXPECT_TRUE(
      absl::StrContains(ReadNpz(Path("pipe.npz")).status().message(), "not a regular file"));
}

TEST_F(Npz, TruncatedAtEveryLength) {
  for (absl::string_view file : {"good", "deflated"}) {
    std::string bytes = Load(TestData(file));
    for (size_t size = 0; size < bytes.size(); size += size < bytes.size() - 100 ? 13 : 1) {
      Store(Path("a.npz"), absl::string_view(bytes).substr(0, size));
      EXPECT_FALSE(ReadNpz(Path("a.npz")).ok()) << size << " of " << bytes.size();
    }
  }
}

TEST_F(Npz, DamagedBytes) {
  // If damage is not detected, only names may differ: the checksum covers an entry's data, but not
  // its name.
  std::mt19937 random(5);
  auto good = ReadNpz(TestData("good"));
  ASSERT_TRUE(good.ok());
  int accepted = 0;
  for (absl::string_view file : {"good", "deflated"}) {
    std::string bytes = Load(TestData(file));
    for (int round = 0; round < 1500; ++round) {
      std::string damaged = bytes;
      damaged[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
      Store(Path("a.npz"), damaged);
      auto read = ReadNpz(Path("a.npz"));
      if (!read.ok()) continue;
      ++accepted;
      for (const auto& [name, literal] : *good) {
        if (read->count(name) == 0) continue;
        const Literal& got = (*read)[name];
        if (got.shape().element_type() != literal.shape().element_type()) continue;
        EXPECT_TRUE(got.BitwiseEqual(literal)) << name;
      }
    }
  }
  EXPECT_LT(accepted, 1500);
}

absl::Status HeaderError(absl::string_view dict) {
  std::string bytes = absl::StrCat("\x93NUMPY", absl::string_view("\1\0", 2));
  bytes.push_back(static_cast<char>(dict.size()));
  bytes.push_back(0);
  return ParseNpyHeader(absl::StrCat(bytes, dict)).status();
}

TEST(NpyHeader, Wrong) {
  EXPECT_TRUE(HeaderError("{'descr': '<f4', 'fortran_order': False, 'shape': (3L,), }").ok());
  for (absl::string_view dict : {
           "",
           "{",
           "{}",
           "{'descr': '<f4', 'fortran_order': False, }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'x': 1}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (3",
           "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': True, 'shape': (3,)}",
           "{'descr': '<f', 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f-4', 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f99999999', 'fortran_order': False, 'shape': (3,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
       }) {
    EXPECT_FALSE(HeaderError(dict).ok()) << dict;
  }
  EXPECT_FALSE(ParseNpyHeader("").ok());
  EXPECT_FALSE(ParseNpyHeader("\x93NUMPY\x01").ok());
  EXPECT_FALSE(ParseNpyHeader(absl::string_view("\x93NUMPY\x01\0\xff\xff{", 11)).ok());
  EXPECT_FALSE(ParseNpyHeader(absl::string_view("\x93NUMPY\x09\0\1\0{}", 12)).ok());
}

}  // namespace
}  // namespace halyard
