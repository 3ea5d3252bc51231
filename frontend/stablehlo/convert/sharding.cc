// Programs of Shardy: arrays that are spread over a mesh of processes. Outside of manual
// computations every process holds and computes whole arrays. What is spread, arguments and what
// manual computations take and give, is gathered where somebody needs the whole, and cut where
// somebody needs a part.
#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/hlo/processes/communication.h"
#include "frontend/stablehlo/convert/convert.h"
#include "frontend/stablehlo/graph.h"

namespace halyard::stablehlo {

using hlo::Attr;
using hlo::Instruction;
using hlo::Ints;
using hlo::Opcode;
using hlo::Shape;
using mlir::Attribute;

namespace {

// Splits at commas that are in no brackets.
std::vector<absl::string_view> SplitParts(absl::string_view text) {
  std::vector<absl::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == '{' || c == '<' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == '>' || c == ')') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    const absl::string_view part = absl::StripAsciiWhitespace(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

// Takes the brackets off a text such as `[…]`. Returns false if it has others.
bool Unwrap(absl::string_view* text, absl::string_view open, absl::string_view close) {
  *text = absl::StripAsciiWhitespace(*text);
  return absl::ConsumePrefix(text, open) && absl::ConsumeSuffix(text, close);
}

bool ReadName(absl::string_view text, std::string* name) {
  if (!Unwrap(&text, "\"", "\"")) return false;
  *name = std::string(text);
  return true;
}

// "x", "y", ? → the names of the axes
bool ReadAxes(absl::string_view text, std::vector<std::string>* axes) {
  for (absl::string_view part : SplitParts(text)) {
    if (part == "?") continue;
    // Parts of axes, "x":(1)2, are not known here.
    if (!ReadName(part, &axes->emplace_back())) return false;
  }
  return true;
}

}  // namespace

// ["x"=2, "y"=4], device_ids=[1, 0, …]
bool Converter::ReadMesh(const Operation& op) {
  const Attribute *name = op.Attr("sym_name"), *text = op.Attr("mesh");
  if (name == nullptr || text == nullptr) return Fail(op, "a mesh needs a name and axes");
  Mesh mesh;
  for (absl::string_view part : SplitParts(text->text)) {
    const bool ids = absl::ConsumePrefix(&part, "device_ids");
    if (ids) absl::ConsumePrefix(&part, "=");
    if (!Unwrap(&part, "[", "]")) return Fail(op, "the mesh cannot be read");
    for (absl::string_view item : SplitParts(part)) {
      int64_t number = 0;
      const std::vector<absl::string_view> sides = absl::StrSplit(item, '=');
      if (!absl::SimpleAtoi(sides.back(), &number)) return Fail(op, "the mesh cannot be read");
      if (ids) {
        mesh.devices.push_back(number);
      } else if (sides.size() != 2 || number < 1 ||
                 !ReadName(sides[0], &mesh.axes.emplace_back())) {
        return Fail(op, "the mesh cannot be read");
      } else {
        mesh.sizes.push_back(number);
      }
    }
  }
  int64_t size = 1;
  for (int64_t axis : mesh.sizes) {
    if (axis > hlo::kMaxDevices / size) {
      return Fail(op, absl::StrCat("the mesh has more than ", hlo::kMaxDevices, " devices"));
    }
    size *= axis;
  }
  if (mesh.devices.empty()) {
    for (int64_t i = 0; i < size; ++i) mesh.devices.push_back(i);
  }
  if (static_cast<int64_t>(mesh.devices.size()) != size) {
    return Fail(op,
                absl::StrCat("the mesh has ", size, " devices, and ids for ", mesh.devices.size()));
  }
  meshes_[name->text] = std::move(mesh);
  return true;
}

// @mesh, [{"x"}, {}], replicated={"y"}: what is not spread is whole everywhere.
bool Converter::ReadSharding(absl::string_view text, Sharding* sharding) {
  const std::vector<absl::string_view> parts = SplitParts(text);
  if (parts.size() < 2) return false;
  absl::string_view mesh = parts[0], dims = parts[1];
  if (!absl::ConsumePrefix(&mesh, "@")) return false;
  absl::ConsumePrefix(&mesh, "\"");
  absl::ConsumeSuffix(&mesh, "\"");
  auto found = meshes_.find(std::string(mesh));
  if (found == meshes_.end() || !Unwrap(&dims, "[", "]")) return false;
  sharding->mesh = &found->second;
  std::set<std::string> used;
  for (absl::string_view dim : SplitParts(dims)) {
    dim = dim.substr(0, dim.rfind('}') + 1);  // a priority may follow
    std::vector<std::string>& axes = sharding->dims.emplace_back();
    if (!Unwrap(&dim, "{", "}") || !ReadAxes(dim, &axes)) return false;
    for (const std::string& axis : axes) {
      const std::vector<std::string>& known = sharding->mesh->axes;
      if (std::count(known.begin(), known.end(), axis) == 0 || !used.insert(axis).second)
        return false;
    }
  }
  for (size_t i = 2; i < parts.size(); ++i) {
    if (!absl::StartsWith(parts[i], "replicated=")) return false;  // sums that are not yet made
  }
  return true;
}

// A program of one partition has all of every array.
bool Converter::EntrySharding(const Operation& function, absl::string_view list, size_t number,
                              Sharding* sharding, bool* stated) {
  const Attribute* all = function.Attr(list);
  if (module_.num_partitions == 1 || all == nullptr || number >= all->elements.size()) return true;
  const Attribute* own = mlir::Find(all->elements[number]->entries, "sdy.sharding");
  if (stated != nullptr) *stated = own != nullptr;
  return ShardingOf(function, own, sharding);
}

bool Converter::ShardingOf(const Operation& op, const Attribute* attribute, Sharding* sharding) {
  if (attribute == nullptr) return true;
  if (ReadSharding(attribute->text, sharding)) {
    if (!CheckMesh(op, *sharding)) *sharding = Sharding();
    return true;
  }
  CannotRun(attribute->offset,
            absl::StrCat("'", op.name, "': the sharding ", attribute->text, " cannot be run"));
  *sharding = Sharding();
  return true;
}

bool Converter::MeshFits(const Sharding& sharding, std::string* why) const {
  if (!sharding.IsSpread()) return true;
  std::vector<int64_t> devices = sharding.mesh->devices;
  std::sort(devices.begin(), devices.end());
  bool fits = static_cast<int64_t>(devices.size()) == module_.num_partitions;
  for (size_t i = 0; i < devices.size(); ++i) fits &= devices[i] == static_cast<int64_t>(i);
  if (!fits) {
    *why = absl::StrCat("the mesh has ", devices.size(), " devices, the program ",
                        module_.num_partitions, " partitions");
    return false;
  }
  // What gathers and cuts arrays has a part for each process.
  const absl::Status grid = hlo::CheckGrid({module_.num_replicas, module_.num_partitions});
  *why = std::string(grid.message());
  return grid.ok();
}

// Records that the program cannot be run if the mesh does not fit.
bool Converter::CheckMesh(const Operation& op, const Sharding& sharding) {
  std::string why;
  if (MeshFits(sharding, &why)) return true;
  CannotRun(op.offset, absl::StrCat("'", op.name, "': ", why));
  return false;
}

bool Converter::Sharding::IsSpread() const {
  return std::any_of(dims.begin(), dims.end(), [](const auto& axes) { return !axes.empty(); });
}

std::string Converter::Sharding::Key() const {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& axes : dims) texts.push_back(absl::StrJoin(axes, ","));
  return absl::StrCat(reinterpret_cast<uintptr_t>(mesh), " ", absl::StrJoin(texts, ";"));
}

int64_t Converter::Sharding::Blocks(size_t dim) const {
  int64_t blocks = 1;
  for (size_t a = 0; dim < dims.size() && a < dims[dim].size(); ++a) {
    const auto axis = std::find(mesh->axes.begin(), mesh->axes.end(), dims[dim][a]);
    blocks *= mesh->sizes[static_cast<size_t>(axis - mesh->axes.begin())];
  }
  return blocks;
}

// The place of partition p along one dimension, of Blocks(dim).
int64_t Converter::Sharding::BlockOf(size_t dim, int64_t partition) const {
  const auto at = std::find(mesh->devices.begin(), mesh->devices.end(), partition);
  int64_t rest = at - mesh->devices.begin();
  std::vector<int64_t> place(mesh->sizes.size());
  for (size_t a = mesh->sizes.size(); a-- > 0;) {
    place[a] = rest % mesh->sizes[a];
    rest /= mesh->sizes[a];
  }
  int64_t block = 0;
  for (const std::string& name : dims[dim]) {
    const size_t axis = static_cast<size_t>(std::find(mesh->axes.begin(), mesh->axes.end(), name) -
                                            mesh->axes.begin());
    block = block * mesh->sizes[axis] + place[axis];
  }
  return block;
}

bool Converter::LocalShape(const Operation& op, const Sharding& sharding, Shape* shape) {
  if (!sharding.IsSpread()) return true;
  if (!shape->IsArray() || sharding.dims.size() != shape->dims().size()) {
    return Fail(op, absl::StrCat("a sharding of ", sharding.dims.size(), " dimensions, for ",
                                 shape->ToString()));
  }
  std::vector<int64_t> dims = shape->dims();
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t blocks = sharding.Blocks(d);
    if (dims[d] % blocks != 0) {
      return Fail(op, absl::StrCat("dimension ", d, " of ", shape->ToString(),
                                   " cannot be cut into ", blocks, " blocks"));
    }
    dims[d] /= blocks;
  }
  *shape = shape->WithDims(std::move(dims));
  return true;
}

