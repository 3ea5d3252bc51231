// Groups that are axes of a mesh of devices, which the document holds as text (ReadMeshPart in
// read_attributes.cc is the other way).
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "frontend/stablehlo/vhlo/writer.h"

namespace halyard::stablehlo {

using mlir::ByteBuffer;

namespace {

// Takes tokens off the front of a text, with the blanks before them. Once something is not there,
// nothing is anymore.
class Words {
 public:
  explicit Words(absl::string_view text) : rest_(text) {}

  bool Try(absl::string_view word) {
    SkipBlanks();
    return good_ && absl::ConsumePrefix(&rest_, word);
  }
  bool Take(absl::string_view word) { return good_ = Try(word); }
  bool TakeName(absl::string_view name) { return Take(name) && Take("="); }

  bool TakeInteger(int64_t* value) {
    SkipBlanks();
    size_t length = 0;
    while (length < rest_.size() && (absl::ascii_isdigit(rest_[length]) || rest_[length] == '-'))
      ++length;
    good_ = good_ && absl::SimpleAtoi(rest_.substr(0, length), value);
    if (good_) rest_.remove_prefix(length);
    return good_;
  }

  // `"x"`, with MLIR's escapes: `\"`, `\\` and two hexadecimal digits.
  bool TakeString(std::string* text) {
    text->clear();
    if (!Take("\"")) return false;
    while (!rest_.empty() && rest_[0] != '"') {
      if (rest_[0] != '\\') {
        text->push_back(rest_[0]);
        rest_.remove_prefix(1);
        continue;
      }
      rest_.remove_prefix(1);
      if (!rest_.empty() && (rest_[0] == '"' || rest_[0] == '\\')) {
        text->push_back(rest_[0]);
        rest_.remove_prefix(1);
      } else if (rest_.size() >= 2 && absl::ascii_isxdigit(rest_[0]) &&
                 absl::ascii_isxdigit(rest_[1])) {
        *text += absl::HexStringToBytes(rest_.substr(0, 2));
        rest_.remove_prefix(2);
      } else {
        return good_ = false;
      }
    }
    return Take("\"");
  }

  // `@mesh` or `@"a mesh"`.
  bool TakeSymbol(std::string* text) {
    if (!Take("@")) return false;
    if (!rest_.empty() && rest_[0] == '"') return TakeString(text);
    size_t length = 0;
    while (length < rest_.size() && (absl::ascii_isalnum(rest_[length]) || rest_[length] == '_' ||
                                     rest_[length] == '$' || rest_[length] == '.'))
      ++length;
    *text = std::string(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return good_ = length > 0;
  }

  bool Ends() {
    SkipBlanks();
    return good_ && rest_.empty();
  }

 private:
  void SkipBlanks() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }

