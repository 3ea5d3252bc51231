#include "frontend/hlo/values/shape.h"

#include <gtest/gtest.h>

namespace halyard::hlo {
namespace {

TEST(ShapeTest, Text) {
  EXPECT_EQ(Shape::Array(ElementType::kF32, {2, 3}).ToString(), "f32[2,3]");
  EXPECT_EQ(Shape::Array(ElementType::kF32, {2, 3}).ToString(true), "f32[2,3]{1,0}");
  EXPECT_EQ(Shape::ArrayWithLayout(ElementType::kS8, {2, 3}, {0, 1}).ToString(), "s8[2,3]{0,1}");
  EXPECT_EQ(Shape::Tuple({Shape::Scalar(ElementType::kS32), Shape::Token()}).ToString(),
            "(s32[], token[])");
  EXPECT_EQ(Shape().ToString(), "()");
}

TEST(ShapeTest, RowMajorIsTheDefaultHoweverGiven) {
  Shape given = Shape::ArrayWithLayout(ElementType::kF32, {2, 3, 4}, {2, 1, 0});
  EXPECT_TRUE(given.HasDefaultLayout());
  EXPECT_EQ(given, Shape::Array(ElementType::kF32, {2, 3, 4}));
  EXPECT_EQ(given.Strides(), (std::vector<int64_t>{12, 4, 1}));
}

TEST(ShapeTest, Layouts) {
  Shape column = Shape::ArrayWithLayout(ElementType::kF32, {2, 3}, {0, 1});
  Shape row = Shape::Array(ElementType::kF32, {2, 3});
  EXPECT_EQ(column.Strides(), (std::vector<int64_t>{1, 2}));
  EXPECT_FALSE(column == row);
  EXPECT_TRUE(Shape::SameIgnoringLayout(column, row));
  EXPECT_EQ(column.WithDefaultLayout(), row);
  Shape tuple = Shape::Tuple({column, row});
  EXPECT_FALSE(tuple == Shape::Tuple({row, row}));
  EXPECT_EQ(tuple.WithDefaultLayout(), Shape::Tuple({row, row}));
}

TEST(ShapeTest, DifferentKindsDiffer) {
  EXPECT_FALSE(Shape::SameIgnoringLayout(Shape::Token(), Shape()));
  Shape scalar = Shape::Scalar(ElementType::kF32);
  EXPECT_FALSE(Shape::SameIgnoringLayout(scalar, Shape::Tuple({scalar})));
  EXPECT_FALSE(
      Shape::SameIgnoringLayout(Shape::Tuple({scalar}), Shape::Tuple({Shape::Tuple({scalar})})));
}

TEST(ShapeTest, Sizes) {
  EXPECT_EQ(Shape::Array(ElementType::kS4, {3, 5}).ByteSize(), 15);
  EXPECT_EQ(Shape::Array(ElementType::kC64, {3, 0}).ByteSize(), 0);
  Shape tuple = Shape::Tuple(
      {Shape::Scalar(ElementType::kF64), Shape::Token(), Shape::Array(ElementType::kBF16, {3})});
  EXPECT_EQ(tuple.ByteSize(), 14);
}

TEST(ShapeTest, CheckedByteSize) {
  EXPECT_EQ(CheckedByteSize(ElementType::kF32, {2, 3}), 24);
  EXPECT_EQ(CheckedByteSize(ElementType::kF32, {-1}), -1);
  EXPECT_EQ(CheckedByteSize(ElementType::kF32, {int64_t{1} << 61}), -1);
  EXPECT_EQ(CheckedByteSize(ElementType::kF32, {int64_t{1} << 40, int64_t{1} << 40, 0}), -1);
  EXPECT_EQ(CheckedByteSize(ElementType::kF32, {0, 7}), 0);
}

TEST(ShapeTest, Flatten) {
  Shape a = Shape::Scalar(ElementType::kF32), b = Shape::Scalar(ElementType::kS32);
  EXPECT_EQ(FlattenShape(Shape::Tuple({a, Shape::Tuple({b, Shape()}), Shape::Token()})),
            (std::vector<Shape>{a, b, Shape::Token()}));
  EXPECT_EQ(FlattenShape(a), std::vector<Shape>{a});
}

}  // namespace
}  // namespace halyard::hlo