Converter::Sharding Converter::OtherAxes(const Sharding& sharding, int64_t dim) const {
  Sharding rest;
  rest.mesh = sharding.mesh;
  std::vector<std::string>& axes = rest.dims.emplace_back();
  for (const std::string& axis : sharding.mesh->axes) {
    bool cuts = false;
    for (size_t d = 0; d < sharding.dims.size(); ++d) {
      const auto& cut = sharding.dims[d];
      if (dim < 0 || static_cast<int64_t>(d) == dim)
        cuts = cuts || std::count(cut.begin(), cut.end(), axis) != 0;
    }
    if (!cuts) axes.push_back(axis);
  }
  return rest;
}

// {devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}: the partitions by their blocks, row-major, and
// those that have the same block.
std::string Converter::HloText(const Sharding& sharding) const {
  if (!sharding.IsSpread()) return "{replicated}";
  const Sharding rest = OtherAxes(sharding, -1);
  const int64_t copies = rest.Blocks(0);
  Ints tiles, devices(static_cast<size_t>(module_.num_partitions));
  for (size_t d = 0; d < sharding.dims.size(); ++d) tiles.push_back(sharding.Blocks(d));
  for (int64_t p = 0; p < module_.num_partitions; ++p) {
    int64_t at = 0;
    for (size_t d = 0; d < tiles.size(); ++d) at = at * tiles[d] + sharding.BlockOf(d, p);
    devices[static_cast<size_t>(at * copies + rest.BlockOf(0, p))] = p;
  }
  if (copies > 1) tiles.push_back(copies);
  return absl::StrCat("{devices=[", absl::StrJoin(tiles, ","), "]", absl::StrJoin(devices, ","),
                      copies > 1 ? " last_tile_dim_replicate}" : "}");
}

