#include "client/aot/declared_sizes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/dynamic/shape_operands.h"

namespace halyard {
namespace {

using hlo::Attr;
using hlo::Instruction;
using hlo::Shape;

absl::Status WrongDeclaration(absl::string_view text, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      "--dim=", text, ": ", what, "; write NAME:1..256, NAME:1..256@1,16,256 or NAME:1,8,64"));
}

bool ParseSize(absl::string_view text, int64_t* size) {
  return absl::SimpleAtoi(absl::StripAsciiWhitespace(text), size) && *size >= 0 &&
         *size <= INT32_MAX;
}

// Returns ascending sizes; empty if one is wrong.
std::vector<int64_t> ParseSizes(absl::string_view text) {
  std::vector<int64_t> sizes;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    int64_t size = 0;
    if (!ParseSize(part, &size)) return {};
    sizes.push_back(size);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

bool IsName(absl::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-' || c == '\'' || c == '[' ||
           c == ']' || c == '%' || c == '#';
  });
}

// What one dimension of an argument is: names with factors, and a constant.
struct Expression {
  std::map<std::string, int64_t> factors;
  int64_t constant = 0;
};

// Parses "2*b + n - 1", as JAX writes sizes. Returns false for anything else.
bool ParseExpression(absl::string_view text, Expression* expression) {
  if (text.find_first_of("(^") != absl::string_view::npos) return false;
  std::string spaced;
  for (const char c : text) absl::StrAppend(&spaced, c == '-' ? "+-" : std::string(1, c));
  for (absl::string_view term : absl::StrSplit(spaced, '+')) {
    std::string packed(term);
    absl::RemoveExtraAsciiWhitespace(&packed);
    int64_t factor = 1;
    absl::string_view rest = packed;
    if (absl::ConsumePrefix(&rest, "-")) factor = -1;
    rest = absl::StripLeadingAsciiWhitespace(rest);
    if (rest.empty()) continue;
    std::string name;
    for (absl::string_view part : absl::StrSplit(rest, '*')) {
      part = absl::StripAsciiWhitespace(part);
      int64_t number = 0;
      if (absl::SimpleAtoi(part, &number)) {
        factor *= number;
      } else if (!name.empty() || part.empty()) {
        return false;
      } else {
        name = std::string(part);
      }
    }
    if (name.empty()) {
      expression->constant += factor;
    } else {
      expression->factors[name] += factor;
    }
  }
  return true;
}

// Returns the sizes of arguments with symbolic ones as JAX states them, in the order of arguments:
// "args[0].shape = (b, n, 8),args[1].shape = (b,)".
std::vector<std::vector<std::string>> StatedSizes(const hlo::Module& module) {
  constexpr absl::string_view kBegin = "polymorphic shapes specifications: ", kShape = ".shape = (";
  for (const auto& inst : module.entry()->instructions()) {
    if (!hlo::IsShapeAssertion(*inst)) continue;
    absl::string_view text = inst->GetString(Attr::kBackendConfig);
    const size_t begin = text.find(kBegin), end = text.find(". Obtained dimension variables");
    if (begin == absl::string_view::npos || end == absl::string_view::npos) continue;
    text = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
    std::vector<std::vector<std::string>> stated;
    for (size_t at = text.find(kShape); at != absl::string_view::npos; at = text.find(kShape)) {
      text.remove_prefix(at + kShape.size());
      // Functions in sizes have parentheses of their own.
      size_t close = 0;
      std::vector<std::string> dims(1);
      for (int depth = 1; close < text.size(); ++close) {
        const char c = text[close];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0) break;
        if (c == ',' && depth == 1) {
          dims.emplace_back();
        } else {
          dims.back() += c;
        }
      }
      for (std::string& dim : dims) absl::StripAsciiWhitespace(&dim);
      if (dims.back().empty()) dims.pop_back();  // "(n,)"
      stated.push_back(std::move(dims));
      text.remove_prefix(std::min(close, text.size()));
    }
    return stated;
  }
  return {};
}

struct Leaf {
  std::string argument;  // for messages and places
  Shape shape;
};

std::vector<Leaf> LeavesOf(const hlo::Module& module) {
  std::vector<Leaf> leaves;
  for (const Instruction* parameter : module.entry()->parameters()) {
    const std::vector<Shape> shapes = hlo::FlattenShape(parameter->shape);
    const auto& told = parameter->provenance.op_names;
    const std::string name = told.empty() ? parameter->name : told.front();
    for (size_t i = 0; i < shapes.size(); ++i)
      leaves.push_back({shapes.size() == 1 ? name : absl::StrCat(name, "_", i), shapes[i]});
  }
  return leaves;
}

