// Reads the attributes of one operation, with located errors.
#ifndef HALYARD_FRONTEND_STABLEHLO_OP_READER_H_
#define HALYARD_FRONTEND_STABLEHLO_OP_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/attributes.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

// Functions return false after recording an error. The first error stays.
class Errors {
 public:
  explicit Errors(const mlir::Source& source) : source_(source) {}
  bool Fail(size_t offset, absl::string_view message);
  // Reports at `offset`, even if that is not where the operation begins.
  bool FailExactly(size_t offset, absl::string_view message);
  const absl::Status& status() const { return status_; }
  const mlir::Source& source() const { return source_; }

  // While it exists, an error in a part of the operation at `offset` that is in another line is
  // shown where the operation begins.
  class Owner {
   public:
    Owner(Errors& errors, size_t offset)
        : errors_(errors), before_(std::exchange(errors.owner_, offset)) {}
    ~Owner() { errors_.owner_ = before_; }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

   private:
    Errors& errors_;
    std::optional<size_t> before_;
  };

 private:
  const mlir::Source& source_;
  std::optional<size_t> owner_;
  absl::Status status_;
};

class OpReader {
 public:
  OpReader(const mlir::Operation& op, Errors& errors) : op_(op), errors_(errors) {}

  bool Fail(absl::string_view message);

  // Required attributes.
  bool Ints(absl::string_view name, hlo::Ints* out);
  bool Int(absl::string_view name, int64_t* out);
  bool Float(absl::string_view name, double* out);
  bool String(absl::string_view name, std::string* out);
  // A value of an enumeration: `#stablehlo<enumeration WORD>`, or the word as a string.
  bool Word(absl::string_view name, absl::string_view enumeration, std::string* out);
  bool Struct(absl::string_view name, const mlir::Attribute** out);  // with entries

  // If it is absent, returns `fallback`, or `count` times that.
  bool IntsOr(absl::string_view name, int64_t count, int64_t fallback, hlo::Ints* out);
  bool IntOr(absl::string_view name, int64_t fallback, int64_t* out);
  bool StringOr(absl::string_view name, absl::string_view fallback, std::string* out);
  bool WordOr(absl::string_view name, absl::string_view enumeration, absl::string_view fallback,
              std::string* out);
  bool Flag(absl::string_view name, bool* out);  // absent: false; a unit attribute: true
  // Reads an N×2 tensor. If it is absent, returns `count` pairs of zeros. Another number of pairs
  // violates `constraint`.
  bool Pairs(absl::string_view constraint, absl::string_view name, int64_t count,
             std::vector<std::pair<int64_t, int64_t>>* out);

  // Reads one value of an attribute that is a list of words.
  bool WordOf(const mlir::Attribute& attribute, absl::string_view name,
              absl::string_view enumeration, std::string* out);

  // Read fields of a structure. An absent field is empty, or 0.
  bool FieldInts(const mlir::Attribute& record, absl::string_view name, hlo::Ints* out);
  bool FieldInt(const mlir::Attribute& record, absl::string_view name, int64_t* out);

 private:
  bool IntsOf(const mlir::Attribute& attribute, absl::string_view name, hlo::Ints* out);
  bool IntOf(const mlir::Attribute& attribute, absl::string_view name, int64_t* out);
  bool Missing(absl::string_view name);

  const mlir::Operation& op_;
  Errors& errors_;
};

// Returns the elements of a dense attribute of integers or booleans, with splats expanded. Returns
// false if they are of another kind, or too many for a list of dimensions.
bool DenseInts(const mlir::DenseData& data, hlo::Ints* out);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_OP_READER_H_
