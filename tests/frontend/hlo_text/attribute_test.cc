// Reads, prints and rereads values of every kind of attribute.
#include <gtest/gtest.h>

#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_text {
namespace {

using hlo::AttrKind;

struct Case {
  AttrKind kind;
  absl::string_view text;
  absl::string_view printed;  // empty if it equals the text that was read
};

TEST(Attribute, EveryKind) {
  constexpr Case kCases[] = {
      {AttrKind::kBool, "true", ""},
      {AttrKind::kBool, "false", ""},
      {AttrKind::kInt, "-3", ""},
      {AttrKind::kFloat, "0.001", ""},
      {AttrKind::kFloat, "1e-5", "1e-05"},
      {AttrKind::kWord, "TOTALORDER", ""},
      {AttrKind::kString, R"("a\"b\\\tc")", ""},
      {AttrKind::kInts, "{}", ""},
      {AttrKind::kInts, "{ 1, 0 }", "{1,0}"},
      {AttrKind::kIntLists, "{{0,1},{2},{}}", ""},
      {AttrKind::kIntLists, "{}", ""},
      {AttrKind::kWords, "{highest, default}", "{highest,default}"},
      {AttrKind::kWords, "{}", ""},
      {AttrKind::kWindow, "{}", ""},
      {AttrKind::kWindow,
       "{size=3x2 stride=2x1 pad=1_-1x0_2 lhs_dilate=1x2 rhs_dilate=3x1 "
       "rhs_reversal=1x0}",
       ""},
      {AttrKind::kWindow, "{stride=2x1}", "{size=1x1 stride=2x1}"},
      {AttrKind::kWindow, "{size=3 pad=0_0 rhs_reversal=0}", "{size=3}"},
      {AttrKind::kPadding, "0_1_2x-1_0_0", ""},
      {AttrKind::kPadding, "0_1x-1_0", ""},
      {AttrKind::kPadding, "", ""},
      {AttrKind::kSlice, "{[0:2], [1:9:4]}", ""},
      {AttrKind::kSlice, "{}", ""},
      {AttrKind::kConvDims, "b01f_01io->b01f", ""},
      {AttrKind::kConvDims, "bf10_oi01->f1b0", ""},
      {AttrKind::kConvDims, "bf_io->fb", ""},
      {AttrKind::kRaw, R"({a={"}"}, b})", ""},
      {AttrKind::kRaw, R"("text")", ""},
      {AttrKind::kRaw, R"("{\"json\":1}")", R"({"json":1})"},
      {AttrKind::kRaw, R"("{not closed")", ""},
      {AttrKind::kRaw, R"("{a} {b}")", ""},
  };
  for (const Case& c : kCases) {
    Cursor cursor(c.text, "test");
    hlo::AttrValue value, again;
    ASSERT_TRUE(ReadAttrValue(cursor, c.kind, &value)) << cursor.status().message();
    EXPECT_TRUE(cursor.AtEnd()) << c.text;
    std::string printed = AttrValueText(c.kind, value);
    EXPECT_EQ(printed, c.printed.empty() ? c.text : c.printed);
    Cursor reread(printed, "test");
    ASSERT_TRUE(ReadAttrValue(reread, c.kind, &again)) << reread.status().message();
    EXPECT_TRUE(value == again) << printed;
  }
}

TEST(Attribute, Wrong) {
  constexpr Case kCases[] = {
      {AttrKind::kBool, "1", "expected true or false"},
      {AttrKind::kInt, "x", "expected an integer"},
      {AttrKind::kInt, "99999999999999999999", "does not fit 64 bits"},
      {AttrKind::kFloat, "1.x", "expected a number"},
      {AttrKind::kWord, "{}", "expected a word"},
      {AttrKind::kString, "a", "expected '\"', found 'a'"},
      {AttrKind::kString, R"("a\)", "string is not closed"},
      {AttrKind::kString, R"("\q")", "string: "},
      {AttrKind::kInts, "{1", "expected '}', found the end of the text"},
      {AttrKind::kInts, "{1,}", "expected an integer"},
      {AttrKind::kIntLists, "{1}", "expected '{', found '1'"},
      {AttrKind::kWords, "{a,}", "expected a word"},
      {AttrKind::kWindow, "{size=3 size=3}", "'size' is given twice"},
      {AttrKind::kWindow, "{size=3x3 stride=1}", "has 1 dimensions, the one before it 2"},
      {AttrKind::kWindow, "{size=3_1}", "wrong value for window field 'size'"},
      {AttrKind::kWindow, "{pad=3}", "wrong value for window field 'pad'"},
      {AttrKind::kWindow, "{rhs_reversal=2}", "wrong value for window field 'rhs_reversal'"},
      {AttrKind::kWindow, "{colour=3}", "unknown window field 'colour'"},
      {AttrKind::kWindow, "{size=3xx3}", "is not a list like"},
      {AttrKind::kPadding, "1", "is no padding like"},
      {AttrKind::kPadding, "1_2_3_4", "is no padding like"},
      {AttrKind::kSlice, "{[1]}", "expected ':'"},
      {AttrKind::kConvDims, "b01f_01io", "are no labels like"},
      {AttrKind::kConvDims, "b01f_01io->b0f", "are no labels like"},
      {AttrKind::kConvDims, "b00f_01io->b01f", "are no labels like"},
      {AttrKind::kConvDims, "b09f_01io->b01f", "are no labels like"},
      {AttrKind::kConvDims, "b01f->b01f_01io", "are no labels like"},
      {AttrKind::kRaw, "{a", "'{' is not closed"},
      {AttrKind::kRaw, "a", "expected '{', found 'a'"},
  };
  for (const Case& c : kCases) {
    Cursor cursor(c.text, "test");
    hlo::AttrValue value;
    EXPECT_FALSE(ReadAttrValue(cursor, c.kind, &value)) << c.text;
    EXPECT_NE(cursor.status().message().find(c.printed), absl::string_view::npos)
        << c.text << ": " << cursor.status().message();
  }
}

}  // namespace
}  // namespace halyard::hlo_text
