#include "frontend/hlo_text/read_header.h"

#include "absl/strings/str_cat.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::hlo_text {
namespace {

using hlo::Shape;

bool ReadShapeIndex(Cursor& cursor, ShapeIndex* index) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!cursor.Int(&index->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// `{ {0}: (0, {}, may-alias), {1}: (1, {0}) }`
bool ReadAliases(Cursor& cursor, std::vector<Header::Alias>* aliases) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    Header::Alias& alias = aliases->emplace_back();
    alias.offset = cursor.Offset();
    if (!ReadShapeIndex(cursor, &alias.result) || !cursor.Expect(':') || !cursor.Expect('(') ||
        !cursor.Int(&alias.parameter) || !cursor.Expect(',') ||
        !ReadShapeIndex(cursor, &alias.parameter_index)) {
      return false;
    }
    if (cursor.TryChar(',')) {
      alias.must = cursor.TryWord("must-alias");
      if (!alias.must && !cursor.TryWord("may-alias")) {
        return cursor.Fail("expected may-alias or must-alias");
      }
    }
    if (!cursor.Expect(')')) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// `{ (0, {}), (1, {0}) }`. The IR marks whole parameters.
bool ReadDonors(Cursor& cursor, std::vector<Header::Donor>* donors) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    Header::Donor& donor = donors->emplace_back();
    donor.offset = cursor.Offset();
    ShapeIndex index;
    if (!cursor.Expect('(') || !cursor.Int(&donor.parameter) || !cursor.Expect(',') ||
        !ReadShapeIndex(cursor, &index) || !cursor.Expect(')')) {
      return false;
    }
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// `{(f32[2]{0}, s32[])->f32[2]{0}}`
bool ReadEntryLayout(Cursor& cursor, Header* header) {
  header->has_layout = true;
  header->layout_offset = cursor.Offset();
  if (!cursor.Expect('{') || !cursor.Expect('(')) return false;
  if (!cursor.TryChar(')')) {
    do {
      if (!ReadShape(cursor, &header->parameters.emplace_back())) return false;
    } while (cursor.TryChar(','));
    if (!cursor.Expect(')')) return false;
  }
  return cursor.ExpectText("->") && ReadShape(cursor, &header->result) && cursor.Expect('}');
}

// Returns the leaf of `shape` at `index`, and its position among all leaves; null if there is no
// leaf there.
const Shape* LeafAt(const Shape& shape, const ShapeIndex& index, int64_t* leaf) {
  *leaf = 0;
  const Shape* at = &shape;
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->elements().size())) return nullptr;
    for (int64_t before = 0; before < i; ++before) {
      *leaf += static_cast<int64_t>(hlo::FlattenShape(at->elements()[before]).size());
    }
    at = &at->elements()[i];
  }
  return at->IsTuple() ? nullptr : at;
}

bool CheckEntryLayout(Cursor& cursor, const Header& header, const hlo::Computation& entry) {
  if (static_cast<int64_t>(header.parameters.size()) != entry.num_parameters()) {
    return cursor.Fail(header.layout_offset,
                       absl::StrCat("entry_computation_layout has ", header.parameters.size(),
                                    " parameters, the entry ", entry.num_parameters()));
  }
  auto check = [&](const Shape& said, const Shape& shape, absl::string_view of) {
    return Shape::SameIgnoringLayout(said, shape) ||
           cursor.Fail(header.layout_offset,
                       absl::StrCat("entry_computation_layout says ", said.ToString(), " for ", of,
                                    ", which is ", shape.ToString()));
  };
  for (size_t i = 0; i < header.parameters.size(); ++i) {
    if (!check(header.parameters[i], entry.parameters()[i]->shape, absl::StrCat("parameter ", i))) {
      return false;
    }
  }
  return check(header.result, entry.root()->shape, "the result");
}

}  // namespace

