// Helpers of the tests of the reader.
#ifndef HALYARD_TESTS_FRONTEND_MLIR_READING_H_
#define HALYARD_TESTS_FRONTEND_MLIR_READING_H_

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"
#include "gtest/gtest.h"

namespace halyard::mlir {

// A document that owns its text.
struct Reading {
  std::string text;
  std::unique_ptr<Document> document;
  std::string error;  // empty if there was none

  explicit Reading(std::string program) : text(std::move(program)) {
    Syntax syntax;
    AddBuiltinOps(syntax);
    auto read = ParseMlir(text, "f.mlir", syntax);
    if (read.ok()) {
      document = std::move(*read);
    } else {
      error = std::string(read.status().message());
    }
  }
  const Operation* op(size_t i = 0) const { return document->operations[i].get(); }
};

// Reads the attribute `a` of an op that has nothing else.
class AttributeReading : public Reading {
 public:
  explicit AttributeReading(const std::string& attribute, const std::string& before = "",
                            const std::string& after = "")
      : Reading(absl::StrCat(before, "\"d.op\"() {a = ", attribute, "} : () -> ()", after)) {}
  const Attribute& operator*() const { return *op()->Attr("a"); }
  const Attribute* operator->() const { return op()->Attr("a"); }
};

}  // namespace halyard::mlir

#endif  // HALYARD_TESTS_FRONTEND_MLIR_READING_H_