// Partitions that have the same part of all other dimensions gather the blocks of this one.
hlo::IntLists Converter::GatherGroups(const Sharding& sharding, size_t dim) const {
  hlo::IntLists groups;
  const Sharding rest = OtherAxes(sharding, static_cast<int64_t>(dim));
  for (int64_t replica = 0; replica < module_.num_replicas; ++replica) {
    std::map<int64_t, Ints> by_place;  // on all axes that do not cut this dimension
    for (int64_t p = 0; p < module_.num_partitions; ++p) {
      Ints& group = by_place[rest.BlockOf(0, p)];
      group.resize(static_cast<size_t>(sharding.Blocks(dim)));
      group[static_cast<size_t>(sharding.BlockOf(dim, p))] = replica * module_.num_partitions + p;
    }
    for (auto& [place, group] : by_place) groups.push_back(std::move(group));
  }
  return groups;
}

Instruction* Converter::Whole(Frame& frame, Instruction* part, const Sharding& sharding) {
  Instruction* whole = part;
  for (size_t d = 0; d < sharding.dims.size(); ++d) {
    const int64_t blocks = sharding.Blocks(d);
    if (blocks == 1) continue;
    std::vector<int64_t> dims = whole->shape.dims();
    dims[d] *= blocks;
    hlo::AttrMap attrs;
    attrs.Set(Attr::kDimensions, Ints{static_cast<int64_t>(d)});
    attrs.Set(Attr::kReplicaGroups, GatherGroups(sharding, d));
    attrs.Set(Attr::kChannelId, int64_t{1});
    attrs.Set(Attr::kUseGlobalDeviceIds, true);
    whole = frame.computation->Add(Opcode::kAllGather, whole->shape.WithDims(std::move(dims)),
                                   {whole}, std::move(attrs));
  }
  if (whole != part) {
    parts_[whole].emplace_back(sharding.Key(), part);
    spread_[whole] = sharding;
  }
  return whole;
}