// Finds the names of sizes, and which of the declared ones they are.
class SizeFinder {
 public:
  SizeFinder(const hlo::Module& module, absl::Span<const DeclaredSize> declared)
      : leaves_(LeavesOf(module)), declared_(declared) {
    const std::vector<std::vector<std::string>> stated = StatedSizes(module);
    size_t next = 0;
    for (const Leaf& leaf : leaves_) {
      const bool dynamic = leaf.shape.IsArray() && leaf.shape.IsDynamic();
      const bool known = dynamic && next < stated.size() &&
                         static_cast<int64_t>(stated[next].size()) == leaf.shape.rank();
      stated_.push_back(known ? stated[next] : std::vector<std::string>());
      if (dynamic) ++next;
    }
  }

  absl::StatusOr<ArgumentSizes> Find() {
    std::vector<std::vector<Expression>> expressions;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      std::vector<Expression>& of_leaf = expressions.emplace_back();
      const Shape& shape = leaves_[i].shape;
      for (int64_t d = 0; shape.IsArray() && d < shape.rank(); ++d) {
        absl::StatusOr<Expression> expression = ExpressionOf(i, d);
        if (!expression.ok()) return expression.status();
        for (const auto& [name, factor] : expression->factors) Note(name, i, d);
        of_leaf.push_back(*std::move(expression));
      }
    }
    ArgumentSizes found;
    found.places = std::move(places_);
    std::map<std::string, size_t> numbers;
    for (const DeclaredSize& size : declared_) {
      if (!has_.count(size.name)) continue;
      numbers[size.name] = found.variables.size();
      found.variables.push_back(size);
    }
    for (const std::string& name : names_) {
      if (numbers.count(name) != 0) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "the size ", name, " (", has_.at(name), ") is not declared: add --dim=", name,
          ":1..256 with the sizes that runs will have",
          names_.size() > 1
              ? absl::StrCat("; the program's sizes are ", absl::StrJoin(names_, ", "))
              : ""));
    }
    for (size_t i = 0; i < expressions.size(); ++i) {
      const std::vector<Expression>& of_leaf = expressions[i];
      auto& sums = found.sizes.emplace_back();
      for (const Expression& expression : of_leaf) {
        SizeSum& sum = sums.emplace_back();
        sum.constant = expression.constant;
        sum.factors.assign(found.variables.size(), 0);
        for (const auto& [name, factor] : expression.factors) sum.factors[numbers[name]] = factor;
        absl::Status s = CheckNotNegative(sum, found.variables, i, sums.size() - 1);
        if (!s.ok()) return s;
      }
    }
    return found;
  }

 private:
  absl::StatusOr<Expression> ExpressionOf(size_t leaf, int64_t dim) {
    const Shape& shape = leaves_[leaf].shape;
    Expression expression;
    if (!shape.IsDynamicDim(dim)) {
      expression.constant = shape.dim(dim);
      return expression;
    }
    // Arguments may be named as the program does, or by number.
    const std::string places[] = {absl::StrCat(leaves_[leaf].argument, ".", dim),
                                  absl::StrCat("arg", leaf, ".", dim)};
    for (const DeclaredSize& size : declared_) {
      bool has = false;
      for (const std::string& place : places) {
        has = has || size.name == place;
        if (std::find(size.places.begin(), size.places.end(), place) == size.places.end()) continue;
        places_.insert(place);
        has = true;
      }
      if (!has) continue;
      expression.factors[size.name] = 1;
      return expression;
    }
    if (stated_[leaf].empty()) {
      expression.factors[places[0]] = 1;
      return expression;
    }
    const std::string& text = stated_[leaf][static_cast<size_t>(dim)];
    if (ParseExpression(text, &expression)) return expression;
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", dim, " of argument ", leaves_[leaf].argument, " is ", text,
                     "; sizes of arguments must be sums of multiples of names"));
  }

  // Checks a dimension for the smallest size that it may have.
  absl::Status CheckNotNegative(const SizeSum& sum, const std::vector<DeclaredSize>& variables,
                                size_t leaf, size_t dim) const {
    std::vector<int64_t> sizes;
    std::string where;
    for (size_t v = 0; v < variables.size(); ++v) {
      const DeclaredSize& size = variables[v];
      sizes.push_back(sum.factors[v] < 0 ? size.bounds.back() : size.least);
      if (sum.factors[v] != 0)
        absl::StrAppend(&where, where.empty() ? "" : ", ", size.name, "=", sizes.back());
    }
    if (sum.At(sizes) >= 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", dim, " of argument ", leaves_[leaf].argument, ", ",
                     stated_[leaf].empty() ? "a size" : stated_[leaf][dim], ", is ", sum.At(sizes),
                     " with ", where, ": declare sizes with which it is not negative"));
  }

  void Note(const std::string& name, size_t leaf, int64_t dim) {
    const bool is_new =
        has_.emplace(name, absl::StrCat("dimension ", dim, " of ", leaves_[leaf].argument)).second;
    if (is_new) names_.push_back(name);
  }

  const std::vector<Leaf> leaves_;
  const absl::Span<const DeclaredSize> declared_;
  std::vector<std::vector<std::string>> stated_;  // by leaf, empty if not known
  std::vector<std::string> names_;
  std::map<std::string, std::string> has_;  // where a name occurs first
  std::set<std::string> places_;            // as in ArgumentSizes
};

}  // namespace