  absl::string_view rest_;
  bool good_ = true;
};

struct MeshAxis {
  std::string name;
  int64_t size = 0;
};
struct AxisRef {
  std::string name;
  bool is_part = false;
  int64_t pre_size = 0, size = 0;
};
struct MeshAxes {
  std::string symbol;  // of the mesh, or its own
  bool is_symbol = false;
  std::vector<MeshAxis> mesh;
  bool has_devices = false;
  std::vector<int64_t> devices;
  std::vector<AxisRef> axes;
};

// `axes=[<name = "x", size = 2>, …], device_ids=dense<[1, 0]> : tensor<2xi64>`
bool ReadMesh(Words& words, MeshAxes* groups) {
  if (!words.TakeName("axes") || !words.Take("[")) return false;
  while (!words.Try("]")) {
    MeshAxis& axis = groups->mesh.emplace_back();
    if (groups->mesh.size() > 1 && !words.Take(",")) return false;
    words.Try("#stablehlo.mesh_axis");
    if (!words.Take("<") || !words.TakeName("name") || !words.TakeString(&axis.name) ||
        !words.Take(",") || !words.TakeName("size") || !words.TakeInteger(&axis.size) ||
        !words.Take(">")) {
      return false;
    }
  }
  if (!words.Try(",")) return true;
  groups->has_devices = true;
  if (!words.TakeName("device_ids") || !words.Take("dense<")) return false;
  int64_t first = 0;
  if (words.Try("[")) {
    while (!words.Try("]")) {
      if (!groups->devices.empty() && !words.Take(",")) return false;
      if (!words.TakeInteger(&groups->devices.emplace_back())) return false;
    }
  } else if (!words.TakeInteger(&first)) {
    return false;
  }
  int64_t count = 0;
  if (!words.Take(">") || !words.Take(":") || !words.Take("tensor<") ||
      !words.TakeInteger(&count) || !words.Take("xi64>")) {
    return false;
  }
  constexpr int64_t kMostDevices = 1 << 24;
  if (groups->devices.empty() && count > 0 && count <= kMostDevices)
    groups->devices.assign(static_cast<size_t>(count), first);
  return static_cast<int64_t>(groups->devices.size()) == count;
}

// `mesh = …, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, …]`
bool ReadMeshAxes(Words& words, MeshAxes* groups) {
  if (!words.TakeName("mesh")) return false;
  if (words.Try("#stablehlo.mesh<")) {
    if (!ReadMesh(words, groups) || !words.Take(">")) return false;
  } else {
    groups->is_symbol = true;
    if (!words.TakeSymbol(&groups->symbol)) return false;
  }
  if (!words.Take(",") || !words.TakeName("axes") || !words.Take("[")) return false;
  while (!words.Try("]")) {
    AxisRef& axis = groups->axes.emplace_back();
    if (groups->axes.size() > 1 && !words.Take(",")) return false;
    if (!words.Take("#stablehlo.axis_ref<") || !words.TakeName("name") ||
        !words.TakeString(&axis.name)) {
      return false;
    }
    axis.is_part = words.Try(",");
    if (axis.is_part && (!words.TakeName("sub_axis_info") || !words.Take("(") ||
                         !words.TakeInteger(&axis.pre_size) || !words.Take(")") ||
                         !words.TakeInteger(&axis.size))) {
      return false;
    }
    if (!words.Take(">")) return false;
  }
  return words.Ends();
}

}  // namespace

bool VhloEncoder::ReplicaGroupMeshAxes(const mlir::Attribute& attribute, uint64_t* id) {
  MeshAxes groups;
  Words words(attribute.text);
  if (!ReadMeshAxes(words, &groups)) {
    return Fail(absl::StrCat("#", attribute.name, " cannot be written: ", TextOf(attribute)));
  }
  uint64_t mesh = String(groups.symbol);
  if (!groups.is_symbol) {
    std::vector<uint64_t> axes;
    for (const MeshAxis& axis : groups.mesh) {
      ByteBuffer bytes;
      bytes.VarInt(String(axis.name));
      bytes.SignedVarInt(axis.size);
      axes.push_back(VhloAttribute(kVhloMeshAxis, bytes.bytes()));
    }
    ByteBuffer bytes;
    bytes.VarInt(Array(axes));
    // An optional attribute: whether it is there is the lowest bit.
    bytes.VarInt(
        groups.has_devices
            ? IntTensor({static_cast<int64_t>(groups.devices.size())}, groups.devices) << 1 | 1
            : 0);
    mesh = VhloAttribute(kVhloMesh, bytes.bytes());
  }
  std::vector<uint64_t> axes;
  for (const AxisRef& axis : groups.axes) {
    ByteBuffer bytes;
    bytes.VarInt(String(axis.name));
    bytes.VarInt(axis.is_part ? 1 : 0);
    if (axis.is_part) {
      ByteBuffer part;
      part.SignedVarInt(axis.pre_size);
      part.SignedVarInt(axis.size);
      bytes.VarInt(VhloAttribute(kVhloSubAxisInfo, part.bytes()));
    }
    axes.push_back(VhloAttribute(kVhloAxisRef, bytes.bytes()));
  }
  ByteBuffer bytes;
  bytes.VarInt(mesh);
  bytes.VarInt(Array(axes));
  *id = VhloAttribute(kVhloReplicaGroupMeshAxes, bytes.bytes());
  return Need(AttributeSince(kVhloReplicaGroupMeshAxes), absl::StrCat("#", attribute.name));
}

}  // namespace halyard::stablehlo
