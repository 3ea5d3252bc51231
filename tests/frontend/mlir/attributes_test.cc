// Tests every form of attribute.
#include <cstring>

#include "tests/frontend/mlir/reading.h"

namespace halyard::mlir {
namespace {

template <typename T>
std::vector<T> Values(const Attribute& attribute) {
  std::vector<T> values(attribute.data->bytes.size() / sizeof(T));
  if (values.empty()) return values;
  std::memcpy(values.data(), attribute.data->bytes.data(), values.size() * sizeof(T));
  return values;
}

TEST(Attributes, Integers) {
  EXPECT_EQ(AttributeReading("42")->integer, 42);
  EXPECT_EQ(ToString(*AttributeReading("42")->type), "i64");
  EXPECT_EQ(AttributeReading("-7 : si8")->integer, -7);
  EXPECT_EQ(AttributeReading("0x1F : i32")->integer, 31);
  EXPECT_EQ(AttributeReading("255 : i8")->integer, 255);  // signless: either range is valid
  EXPECT_EQ(AttributeReading("18446744073709551615 : ui64")->integer, -1);
  EXPECT_EQ(AttributeReading("3 : index")->integer, 3);
}

TEST(Attributes, Floats) {
  EXPECT_EQ(AttributeReading("1.5")->number, 1.5);
  EXPECT_EQ(AttributeReading("-1. : f32")->number, -1);
  EXPECT_EQ(AttributeReading("2.5e-1 : bf16")->number, 0.25);
  EXPECT_EQ(AttributeReading("1e3 : f32")->number, 1000);
  EXPECT_EQ(AttributeReading("0x7F800000 : f32")->number, HUGE_VAL);
  EXPECT_EQ(AttributeReading("0x3C00 : f16")->number, 1);
  EXPECT_EQ(AttributeReading("0x3C00 : f16")->bits, 0x3C00u);
}

TEST(Attributes, Words) {
  EXPECT_TRUE(AttributeReading("true")->boolean);
  EXPECT_FALSE(AttributeReading("false")->boolean);
  EXPECT_TRUE(AttributeReading("unit")->Is(AttributeKind::kUnit));
  EXPECT_TRUE(Reading("\"d.op\"() {a} : () -> ()").op()->Attr("a")->Is(AttributeKind::kUnit));
  EXPECT_TRUE(AttributeReading("tensor<f32>")->Is(AttributeKind::kType));
  EXPECT_EQ(AttributeReading("@f::@\"g h\"")->text, "f::g h");
  EXPECT_EQ(AttributeReading("@\"a\\22b\"")->text, "a\"b");
  EXPECT_EQ(AttributeReading("loc(\"x\")")->location->text, "x");
}

TEST(Attributes, Strings) {
  EXPECT_EQ(AttributeReading(R"("a\"b\\c\n\t\41")")->text, "a\"b\\c\n\tA");
  EXPECT_EQ(AttributeReading("\"x\" : !d.t<1>")->text, "x");
}

TEST(Attributes, Collections) {
  AttributeReading array("[1, \"x\", [true]]");
  ASSERT_EQ(array.error, "");
  EXPECT_EQ(ToString(*array), "[1, \"x\", [true]]");
  AttributeReading dictionary("{x = 1, \"y z\" = 2.0, mhlo.flag}");
  ASSERT_EQ(dictionary.error, "");
  EXPECT_EQ(dictionary->entries.size(), 3u);
  EXPECT_TRUE(
      SameAttribute(*dictionary, *AttributeReading("{mhlo.flag, x = 1 : i64, \"y z\" = 2.}")));
  EXPECT_FALSE(
      SameAttribute(*dictionary, *AttributeReading("{mhlo.flag, x = 1 : i32, \"y z\" = 2.}")));
}

TEST(Attributes, DenseArrays) {
  EXPECT_EQ(Values<int64_t>(*AttributeReading("array<i64: 1, -2>")), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(Values<int64_t>(*AttributeReading("array<i64>")), std::vector<int64_t>{});
  EXPECT_EQ(Values<int8_t>(*AttributeReading("array<i1: true, false, 1>")),
            (std::vector<int8_t>{1, 0, 1}));
  EXPECT_EQ(Values<float>(*AttributeReading("array<f32: 1.5, 0x7F800000>")),
            (std::vector<float>{1.5, HUGE_VALF}));
  EXPECT_EQ(Values<int8_t>(*AttributeReading("array<i8: -1, 200>")),
            (std::vector<int8_t>{-1, -56}));
}

TEST(Attributes, DenseLists) {
  AttributeReading matrix("dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>");
  ASSERT_EQ(matrix.error, "");
  EXPECT_EQ(Values<int32_t>(*matrix), (std::vector<int32_t>{1, 2, 3, -4}));
  EXPECT_FALSE(matrix->data->splat);
  EXPECT_EQ(Values<int8_t>(*AttributeReading("dense<[7, -8, 15]> : tensor<3xi4>")),
            (std::vector<int8_t>{7, -8, -1}));
  EXPECT_EQ(Values<uint8_t>(*AttributeReading("dense<[3, 2]> : tensor<2xui2>")),
            (std::vector<uint8_t>{3, 2}));
  EXPECT_EQ(Values<uint8_t>(*AttributeReading("dense<[true, false]> : tensor<2xi1>")),
            (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(Values<uint16_t>(*AttributeReading("dense<[1.0, -2.0]> : tensor<2xbf16>")),
            (std::vector<uint16_t>{0x3F80, 0xC000}));
  EXPECT_EQ(Values<uint8_t>(*AttributeReading("dense<[448.0, 0x7F]> : tensor<2xf8E4M3FN>")),
            (std::vector<uint8_t>{0x7E, 0x7F}));
  EXPECT_EQ(
      Values<int8_t>(*AttributeReading("dense<[1, 2]> : tensor<2x!quant.uniform<i8:f32, 0.5>>")),
      (std::vector<int8_t>{1, 2}));
}

TEST(Attributes, DenseScalarsAndComplex) {
  AttributeReading scalar("dense<0xFFF0000000000000> : tensor<f64>");
  ASSERT_EQ(scalar.error, "");
  EXPECT_EQ(Values<double>(*scalar), std::vector<double>{-HUGE_VAL});
  EXPECT_FALSE(scalar->data->splat);
  AttributeReading complex("dense<[(1.0, -2.0), (0x7F800000, 3)]> : tensor<2xcomplex<f32>>");
  ASSERT_EQ(complex.error, "");
  EXPECT_EQ(Values<float>(*complex), (std::vector<float>{1, -2, HUGE_VALF, 3}));
  EXPECT_TRUE(AttributeReading("dense<(1.0, 2.0)> : tensor<5xcomplex<f64>>")->data->splat);
}

TEST(Attributes, SplatsStaySplats) {
  AttributeReading splat("dense<1.5> : tensor<1000000x1000000x1000xf32>");
  ASSERT_EQ(splat.error, "");
  EXPECT_TRUE(splat->data->splat);
  EXPECT_EQ(splat->data->count, 1000000000000000);
  EXPECT_EQ(splat->data->bytes.size(), 4u);
}

TEST(Attributes, EmptyDense) {
  EXPECT_EQ(AttributeReading("dense<> : tensor<0xf32>")->data->count, 0);
  EXPECT_EQ(AttributeReading("dense<[]> : tensor<0x3xf32>")->data->count, 0);
  EXPECT_EQ(AttributeReading("dense<[[], []]> : tensor<2x0xf32>")->data->count, 0);
  EXPECT_EQ(AttributeReading("dense<1> : tensor<0xi32>")->data->bytes.size(), 0u);
}

TEST(Attributes, HexBlobs) {
  AttributeReading floats("dense<\"0x0000803F000000C0\"> : tensor<2xf32>");
  ASSERT_EQ(floats.error, "");
  EXPECT_EQ(Values<float>(*floats), (std::vector<float>{1, -2}));
  EXPECT_TRUE(AttributeReading("dense<\"0x0000803F\"> : tensor<7xf32>")->data->splat);
  AttributeReading bits("dense<\"0x0502\"> : tensor<10xi1>");  // packed, lowest bit first
  ASSERT_EQ(bits.error, "");
  EXPECT_EQ(Values<uint8_t>(*bits), (std::vector<uint8_t>{1, 0, 1, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(AttributeReading("dense<\"0xFF\"> : tensor<100xi1>")->data->splat);
  EXPECT_EQ(Values<int8_t>(*AttributeReading("dense<\"0x070F\"> : tensor<2xi4>")),
            (std::vector<int8_t>{7, -1}));
}

TEST(Attributes, Resources) {
  AttributeReading reading("dense_resource<w> : tensor<2xf32>", "", R"(
{-#
  dialect_resources: {
    builtin: {
      unused: "0x0400000000",
      w: "0x040000000000803F000000C0"
    }
  },
  external_resources: { mlir_reproducer: { verify_each: true, pipeline: "x", n: 3 } }
#-})");
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(Values<float>(*reading), (std::vector<float>{1, -2}));
}

TEST(Attributes, DialectAttributesKeepTheirText) {
  AttributeReading reading("#stablehlo.gather<offset_dims = [2, 3], index_vector_dim = 1>");
  ASSERT_EQ(reading.error, "");
  EXPECT_TRUE(reading->Is(AttributeKind::kDialect));
  EXPECT_EQ(reading->name, "stablehlo.gather");
  EXPECT_EQ(reading->text, "offset_dims = [2, 3], index_vector_dim = 1");
  EXPECT_EQ(AttributeReading("#stablehlo<precision DEFAULT>")->text, "precision DEFAULT");
  EXPECT_EQ(AttributeReading("#sdy.sharding<@m, [{\"x\"}, {}]>")->text, "@m, [{\"x\"}, {}]");
  EXPECT_EQ(AttributeReading(R"(#d.a<"\\", ">\">", x>)")->text, R"("\\", ">\">", x)");
  EXPECT_EQ(AttributeReading("#d.plain")->text, "");
  EXPECT_EQ(AttributeReading("affine_map<(d0) -> (d0 + 1)>")->text, "(d0) -> (d0 + 1)");
  EXPECT_EQ(AttributeReading("distinct[3]<\"x\">")->text, "\"x\"");
}

TEST(Attributes, Aliases) {
  AttributeReading reading("[#map, #list]", "#map = affine_map<(d0) -> (d0)>\n#list = [1, 2]\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_TRUE(reading->elements[0]->Is(AttributeKind::kOpaque));
  EXPECT_EQ(reading->elements[1]->elements.size(), 2u);
}

struct Wrong {
  const char* attribute;
  const char* error;
};
class WrongAttribute : public testing::TestWithParam<Wrong> {};

TEST_P(WrongAttribute, IsALocatedError) {
  AttributeReading reading(GetParam().attribute);
  EXPECT_EQ(reading.error, absl::StrCat("f.mlir:1:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Attributes, WrongAttribute,
    testing::Values(
        Wrong{"300 : i8", "15: error: '300' is no value of type i8"},
        Wrong{"-1 : ui8", "15: error: '-1' is no value of type ui8"},
        Wrong{"99999999999999999999", "15: error: '99999999999999999999' is no value of type i64"},
        Wrong{"1 : tensor<f32>", "15: error: a number cannot have the type tensor<f32>"},
        Wrong{"0x1FFFF : f16", "15: error: '0x1FFFF' is no bit pattern of f16"},
        Wrong{"\"a\\q\"", "15: error: bad escape in a string"},
        Wrong{"#nope", "15: error: attribute alias '#nope' is not defined"},
        Wrong{"dense<[1, 2]> : tensor<3xi32>",
              "21: error: the list has 2 entries where dimension 0 of the type has size 3"},
        Wrong{"dense<[[1], 2]> : tensor<2x1xi32>", "27: error: expected '[', got '2'"},
        Wrong{"dense<1.5> : tensor<2xi32>", "21: error: expected an element of type i32"},
        Wrong{"dense<true> : tensor<2xi32>", "21: error: expected an element of type i32"},
        Wrong{"dense<300> : tensor<2xi8>", "21: error: expected an element of type i8"},
        Wrong{"dense<...> : tensor<2xi8>",
              "21: error: '...' stands for text that was left out; "
              "print the program in full"},
        Wrong{"dense<1> : tensor<?xi8>", "26: error: a constant cannot have a dynamic dimension"},
        Wrong{"dense<1> : i8", "26: error: elements need a tensor type, not i8"},
        Wrong{"dense<\"0x00\"> : tensor<2xf32>",
              "21: error: the blob has 1 bytes where the type needs 8"},
        Wrong{"dense<\"0xZZ\"> : tensor<1xi8>",
              "21: error: expected elements as a string of hexadecimal bytes \"0x…\""},
        Wrong{"dense<1> : tensor<9223372036854775807x9xf32>",
              "26: error: tensor<9223372036854775807x9xf32> is too large"},
        Wrong{"dense_resource<__elided__> : tensor<2xf32>",
              "15: error: the constant's elements were left out when the program was printed"},
        Wrong{"dense_resource<gone> : tensor<2xf32>",
              "15: error: no resource named 'gone' in the file's {-# … #-} section"},
        Wrong{"{x = 1, x = 2}", "23: error: attribute 'x' is given twice"},
        Wrong{"#d.a<(]>", "21: error: ']' closes nothing"},
        Wrong{"array<tensor<f32>: 1>", "21: error: array<…> cannot hold tensor<f32>"}));

TEST(Attributes, DeepNestingIsAnError) {
  EXPECT_NE(AttributeReading(std::string(100000, '[')).error.find("nested more than 200 deep"),
            std::string::npos);
  std::string list(100000, '[');
  EXPECT_NE(AttributeReading(absl::StrCat("dense<", list, "> : tensor<1xi8>")).error, "");
}

}  // namespace
}  // namespace halyard::mlir
