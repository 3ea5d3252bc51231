// Tests bundles whose sizes are chosen when they run, by the functions of the C API.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/hash.h"
#include "runtime/program/bundle/bundle_format.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

std::unique_ptr<hlo::Module> Parsed(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = stablehlo::ParseStableHlo(text, "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

// A bundle, and what its functions say.
class SizedBundle : public ::testing::Test {
 protected:
  static std::string Compile(const std::string& name, const std::string& program,
                             std::vector<std::string> options) {
    const std::string folder = TestFolder() + "/" + name;
    std::vector<std::string> command = {"compile",
                                        WriteTestFile(name + ".mlir", program),
                                        "--emit=bundle",
                                        "--target=x86:v3",
                                        "-o",
                                        folder,
                                        "--name=" + name};
    command.insert(command.end(), options.begin(), options.end());
    const CommandResult compiled = RunHalyard(command);
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    return folder + "/" + name + ".hybundle";
  }
  static hy_program* Open(const std::string& path) {
    hy_choose_options options = {};
    options.struct_size = sizeof(options);
    options.threads = 1;
    hy_program* program = nullptr;
    const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
    EXPECT_EQ(status, nullptr) << hy_status_message(status);
    hy_status_free(status);
    return program;
  }
  static std::string Text(hy_status status) {
    const std::string text =
        status == nullptr ? ""
                          : absl::StrCat(hy_status_code(status), ": ", hy_status_message(status));
    hy_status_free(status);
    return text;
  }
};

constexpr char kHalf[] = R"(func.func @main(%x: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reverse %x, dims = [2] : tensor<?x3x?xf32>
  %w = "stablehlo.reduce_window"(%r, %z) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [0, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x3x?xf32>
  return %w : tensor<?x3x?xf32>
})";

// Two sizes, of which one is an inner dimension: rows are copied. The result's size is no linear
// function.
TEST_F(SizedBundle, TwoSizes) {
  hy_program* program = Open(Compile("half", kHalf, {"--dim=rows=x.0:1..3@3", "--dim=x.2:2..6@6"}));
  ASSERT_NE(program, nullptr);
  ASSERT_EQ(hy_program_num_sizes(program), 2);
  hy_size size;
  ASSERT_EQ(Text(hy_program_size(program, 0, &size)), "");
  EXPECT_STREQ(size.name, "rows");
  EXPECT_EQ(size.most, 3);
  ASSERT_EQ(Text(hy_program_size(program, 1, &size)), "");
  EXPECT_STREQ(size.name, "x.2");
  EXPECT_EQ(size.least, 2);
  EXPECT_EQ(size.listed, nullptr);
  EXPECT_EQ(hy_program_num_arguments(program), 1);
  const std::unique_ptr<hlo::Module> module = Parsed(kHalf);
  std::mt19937 random(1);
  for (const auto& [rows, length] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {2, 3}, {3, 6}, {3, 5}, {2, 6}, {1, 4}}) {
    Literal x(hlo::Shape::Array(ElementType::kF32, {rows, 3, length}));
    for (int64_t i = 0; i < rows * 3 * length; ++i) x.SetFloat(i, random() % 16);
    hlo::Evaluator evaluator;
    absl::StatusOr<Literal> want = evaluator.Run(*module, {x});
    ASSERT_TRUE(want.ok()) << want.status();
    const int64_t sizes[] = {rows, length};
    int64_t dims[3];
    ASSERT_EQ(Text(hy_program_result_dims(program, 0, sizes, dims)), "");
    EXPECT_EQ(dims[2], (length + 1) / 2);
    Literal got(want->shape());
    const void* arguments[] = {x.bytes().data()};
    void* results[] = {got.mutable_bytes().data()};
    ASSERT_EQ(Text(hy_run_sized(program, nullptr, sizes, arguments, results)), "");
    EXPECT_TRUE(got.BitwiseEqual(*want)) << got.ToString() << want->ToString();
  }
  const int64_t wrong[] = {1, 7};
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, wrong, nullptr, nullptr)),
              HasSubstr("hy_run_sized: arguments is NULL"));
  int64_t dims[3];
  EXPECT_THAT(Text(hy_program_argument_dims(program, 0, wrong, dims)),
              HasSubstr("x.2 is 7; it is in 2..6"));
  const void* arguments[] = {&dims};
  void* results[] = {&dims};
  EXPECT_THAT(Text(hy_run(program, arguments, results)), HasSubstr("use hy_run_sized"));
  const int64_t fits[] = {1, 2};
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, fits, arguments, results)), HasSubstr("overlap"));
  hy_program_free(program);
}

