// Compares documents of the MLIR reader, whether they were read from text or from bytecode.
#ifndef HALYARD_TESTS_FRONTEND_STABLEHLO_SAME_DOCUMENT_H_
#define HALYARD_TESTS_FRONTEND_STABLEHLO_SAME_DOCUMENT_H_

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "frontend/mlir/ast.h"

namespace halyard::stablehlo {

inline std::string ReadFileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

// Describes where two documents differ, or gives "" if they do not. Ignores places, names and
// locations.
class DocumentComparison {
 public:
  std::string Compare(const mlir::Document& a, const mlir::Document& b) {
    return CompareOperations(a.operations, b.operations, "top");
  }

 private:
  using Operations = std::vector<std::unique_ptr<mlir::Operation>>;

  std::string CompareOperations(const Operations& a, const Operations& b, const std::string& in) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      std::string difference = CompareOperation(*a[i], *b[i]);
      if (!difference.empty()) return difference;
    }
    return a.size() == b.size() ? "" : absl::StrCat(in, ": ", a.size(), " ops and ", b.size());
  }

  static std::string Names(const mlir::Operation& op) {
    std::string out;
    for (const auto& entry : op.attributes) {
      absl::StrAppend(&out, entry.name, " = ", mlir::ToString(*entry.value), "; ");
    }
    return out;
  }

  std::string CompareOperation(const mlir::Operation& a, const mlir::Operation& b) {
    if (a.name != b.name) return absl::StrCat("'", a.name, "' and '", b.name, "'");
    auto differ = [&](absl::string_view what) { return absl::StrCat("'", a.name, "': ", what); };
    if (a.operands.size() != b.operands.size()) return differ("numbers of operands");
    for (size_t i = 0; i < a.operands.size(); ++i) {
      auto known = same_.find(a.operands[i]);
      if (known == same_.end() || known->second != b.operands[i]) return differ("operands");
    }
    if (a.attributes.size() != b.attributes.size()) {
      return differ(absl::StrCat("attributes {", Names(a), "} and {", Names(b), "}"));
    }
    for (const auto& entry : a.attributes) {
      const mlir::Attribute* other = b.Attr(entry.name);
      if (other == nullptr || !mlir::SameAttribute(*entry.value, *other)) {
        return differ(absl::StrCat("attributes {", Names(a), "} and {", Names(b), "}"));
      }
    }
    std::string values = CompareValues(a.results, b.results, differ("results"));
    if (!values.empty()) return values;
    if (a.regions.size() != b.regions.size()) return differ("numbers of regions");
    for (size_t r = 0; r < a.regions.size(); ++r) {
      const auto& blocks = a.regions[r].blocks;
      const auto& others = b.regions[r].blocks;
      if (blocks.size() != others.size()) return differ("numbers of blocks");
      for (size_t i = 0; i < blocks.size(); ++i) {
        values = CompareValues(blocks[i]->arguments, others[i]->arguments, differ("arguments"));
        if (!values.empty()) return values;
        values = CompareOperations(blocks[i]->operations, others[i]->operations, a.name);
        if (!values.empty()) return values;
      }
    }
    return "";
  }

  std::string CompareValues(const std::vector<std::unique_ptr<mlir::Value>>& a,
                            const std::vector<std::unique_ptr<mlir::Value>>& b,
                            const std::string& what) {
    if (a.size() != b.size()) return what;
    for (size_t i = 0; i < a.size(); ++i) {
      if (!mlir::SameType(*a[i]->type, *b[i]->type)) {
        return absl::StrCat(what, ": ", mlir::ToString(*a[i]->type), " and ",
                            mlir::ToString(*b[i]->type));
      }
      same_[a[i].get()] = b[i].get();
    }
    return "";
  }

  std::map<const mlir::Value*, const mlir::Value*> same_;
};

inline std::string Difference(const mlir::Document& a, const mlir::Document& b) {
  return DocumentComparison().Compare(a, b);
}

}  // namespace halyard::stablehlo

#endif  // HALYARD_TESTS_FRONTEND_STABLEHLO_SAME_DOCUMENT_H_
