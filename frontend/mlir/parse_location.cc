// Locations: loc(unknown), loc("file":1:2), loc("name"(…)), loc(callsite(… at …)), loc(fused[…]),
// loc(#alias).
#include "absl/strings/str_cat.h"
#include "frontend/mlir/parser.h"

namespace halyard::mlir {

bool Parser::ParseOptionalLocation(const Location** location) {
  return !IsKeyword("loc") || ParseLocation(location);
}

bool Parser::ParseLocation(const Location** location) {
  return ExpectKeyword("loc") && Expect('(') && ParseLocationInner(location) && Expect(')');
}

// `"file":line:column`, with ` to [line]:column` perhaps; `"name"`; `"name"(location)`.
bool Parser::ParseStringLocation(Location* location) {
  location->kind = Location::Kind::kName;
  if (!ParseString(&location->text)) return false;
  if (Try('(')) {
    const Location* child = nullptr;
    if (!ParseLocationInner(&child)) return false;
    location->children.push_back(child);
    return Expect(')');
  }
  if (!Try(':')) return true;
  location->kind = Location::Kind::kFile;
  int64_t line = 0;
  int64_t column = 0;
  if (!ParseInteger(&line) || !Expect(':') || !ParseInteger(&column)) return false;
  location->line = static_cast<int>(line);
  location->column = static_cast<int>(column);
  if (!TryKeyword("to")) return true;
  int64_t unused = 0;
  if (Is(Tok::kInteger) && !ParseInteger(&unused)) return false;
  return Expect(':') && ParseInteger(&unused);
}

bool Parser::ParseLocationInner(const Location** location) {
  Nesting nesting(*this);
  if (!nesting.Ok()) return false;
  if (IsKeyword("loc")) return ParseLocation(location);
  Location* made = document_.NewLocation(Location::Kind::kUnknown, token_.offset);
  *location = made;
  if (TryKeyword("unknown")) return true;
  if (Is(Tok::kString)) return ParseStringLocation(made);
  if (Is(Tok::kHashId)) {
    made->kind = Location::Kind::kAlias;
    made->text = std::string(token_.text);
    open_locations_.push_back(made);
    Advance();
    return true;
  }
  auto child = [&] {
    const Location* inner = nullptr;
    if (!ParseLocationInner(&inner)) return false;
    made->children.push_back(inner);
    return true;
  };
  if (TryKeyword("callsite")) {
    made->kind = Location::Kind::kCallSite;
    return Expect('(') && child() && ExpectKeyword("at") && child() && Expect(')');
  }
  if (TryKeyword("fused")) {
    made->kind = Location::Kind::kFused;
    if (Try('<')) {
      const Attribute* metadata = nullptr;
      if (!ParseAttribute(&metadata) || !Expect('>')) return false;
    }
    return ParseList('[', ']', child);
  }
  return FailHere("expected a location");
}

// Aliases of locations may be defined after their use. A cycle through them is possible in text;
// those who walk locations limit how many they visit.
bool Parser::ResolveLocations() {
  for (Location* use : open_locations_) {
    auto found = location_aliases_.find(use->text);
    if (found == location_aliases_.end()) {
      return Fail(use->offset, absl::StrCat("location alias '#", use->text, "' is not defined"));
    }
    use->children.push_back(found->second);
  }
  return true;
}

}  // namespace halyard::mlir