bool ReadHeader(Cursor& cursor, Header* header) {
  if (!cursor.TryWord("HloModule")) return cursor.Fail("expected 'HloModule' and a name");
  if (!cursor.Name(&header->name, "the module's name")) return false;
  while (cursor.TryChar(',')) {
    size_t place = cursor.Offset();
    std::string key;
    if (!cursor.Name(&key, "an attribute of the module") || !cursor.Expect('=')) return false;
    bool ok = true;
    if (key == "input_output_alias") {
      ok = ReadAliases(cursor, &header->aliases);
    } else if (key == "buffer_donor") {
      ok = ReadDonors(cursor, &header->donors);
    } else if (key == "entry_computation_layout") {
      if (header->has_layout) return cursor.Fail(place, "entry_computation_layout is given twice");
      ok = ReadEntryLayout(cursor, header);
    } else if (key == "replica_count") {
      ok = cursor.Int(&header->num_replicas);
    } else if (key == "num_partitions") {
      ok = cursor.Int(&header->num_partitions);
    } else {  // is_scheduled, sharding propagation, … : other tools' business
      ok = cursor.SkipValue();
    }
    if (!ok) return false;
    if (header->num_replicas < 1 || header->num_partitions < 1) {
      return cursor.Fail(place, absl::StrCat(key, " is not positive"));
    }
  }
  return true;
}

bool ApplyHeader(Cursor& cursor, const Header& header, hlo::Module* module) {
  const hlo::Computation& entry = *module->entry();
  if (header.has_layout && !CheckEntryLayout(cursor, header, entry)) return false;
  auto in_range = [&](int64_t number) { return number >= 0 && number < entry.num_parameters(); };
  for (const Header::Alias& alias : header.aliases) {
    hlo::InputOutputAlias resolved;
    resolved.parameter_number = alias.parameter;
    resolved.must = alias.must;
    const Shape* result = LeafAt(entry.root()->shape, alias.result, &resolved.result_leaf);
    const Shape* parameter = nullptr;
    if (in_range(alias.parameter)) {
      parameter = LeafAt(entry.parameters()[alias.parameter]->shape, alias.parameter_index,
                         &resolved.parameter_leaf);
    }
    if (result == nullptr || parameter == nullptr) {
      return cursor.Fail(alias.offset, "input_output_alias names no array of the entry");
    }
    if (!Shape::SameIgnoringLayout(*result, *parameter)) {
      return cursor.Fail(alias.offset,
                         absl::StrCat("input_output_alias of ", result->ToString(),
                                      " with a parameter of ", parameter->ToString()));
    }
    module->aliases.push_back(resolved);
  }
  for (const Header::Donor& donor : header.donors) {
    if (!in_range(donor.parameter)) {
      return cursor.Fail(
          donor.offset, absl::StrCat("buffer_donor: the entry has no parameter ", donor.parameter));
    }
    module->donors.push_back(donor.parameter);
  }
  module->num_replicas = header.num_replicas;
  module->num_partitions = header.num_partitions;
  return true;
}

bool SourceTables::Read(Cursor& cursor) {
  for (absl::string_view table : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    if (cursor.TryWord(table) && !ReadTable(cursor, table)) return false;
  }
  return true;
}

bool SourceTables::ReadTable(Cursor& cursor, absl::string_view table) {
  while (cursor.Peek() >= '0' && cursor.Peek() <= '9') {
    int64_t id;
    if (!cursor.Int(&id)) return false;
    if (cursor.Peek() == '"') {
      std::string name;
      if (!cursor.String(&name)) return false;
      if (table == "FileNames") files_[id] = name;
      continue;
    }
    if (!cursor.Expect('{')) return false;
    std::unordered_map<std::string, int64_t> fields;
    while (!cursor.TryChar('}')) {
      std::string field;
      if (!cursor.Name(&field, "a field or '}'") || !cursor.Expect('=') ||
          !cursor.Int(&fields[field])) {
        return false;
      }
    }
    if (table == "StackFrames") {
      frames_[id] = fields["file_location_id"];
    } else if (auto file = files_.find(fields["file_name_id"]);
               table == "FileLocations" && file != files_.end()) {
      locations_[id] = {file->second, static_cast<int>(fields["line"]),
                        static_cast<int>(fields["column"])};
    }
  }
  return true;
}

const hlo::SourceLocation* SourceTables::Find(int64_t stack_frame_id) const {
  auto frame = frames_.find(stack_frame_id);
  if (frame == frames_.end()) return nullptr;
  auto location = locations_.find(frame->second);
  return location == locations_.end() ? nullptr : &location->second;
}

}  // namespace halyard::hlo_text