// Buffers have the sizes of the run, too.
TEST_F(SizedBundle, Buffers) {
  constexpr char kScale[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
})";
  hy_program* program = Open(Compile("scale", kScale, {"--dim=x.0:2..8@4,8"}));
  ASSERT_NE(program, nullptr);
  hy_device* device = hy_program_device(program);
  for (const int64_t n : {2, 4, 7}) {
    std::vector<float> x(n), y(n);
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<float>(i + n);
    hy_buffer *given = nullptr, *made = nullptr, *again = nullptr;
    ASSERT_EQ(Text(hy_buffer_from_host(device, x.data(), 4 * n, &given)), "");
    ASSERT_EQ(Text(hy_run_buffers_sized(program, nullptr, &n, &given, &made)), "");
    ASSERT_EQ(Text(hy_buffer_new(device, 4 * n, &again)), "");
    hy_buffer* const kept = again;
    ASSERT_EQ(Text(hy_run_buffers_sized(program, nullptr, &n, &made, &again)), "");
    EXPECT_EQ(again, kept);
    ASSERT_EQ(Text(hy_buffer_to_host(again, y.data(), 4 * n)), "");
    for (int64_t i = 0; i < n; ++i) EXPECT_EQ(y[i], 4 * x[i]);
    const int64_t other = n + 1;
    EXPECT_THAT(Text(hy_run_buffers_sized(program, nullptr, &other, &given, &again)),
                HasSubstr("is no buffer of"));
    EXPECT_THAT(Text(hy_run_buffers(program, &given, nullptr, &again)),
                HasSubstr("use hy_run_buffers_sized"));
    for (hy_buffer* buffer : {given, made, again}) hy_buffer_free(buffer);
  }
  hy_program_free(program);
}

// The place of a wrong element is that in the application's array.
TEST_F(SizedBundle, WrongElements) {
  constexpr char kBits[] = R"(func.func @main(%x: tensor<2x?xi1>) -> tensor<2x?xi32> {
  %r = stablehlo.convert %x : (tensor<2x?xi1>) -> tensor<2x?xi32>
  return %r : tensor<2x?xi32>
})";
  hy_program* program = Open(Compile("bits", kBits, {"--dim=x.1:2..8@8"}));
  ASSERT_NE(program, nullptr);
  for (const int64_t n : {3, 8}) {
    std::vector<uint8_t> x(2 * n);
    std::vector<int32_t> y(2 * n);
    const void* arguments[] = {x.data()};
    void* results[] = {y.data()};
    x[n] = 1;
    EXPECT_EQ(Text(hy_run_sized(program, nullptr, &n, arguments, results)), "");
    EXPECT_EQ(y[n], 1);
    x[n] = 7;
    EXPECT_THAT(Text(hy_run_sized(program, nullptr, &n, arguments, results)),
                HasSubstr(absl::StrCat("element ", n, " is 7, no value of pred")));
  }
  hy_program_free(program);
}

// Memory for temporaries is enough for every size. The program for 1025 alone needs less of it than
// the one for smaller sizes, which sorts with another key.
TEST_F(SizedBundle, Temporaries) {
  constexpr char kSort[] =
      R"(func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %y = stablehlo.exponential %x : tensor<?xf32>
  %a = "stablehlo.sort"(%y) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<?xf32>) -> tensor<?xf32>
  %b = stablehlo.reverse %a, dims = [0] : tensor<?xf32>
  %c = stablehlo.add %a, %b : tensor<?xf32>
  return %c, %y : tensor<?xf32>, tensor<?xf32>
})";
  hy_program* program = Open(Compile("order", kSort, {"--dim=x.0:1020..1025@1024"}));
  ASSERT_NE(program, nullptr);
  hy_buffer* temporaries = nullptr;
  ASSERT_EQ(Text(hy_buffer_new(hy_program_device(program), hy_program_temporary_bytes(program),
                               &temporaries)),
            "");
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  options.temporaries = temporaries;
  for (const int64_t n : {1020, 1024, 1025}) {
    std::vector<float> x(n), y(n), z(n);
    const void* arguments[] = {x.data()};
    void* results[] = {y.data(), z.data()};
    EXPECT_EQ(Text(hy_run_sized(program, &options, &n, arguments, results)), "") << n;
    EXPECT_EQ(y[n - 1], 2) << n;
  }
  hy_buffer_free(temporaries);
  hy_program_free(program);
}

