// Locations of the text → provenance.
#include <algorithm>

#include "frontend/stablehlo/convert.h"

namespace halyard::stablehlo {
namespace {

using mlir::Location;

// Enough for any stack of calls that tells something; aliases may form graphs without end.
constexpr int kMaxVisited = 64;

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

hlo::Provenance Converter::ProvenanceOf(size_t offset, const Location* location) const {
  hlo::Provenance provenance;
  mlir::Place place = document_.source.PlaceOf(offset);
  provenance.locations.push_back({document_.source.filename(), place.line, place.column});
  if (location != nullptr) Walker(provenance).Visit(*location, true);
  return provenance;
}

}  // namespace halyard::stablehlo
