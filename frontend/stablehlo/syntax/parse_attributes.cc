// #stablehlo<…> and #stablehlo.name<…>.
#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frontend/stablehlo/syntax/syntax.h"

namespace halyard::stablehlo {
namespace {

using mlir::Attribute;
using mlir::Parser;
using mlir::Tok;

// `precision DEFAULT`: an enumeration's name and value; anything longer is kept as text.
bool ParseEnum(Parser& parser, Attribute& attribute) {
  std::string name;
  if (!parser.ParseName(&name)) return false;
  absl::StrAppend(&attribute.name, ".", name);
  absl::string_view text;
  if (!parser.SkipBalanced('>', &text)) return false;
  attribute.text = std::string(text);
  return true;
}

// One bracketed list of a convolution's dimension numbers. `batch` and `feature` are the letters
// and what they stand for; positions of digits become the spatial dimensions.
struct DimsList {
  char first_letter, second_letter;
  absl::string_view first_name, second_name, spatial_name;
};

bool ParseDimsList(Parser& parser, const DimsList& list, Attribute& attribute) {
  size_t offset = parser.token().offset;
  int64_t first = -1;
  int64_t second = -1;
  int64_t position = 0;
  std::vector<std::pair<int64_t, int64_t>> spatial;  // number, position
  bool read = parser.ParseList('[', ']', [&] {
    absl::string_view word = parser.token().text;
    int64_t number = 0;
    if (parser.Is(Tok::kInteger)) {
      if (!parser.ParseInteger(&number)) return false;
      spatial.emplace_back(number, position++);
      return true;
    }
    if (parser.Try('?')) {  // a dimension without a meaning
      ++position;
      return true;
    }
    int64_t* slot = nullptr;
    if (parser.Is(Tok::kBareId) && word.size() == 1) {
      slot = word[0] == list.first_letter ? &first : word[0] == list.second_letter ? &second : slot;
    }
    if (slot == nullptr || *slot >= 0) {
      return parser.FailHere(absl::StrCat("expected '", std::string(1, list.first_letter), "', '",
                                          std::string(1, list.second_letter),
                                          "' or a number, once each"));
    }
    *slot = position++;
    parser.Advance();
    return true;
  });
  if (!read) return false;
  if (first < 0 || second < 0) return parser.Fail(offset, "a dimension's letter is missing");
  std::vector<int64_t> positions(spatial.size(), -1);
  for (auto [number, at] : spatial) {
    if (number < 0 || number >= static_cast<int64_t>(spatial.size()) || positions[number] >= 0) {
      return parser.Fail(offset, "spatial dimensions must be numbered 0, 1, … once each");
    }
    positions[number] = at;
  }
  return parser.Add(&attribute.entries, list.first_name, parser.MakeInteger(first, offset),
                    offset) &&
         parser.Add(&attribute.entries, list.second_name, parser.MakeInteger(second, offset),
                    offset) &&
         parser.Add(&attribute.entries, list.spatial_name, parser.MakeInt64Array(positions, offset),
                    offset);
}

}  // namespace

namespace {

struct Fields {
  absl::string_view attribute, names;
};
constexpr Fields kFields[] = {
    {"stablehlo.dot",
     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions "
     "rhs_contracting_dimensions"},
    {"stablehlo.gather",
     "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims "
     "start_index_map index_vector_dim"},
    {"stablehlo.scatter",
     "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims "
     "scatter_dims_to_operand_dims index_vector_dim"},
    {"stablehlo.channel_handle", "handle type"},
    {"stablehlo.output_operand_alias", "output_tuple_indices operand_index operand_tuple_indices"},
};

bool IsField(absl::string_view attribute, absl::string_view name) {
  for (const Fields& fields : kFields) {
    if (fields.attribute != attribute) continue;
    const std::vector<absl::string_view> names = absl::StrSplit(fields.names, ' ');
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  return true;
}

}  // namespace

bool ParseStructBody(Parser& parser, Attribute& attribute) {
  while (!parser.Is('>')) {
    size_t offset = parser.token().offset;
    std::string key;
    const Attribute* value = nullptr;
    if (!parser.ParseName(&key)) return false;
    if (!IsField(attribute.name, key)) {
      return parser.Fail(offset, absl::StrCat("#", attribute.name, " has no field '", key, "'"));
    }
    if (!parser.Expect('=')) return false;
    if (!(parser.Is('[') ? parser.ParseInt64Array(&value) : parser.ParseAttribute(&value))) {
      return false;
    }
    if (!parser.Add(&attribute.entries, key, value, offset)) return false;
    if (!parser.Try(',')) break;
  }
  return true;
}

bool ParseConvolutionDims(Parser& parser, Attribute& attribute) {
  if (parser.TryKeyword("raw")) return ParseStructBody(parser, attribute);
  return ParseDimsList(parser,
                       {'b', 'f', "input_batch_dimension", "input_feature_dimension",
                        "input_spatial_dimensions"},
                       attribute) &&
         parser.ExpectKeyword("x") &&
         ParseDimsList(parser,
                       {'i', 'o', "kernel_input_feature_dimension",
                        "kernel_output_feature_dimension", "kernel_spatial_dimensions"},
                       attribute) &&
         parser.Expect(Tok::kArrow, "'->'") &&
         ParseDimsList(parser,
                       {'b', 'f', "output_batch_dimension", "output_feature_dimension",
                        "output_spatial_dimensions"},
                       attribute);
}

bool ParsePrecisionList(Parser& parser, const Attribute** attribute) {
  size_t offset = parser.token().offset;
  std::vector<const Attribute*> elements;
  bool read = parser.ParseList('[', ']', [&] {
    size_t at = parser.token().offset;
    std::string word;
    if (!parser.ParseName(&word)) return false;
    elements.push_back(parser.MakeEnum("stablehlo.precision", word, at));
    return true;
  });
  *attribute = parser.MakeArray(std::move(elements), offset);
  return read;
}

// The long form of #stablehlo.bounds<…>: `bounds = [3, ?]`.
bool ParseTypeExtensions(Parser& parser, Attribute& attribute) {
  absl::string_view bounds;
  if (!parser.ExpectKeyword("bounds") || !parser.Expect('=') || !parser.Expect('[') ||
      !parser.SkipBalanced(']', &bounds) || !parser.Expect(']')) {
    return false;
  }
  attribute.name = "stablehlo.bounds";
  attribute.text = absl::StrReplaceAll(bounds, {{"-1", "?"}});
  return true;
}

// Reads what MHLO wrote for the same op as StableHLO.
template <mlir::AttributeHook kHook>
bool ParseOfMhlo(Parser& parser, Attribute& attribute) {
  attribute.name.replace(0, sizeof("mhlo") - 1, "stablehlo");
  return kHook(parser, attribute);
}

void AddAttributeSyntax(mlir::Syntax& syntax) {
  syntax.attributes["stablehlo"] = ParseEnum;
  for (const char* name : {"gather", "scatter", "dot", "dot_algorithm", "channel_handle",
                           "output_operand_alias", "result_accuracy"}) {
    syntax.attributes[absl::StrCat("stablehlo.", name)] = ParseStructBody;
    syntax.attributes[absl::StrCat("mhlo.", name)] = ParseOfMhlo<ParseStructBody>;
  }
  syntax.attributes["stablehlo.type_extensions"] = ParseTypeExtensions;
  syntax.attributes["mhlo"] = ParseOfMhlo<ParseEnum>;
  syntax.attributes["mhlo.conv"] = ParseOfMhlo<ParseConvolutionDims>;
  syntax.attributes["stablehlo.conv"] = ParseConvolutionDims;
  syntax.attributes["chlo"] = ParseEnum;
  syntax.attributes["chlo.ragged_dot"] = ParseStructBody;
}

}  // namespace halyard::stablehlo
