// A Literal is a host value of any shape. Arrays are dense and row-major, whatever their shape's
// layout says. Values of quantized types are their stored integers, and shapes of literals are not
// quantized.
#ifndef HALYARD_FRONTEND_HLO_VALUES_LITERAL_H_
#define HALYARD_FRONTEND_HLO_VALUES_LITERAL_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "frontend/hlo/values/shape.h"

namespace halyard::hlo {

// Copies share the bytes, which are copied when they are written while shared. The bytes may belong
// to somebody else (a mapped file): see Borrow. Not thread-safe for writing.
class Literal {
 public:
  Literal() = default;  // the empty tuple
  // A zero-filled array.
  explicit Literal(const Shape& array_shape);
  static Literal FromBytes(const Shape& array_shape,
                           std::vector<std::byte> bytes);  // size checked by assertion
  // Borrows `data` (array_shape.ByteSize() bytes), which `owner` keeps alive.
  static Literal Borrow(const Shape& array_shape, const std::byte* data,
                        std::shared_ptr<const void> owner);
  static Literal Tuple(std::vector<Literal> elements);
  static Literal Token();
  // Returns an array whose every element is the scalar `value`.
  static Literal Splat(const Shape& array_shape, const Literal& value);
  template <typename T>
  static Literal FromValues(ElementType type, std::vector<int64_t> dims,
                            absl::Span<const T> values);  // T: double, int64_t

  const Shape& shape() const { return shape_; }
  const std::vector<Literal>& elements() const { return elements_; }  // tuples
  absl::Span<const std::byte> bytes() const;                          // arrays
  absl::Span<std::byte> mutable_bytes();

  // Returns the element at row-major position `index`, as the widest type of its class. The type's
  // class must fit the call (GetInt: PRED and integers; GetFloat: floats; GetComplex: complex).
  int64_t GetInt(int64_t index) const;
  uint64_t GetUint(int64_t index) const;
  double GetFloat(int64_t index) const;
  std::complex<double> GetComplex(int64_t index) const;
  // The stored bits, zero-extended (types of at most 64 bits).
  uint64_t GetBits(int64_t index) const;
  // Returns a value of any class as a double (for complex numbers, the real part), for printing and
  // tolerance checks.
  double GetAsDouble(int64_t index) const;
  void SetInt(int64_t index, int64_t value);   // wraps to the type's width; for PRED, value != 0
  void SetFloat(int64_t index, double value);  // rounds to nearest even
  void SetComplex(int64_t index, std::complex<double> value);
  void SetBits(int64_t index, uint64_t bits);
  // Copies one element (same element type).
  void CopyElement(int64_t index, const Literal& from, int64_t from_index);

  bool BitwiseEqual(const Literal& other) const;
  bool IsSplat() const;  // whether all elements have the same bits (true for one element)
  // Returns the HLO text form: `{ {1, 2}, {3, 4} }`, `(1, 2)` for complex, and the shortest floats
  // that round trip.
  std::string ToString() const;

 private:
  Shape shape_;
  std::vector<Literal> elements_;
  std::shared_ptr<std::vector<std::byte>> storage_;
  std::shared_ptr<const void> owner_;
  const std::byte* data_ = nullptr;
};

// The largest difference of two literals of the same shape under |got - want| <= atol + rtol *
// |want|. NaN equals NaN.
struct Difference {
  bool within = true;
  int64_t leaf = 0;   // flattened leaf index of the worst element
  int64_t index = 0;  // row-major position in it
  double got = 0, want = 0;
  double max_abs = 0;   // largest |got - want|
  double max_want = 0;  // largest |want| (finite)
  int64_t count = 0;    // elements outside the tolerance
};
absl::StatusOr<Difference> Compare(const Literal& got, const Literal& want, double rtol,
                                   double atol);

}  // namespace halyard::hlo

#endif  // HALYARD_FRONTEND_HLO_VALUES_LITERAL_H_