absl::StatusOr<DeclaredSize> ParseDeclaredSize(absl::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return WrongDeclaration(text, "it has no sizes");
  DeclaredSize declared;
  std::vector<std::string> names = absl::StrSplit(text.substr(0, colon), '=');
  for (const std::string& name : names) {
    if (!IsName(name)) return WrongDeclaration(text, absl::StrCat("'", name, "' is no name"));
  }
  declared.name = names[0];
  declared.places.assign(names.begin() + 1, names.end());
  absl::string_view sizes = text.substr(colon + 1);
  const size_t dots = sizes.find("..");
  if (dots == absl::string_view::npos) {
    declared.exact = true;
    declared.bounds = ParseSizes(sizes);
    if (declared.bounds.empty())
      return WrongDeclaration(text, absl::StrCat("'", sizes, "' are no sizes"));
    declared.least = declared.bounds[0];
    return declared;
  }
  const size_t at = sizes.find('@');
  int64_t most = 0;
  if (!ParseSize(sizes.substr(0, dots), &declared.least) ||
      !ParseSize(sizes.substr(dots + 2, at == absl::string_view::npos ? at : at - dots - 2),
                 &most) ||
      most < declared.least) {
    return WrongDeclaration(text, absl::StrCat("'", sizes, "' is no range"));
  }
  std::vector<int64_t> bounds;
  if (at != absl::string_view::npos) {
    bounds = ParseSizes(sizes.substr(at + 1));
    if (bounds.empty() || bounds[0] < declared.least || bounds.back() > most)
      return WrongDeclaration(text, "the sizes after @ are not in the range");
  } else {
    for (int64_t power = 2; power < most; power *= 2) bounds.push_back(power);
  }
  bounds.insert(bounds.end(), {0, 1, most});
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  for (const int64_t bound : bounds) {
    if (bound >= declared.least && bound <= most) declared.bounds.push_back(bound);
  }
  return declared;
}

int64_t SizeSum::At(absl::Span<const int64_t> sizes) const {
  int64_t sum = constant;
  for (size_t i = 0; i < factors.size(); ++i) sum += factors[i] * sizes[i];
  return sum;
}

std::vector<Shape> ArgumentSizes::Shapes(const hlo::Module& module,
                                         absl::Span<const int64_t> values) const {
  std::vector<Shape> shapes;
  size_t next = 0;
  for (const Instruction* parameter : module.entry()->parameters()) {
    for (const Shape& leaf : hlo::FlattenShape(parameter->shape)) {
      const std::vector<SizeSum>& of_leaf = sizes[next++];
      if (!leaf.IsArray() || !leaf.IsDynamic()) {
        shapes.push_back(leaf);
        continue;
      }
      std::vector<int64_t> dims;
      for (const SizeSum& size : of_leaf) dims.push_back(size.At(values));
      shapes.push_back(leaf.WithDims(std::move(dims)));
    }
  }
  return shapes;
}

absl::StatusOr<ArgumentSizes> FindArgumentSizes(const hlo::Module& module,
                                                absl::Span<const DeclaredSize> declared) {
  return SizeFinder(module, declared).Find();
}

}  // namespace halyard