// Only the listed sizes are served. There is a program for each, so every op will do.
TEST_F(SizedBundle, ListedSizes) {
  constexpr char kRoot[] = R"(func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";
  hy_program* program = Open(Compile("root", kRoot, {"--dim=n=x.0=x.1:1,2"}));
  ASSERT_NE(program, nullptr);
  hy_size size;
  ASSERT_EQ(Text(hy_program_size(program, 0, &size)), "");
  ASSERT_EQ(size.num_listed, 2);
  EXPECT_EQ(size.listed[1], 2);
  const float x[] = {4, 2, 2, 5};
  float y[4];
  const void* arguments[] = {x};
  void* results[] = {y};
  int64_t n = 2;
  ASSERT_EQ(Text(hy_run_sized(program, nullptr, &n, arguments, results)), "");
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(y[3], 2);
  n = 3;
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, &n, arguments, results)),
              HasSubstr("n is 3; it is one of 1, 2"));
  hy_program_free(program);
  const CommandResult refused =
      RunHalyard({"compile", WriteTestFile("root.mlir", kRoot), "--emit=bundle", "-o", TestFolder(),
                  "--name=root", "--dim=n=x.0=x.1:2..4@4"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("root.mlir:2:"), HasSubstr("cholesky"),
                                 HasSubstr("a list, as in --dim=n:2,4, has a program for each")));
}

// Programs that JAX exports with symbolic shapes name their sizes. Among them are loops, of which
// one has as many rounds as there are rows.
struct JaxProgram {
  const char* name;
  std::vector<std::string> sizes;
  std::vector<std::vector<int64_t>> runs;
};

class JaxPrograms : public SizedBundle {
 protected:
  static Literal RandomArgument(hy_program* program, int index, const std::vector<int64_t>& sizes,
                                std::mt19937& random) {
    hy_value value;
    EXPECT_EQ(Text(hy_program_argument(program, index, &value)), "");
    std::vector<int64_t> dims(value.rank);
    EXPECT_EQ(Text(hy_program_argument_dims(program, index, sizes.data(), dims.data())), "");
    const bool is_float = std::string(value.element_type) == "f32";
    Literal literal(hlo::Shape::Array(is_float ? ElementType::kF32 : ElementType::kS32, dims));
    for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
      if (is_float) {
        literal.SetFloat(i, static_cast<double>(random() % 64) / 16 - 2);
      } else {
        literal.SetInt(i, static_cast<int64_t>(random() % 3));
      }
    }
    return literal;
  }

  // Runs the program for these sizes and compares the results with the evaluator's.
  static void Run(hy_program* program, const hlo::Module& module,
                  const std::vector<int64_t>& sizes) {
    std::mt19937 random(static_cast<uint32_t>(sizes[0]));
    std::vector<Literal> values;
    std::vector<const void*> arguments;
    for (int i = 0; i < hy_program_num_arguments(program); ++i)
      values.push_back(RandomArgument(program, i, sizes, random));
    for (const Literal& value : values) arguments.push_back(value.bytes().data());
    hlo::Evaluator evaluator;
    absl::StatusOr<Literal> want = evaluator.Run(module, values);
    ASSERT_TRUE(want.ok()) << want.status();
    const std::vector<Literal> wanted =
        want->shape().IsTuple() ? want->elements() : std::vector<Literal>{*want};
    std::vector<Literal> got;
    std::vector<void*> results;
    for (const Literal& result : wanted) got.emplace_back(result.shape());
    for (Literal& result : got) results.push_back(result.mutable_bytes().data());
    ASSERT_EQ(Text(hy_run_sized(program, nullptr, sizes.data(), arguments.data(), results.data())),
              "");
    for (size_t i = 0; i < got.size(); ++i) {
      const absl::StatusOr<hlo::Difference> difference =
          hlo::Compare(got[i], wanted[i], 1e-4, 1e-5);
      ASSERT_TRUE(difference.ok()) << difference.status();
      EXPECT_TRUE(difference->within)
          << "result " << i << ": " << got[i].ToString() << ", not " << wanted[i].ToString();
    }
  }
};