Instruction* Converter::Part(Frame& frame, Instruction* whole, const Sharding& sharding) {
  if (!sharding.IsSpread()) return whole;
  for (const auto& [key, part] : parts_[whole]) {
    if (key == sharding.Key()) return part;
  }
  Graph graph(frame.computation);
  const Term id = ConvertTo(graph.Add(Opcode::kPartitionId, {}), hlo::ElementType::kS32);
  std::vector<Term> operands = {graph.Of(whole)};
  Ints sizes = whole->shape.dims();
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t blocks = sharding.Blocks(d);
    sizes[d] /= blocks;
    Term start = graph.SplatInt(hlo::ElementType::kS32, {}, 0);
    for (int64_t p = 0; blocks > 1 && p < module_.num_partitions; ++p) {
      const int64_t at = sharding.BlockOf(d, p) * sizes[d];
      if (at == 0) continue;
      start = Select(id == Like(id, static_cast<double>(p)),
                     graph.SplatInt(hlo::ElementType::kS32, {}, at), start);
    }
    operands.push_back(start);
  }
  hlo::AttrMap attrs;
  attrs.Set(Attr::kDynamicSliceSizes, sizes);
  const Term part = graph.Add(Opcode::kDynamicSlice, operands, std::move(attrs));
  parts_[whole].emplace_back(sharding.Key(), part.inst);
  return part.inst;
}

// Reads [<@mesh, [{"x"}]>, …]. Axes that are not manual do not cut anything here. Leaves the list
// empty if the computation cannot be run.
bool Converter::ReadManual(const Operation& op, absl::string_view name, size_t count,
                           std::vector<Sharding>* shardings) {
  const Attribute *all = op.Attr(name), *axes = op.Attr("manual_axes");
  if (all == nullptr || axes == nullptr)
    return Fail(op, absl::StrCat("attributes '", name, "' and 'manual_axes' are needed"));
  absl::string_view text = all->text, axes_text = axes->text;
  std::vector<std::string> manual;
  absl::ConsumePrefix(&axes_text, "manual_axes");
  absl::ConsumePrefix(&axes_text, "{");
  absl::ConsumeSuffix(&axes_text, "}");
  if (!ReadAxes(axes_text, &manual)) return Fail(op, "'manual_axes' cannot be read");
  absl::ConsumePrefix(&text, "[");
  absl::ConsumeSuffix(&text, "]");
  for (absl::string_view part : SplitParts(text)) {
    Sharding& sharding = shardings->emplace_back();
    if (!Unwrap(&part, "<", ">") || !ReadSharding(part, &sharding)) {
      CannotRun(all->offset,
                absl::StrCat("'", op.name, "': the sharding ", part, " cannot be run"));
      shardings->clear();
      return true;
    }
    for (std::vector<std::string>& dim : sharding.dims) {
      std::erase_if(dim, [&](const std::string& axis) {
        return std::count(manual.begin(), manual.end(), axis) == 0;
      });
    }
    if (!CheckMesh(op, sharding)) {
      shardings->clear();
      return true;
    }
  }
  if (shardings->size() == count) return true;
  return Fail(op, absl::StrCat("'", name, "' has ", shardings->size(), " shardings for ", count,
                               " values"));
}

}  // namespace halyard::stablehlo
