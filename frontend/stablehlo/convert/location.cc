// Locations of the text → provenance.
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/stablehlo/convert/convert.h"

namespace halyard::stablehlo {
namespace {

using mlir::Location;

// Enough for any stack of calls that tells something; aliases may form graphs without end.
constexpr int kMaxVisited = 64;

// `{replicated}`, `{{…}, {…}}`; old exporters wrote bytes of a protocol buffer instead.
bool IsShardingText(const mlir::Attribute& sharding) {
  if (!sharding.Is(mlir::AttributeKind::kString)) return false;
  absl::string_view text = sharding.text;
  int open = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!absl::ascii_isprint(text[i]) || text[i] == '"') return false;
    open += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (open <= 0 && i + 1 < text.size()) return false;
  }
  return !text.empty() && open == 0;
}

class Walker {
 public:
  explicit Walker(hlo::Provenance& provenance) : provenance_(provenance) {}

  // Names below a name are those of functions on the call stack, not of the op.
  void Visit(const Location& location, bool names, int depth = 0) {
    if (++visited_ > kMaxVisited || depth > kMaxVisited) return;
    switch (location.kind) {
      case Location::Kind::kUnknown:
        return;
      case Location::Kind::kFile: {
        hlo::SourceLocation place{location.text, location.line, location.column};
        auto& places = provenance_.locations;
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
        return;
      }
      case Location::Kind::kName: {
        auto& known = provenance_.op_names;
        if (names && !location.text.empty() &&
            std::find(known.begin(), known.end(), location.text) == known.end()) {
          known.push_back(location.text);
        }
        for (const Location* child : location.children) Visit(*child, false, depth + 1);
        return;
      }
      case Location::Kind::kCallSite:
        Visit(*location.children[0], names, depth + 1);
        Visit(*location.children[1], false, depth + 1);
        return;
      case Location::Kind::kFused:
      case Location::Kind::kAlias:
        for (const Location* child : location.children) Visit(*child, names, depth + 1);
        return;
    }
  }

 private:
  hlo::Provenance& provenance_;
  int visited_ = 0;
};

}  // namespace

// mhlo.frontend_attributes, `{name = "text"}`, as HLO's `name="text"`, in order. Empty if one of
// them cannot be written so.
std::vector<std::string> Converter::FrontendAttributes(const Operation& op) const {
  const mlir::Attribute* given = op.Attr("mhlo.frontend_attributes");
  if (given == nullptr || !given->Is(mlir::AttributeKind::kDictionary)) return {};
  std::vector<std::string> texts;
  for (const mlir::NamedAttribute& entry : given->entries) {
    const bool name = std::all_of(entry.name.begin(), entry.name.end(), [](char c) {
      return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
    });
    if (!name || !entry.value->Is(mlir::AttributeKind::kString)) return {};
    texts.push_back(absl::StrCat(entry.name, "=\"", absl::CEscape(entry.value->text), "\""));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// mhlo.sharding and mhlo.frontend_attributes, which HLO has under these names.
void Converter::KeepMetadata(const Operation& op, hlo::Instruction* inst) const {
  const mlir::Attribute* sharding = op.Attr("mhlo.sharding");
  if (sharding != nullptr && IsShardingText(*sharding)) {
    inst->attrs.Set(hlo::Attr::kSharding, sharding->text);
  }
  const std::vector<std::string> texts = FrontendAttributes(op);
  if (texts.empty() || inst->Has(hlo::Attr::kFrontendAttributes)) return;
  inst->attrs.Set(hlo::Attr::kFrontendAttributes,
                  absl::StrCat("{", absl::StrJoin(texts, ","), "}"));
}

hlo::Provenance Converter::ProvenanceOf(size_t offset, const Location* location) const {
  hlo::Provenance provenance;
  mlir::Place place = document_.source.PlaceOf(offset);
  provenance.locations.push_back({document_.source.filename(), place.line, place.column});
  if (location != nullptr) Walker(provenance).Visit(*location, true);
  return provenance;
}

}  // namespace halyard::stablehlo