TEST_F(JaxPrograms, NameTheirSizes) {
  const std::vector<JaxProgram> programs = {
      {"top_rows", {"--dim=n:3..5@5", "--dim=k:2..3@3"}, {{3, 2}, {4, 3}, {5, 3}}},
      {"running_mean", {"--dim=t:2..7@7"}, {{2}, {5}, {7}}},
      {"power_iteration", {"--dim=n:2..6@6"}, {{2}, {5}, {6}}},
      {"normalised", {"--dim=n:2..9@9", "--dim=d:2..4@4"}, {{4, 3}, {9, 2}, {2, 4}}},
      {"attention",
       {"--dim=b:2..3@3", "--dim=m:2..9@9", "--dim=n:2..4@4"},
       {{2, 5, 3}, {3, 9, 2}, {3, 2, 4}}}};
  for (const JaxProgram& row : programs) {
    SCOPED_TRACE(row.name);
    const std::string text = ReadTestFile(
        absl::StrCat(HALYARD_SOURCE_DIR, "/tests/data/fixtures/dynamic/", row.name, ".mlir"));
    hy_program* program = Open(Compile(row.name, text, row.sizes));
    ASSERT_NE(program, nullptr);
    ASSERT_EQ(hy_program_num_sizes(program), static_cast<int>(row.sizes.size()));
    const std::unique_ptr<hlo::Module> module = Parsed(text);
    for (const std::vector<int64_t>& sizes : row.runs) {
      SCOPED_TRACE(sizes[0]);
      Run(program, *module, sizes);
    }
    hy_program_free(program);
  }
}

// What the ops of a program do may be nothing for some sizes of a range, or only for its end. In
// the last program, integers of some sizes are few enough to be constants.
TEST_F(JaxPrograms, OpsThatDoNothingForSomeSizes) {
  constexpr char kStretched[] =
      R"(func.func @main(%x: tensor<?xf32>, %s: tensor<1xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %i1 = stablehlo.constant dense<1> : tensor<i32>
  %m = stablehlo.subtract %n, %i1 : tensor<i32>
  %mv = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_broadcast_in_dim %s, %mv, dims = [0] : (tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})";
  constexpr char kBounded[] =
      R"(func.func @main(%x: tensor<?xf32>, %y: tensor<8xf32>) -> tensor<f32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.set_dimension_size %y, %n, dim = 0 : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %a = stablehlo.add %r, %y : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<8xf32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
})";
  constexpr char kTurned[] = R"(func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %av = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %bv = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %bv, %av, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})";
  constexpr char kNumbered[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %io = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %f = stablehlo.convert %io : (tensor<?xi32>) -> tensor<?xf32>
  %r = stablehlo.multiply %x, %f : tensor<?xf32>
  return %r : tensor<?xf32>
})";
  struct Row {
    const char* name;
    const char* text;
    std::vector<std::string> sizes;
    std::vector<std::vector<int64_t>> runs;
  };
  for (const Row& row : std::vector<Row>{
           {"stretched", kStretched, {"--dim=x.0:2..6@6"}, {{2}, {3}, {6}}},
           {"bounded", kBounded, {"--dim=x.0:2..8@8"}, {{2}, {7}, {8}}},
           {"turned", kTurned, {"--dim=x.0:2..4@4", "--dim=x.1:2..4@4"}, {{2, 3}, {3, 3}, {4, 2}}},
           {"numbered", kNumbered, {"--dim=x.0:4090..4100@4100"}, {{4090}, {4097}}}}) {
    SCOPED_TRACE(row.name);
    hy_program* program = Open(Compile(row.name, row.text, row.sizes));
    ASSERT_NE(program, nullptr);
    const std::unique_ptr<hlo::Module> module = Parsed(row.text);
    for (const std::vector<int64_t>& sizes : row.runs) Run(program, *module, sizes);
    hy_program_free(program);
  }
}

// A size may be a sum of integers, one for each row.
TEST_F(JaxPrograms, SizesThatFollowFromArrays) {
  constexpr char kTriangle[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %io = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.reduce(%io init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %f = stablehlo.dynamic_iota %s1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
})";
  hy_program* program = Open(Compile("triangle", kTriangle, {"--dim=x.0:2..6@6"}));
  ASSERT_NE(program, nullptr);
  const std::unique_ptr<hlo::Module> module = Parsed(kTriangle);
  for (const int64_t n : {2, 5}) Run(program, *module, {n});
  hy_program_free(program);
}

// Checksums cover the tables, so damage is an error or changes nothing that is looked at.
TEST_F(SizedBundle, DamagedIsAnErrorOrRuns) {
  const std::string bytes =
      ReadTestFile(Compile("half", kHalf, {"--dim=rows=x.0:1..3@3", "--dim=x.2:2..6@6"}));
  std::mt19937 random(7);
  int errors = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    changed[random() % (random() % 2 == 0 ? bytes.size() : 2048)] = static_cast<char>(random());
    if (i % 3 == 0) changed.resize(random() % bytes.size());
    hy_program* program = nullptr;
    const hy_status status =
        hy_program_choose_file(WriteTestFile("try.hybundle", changed).c_str(), nullptr, &program);
    errors += status != nullptr ? 1 : 0;
    EXPECT_EQ(status == nullptr, program != nullptr);
    hy_status_free(status);
    hy_program_free(program);
  }
  EXPECT_GT(errors, 100);
}

// Damage that a checksum does not show: a catalogue that says something else.
TEST_F(SizedBundle, ChangedCataloguesAreErrorsOrRun) {
  namespace format = runtime::bundle_format;
  const std::string bytes =
      ReadTestFile(Compile("half", kHalf, {"--dim=rows=x.0:1..3@3", "--dim=x.2:2..6@6"}));
  format::Header header;
  memcpy(&header, bytes.data(), sizeof(header));
  format::PartRecord first;
  memcpy(&first, bytes.data() + header.parts.offset, sizeof(first));
  std::mt19937 random(11);
  int errors = 0, runs = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string changed = bytes;
    for (int changes = 1 + static_cast<int>(random() % 2); changes > 0; --changes) {
      const size_t word = random() % (header.catalogue.bytes / 8);
      const uint64_t value =
          random() % 2 == 0 ? random() % 16 : (uint64_t{random()} << 32 | random());
      memcpy(changed.data() + header.catalogue.offset + word * 8, &value, sizeof(value));
    }
    format::Header repaired = header;
    repaired.checksum =
        runtime::Hash64(reinterpret_cast<const uint8_t*>(changed.data()) + format::kChecksumEnd,
                        first.offset - format::kChecksumEnd);
    memcpy(changed.data(), &repaired, sizeof(repaired));
    hy_program* program = nullptr;
    const hy_status status =
        hy_program_choose_file(WriteTestFile("try.hybundle", changed).c_str(), nullptr, &program);
    errors += status != nullptr ? 1 : 0;
    hy_status_free(status);
    for (int64_t rows = 0; program != nullptr && rows < 5; ++rows) {
      const int64_t sizes[8] = {rows, 5, 1, 1, 1, 1, 1, 1};
      std::vector<float> x(3 * 3 * 6), y(x.size());
      const void* arguments[] = {x.data()};
      void* results[] = {y.data()};
      if (hy_program_num_arguments(program) != 1 || hy_program_num_results(program) != 1) break;
      hy_status run = hy_run_sized(program, nullptr, sizes, arguments, results);
      runs += run == nullptr ? 1 : 0;
      hy_status_free(run);
    }
    hy_program_free(program);
  }
  EXPECT_GT(errors, 700);
  EXPECT_GT(runs, 100);
}

}  // namespace
}  // namespace halyard
