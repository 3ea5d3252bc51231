#include "lowering/kernels/kernel_request.h"

#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "lowering_source_hash.h"
#include "runtime/device_fields.h"

namespace halyard::lowering {
namespace {

using runtime::DeviceInfo;

constexpr absl::string_view kMagic = "halyard-kernel-request 2";
constexpr absl::string_view kReplyMagic = "halyard-kernel-reply 4";

std::string DeviceText(DeviceInfo device, bool key_only) {
  std::string text;
  if (key_only) device.libraries &= runtime::kKernelLibraries;
  runtime::VisitDeviceFields(device, [&](absl::string_view name, auto value, bool in_key) {
    if (key_only && !in_key) return;
    absl::StrAppend(&text, text.empty() ? "" : " ", name, "=", static_cast<uint64_t>(value));
  });
  return text;
}

absl::Status ParseDevice(absl::string_view text, bool key_only, DeviceInfo* device) {
  std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipEmpty());
  size_t next = 0;
  absl::Status status;
  runtime::VisitDeviceFields(*device, [&](absl::string_view name, auto& field, bool in_key) {
    if (!status.ok() || (key_only && !in_key)) return;
    uint64_t value;
    absl::string_view word = next < words.size() ? words[next++] : absl::string_view();
    if (!absl::ConsumePrefix(&word, name) || !absl::ConsumePrefix(&word, "=") ||
        !absl::SimpleAtoi(word, &value) || !runtime::SetDeviceField(value, &field)) {
      status = absl::InvalidArgumentError(absl::StrCat("kernel request: device field ", name));
    }
  });
  if (status.ok() && next != words.size()) {
    status = absl::InvalidArgumentError("kernel request: unknown device field");
  }
  return status;
}

std::string AliasText(const std::vector<std::pair<int32_t, int32_t>>& aliases) {
  return absl::StrJoin(aliases, ",", [](std::string* out, const std::pair<int32_t, int32_t>& a) {
    absl::StrAppend(out, a.first, ":", a.second);
  });
}

absl::Status ParseAliases(absl::string_view text,
                          std::vector<std::pair<int32_t, int32_t>>* aliases) {
  for (absl::string_view pair : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    std::vector<absl::string_view> sides = absl::StrSplit(pair, ':');
    int32_t output, input;
    if (sides.size() != 2 || !absl::SimpleAtoi(sides[0], &output) ||
        !absl::SimpleAtoi(sides[1], &input)) {
      return absl::InvalidArgumentError(absl::StrCat("kernel request: alias `", pair, "`"));
    }
    aliases->push_back({output, input});
  }
  return absl::OkStatus();
}

// Takes the line `name VALUE` off the front of `bytes`.
absl::StatusOr<std::string> TakeField(absl::string_view name, absl::string_view* bytes) {
  size_t end = bytes->find('\n');
  absl::string_view line = bytes->substr(0, end);
  if (end == absl::string_view::npos || !absl::ConsumePrefix(&line, name) ||
      !absl::ConsumePrefix(&line, " ")) {
    return absl::InvalidArgumentError(absl::StrCat("kernel request: no field `", name, "`"));
  }
  bytes->remove_prefix(end + 1);
  std::string value;
  if (!absl::CUnescape(line, &value)) {
    return absl::InvalidArgumentError(absl::StrCat("kernel request: escapes of `", name, "`"));
  }
  return value;
}

void AddField(absl::string_view name, absl::string_view value, std::string* out) {
  absl::StrAppend(out, name, " ", absl::CEscape(value), "\n");
}

// `name SIZE\n`, followed by SIZE bytes of any value.
void AddBlock(absl::string_view name, absl::string_view value, std::string* out) {
  absl::StrAppend(out, name, " ", value.size(), "\n", value);
}

absl::Status TakeBlock(absl::string_view name, absl::string_view* bytes, std::string* value) {
  absl::StatusOr<std::string> size_text = TakeField(name, bytes);
  if (!size_text.ok()) return size_text.status();
  uint64_t size;
  if (!absl::SimpleAtoi(*size_text, &size) || size > bytes->size()) {
    return absl::InvalidArgumentError(absl::StrCat("kernel reply: size of `", name, "`"));
  }
  *value = std::string(bytes->substr(0, size));
  bytes->remove_prefix(size);
  return absl::OkStatus();
}

}  // namespace

std::string KernelRequest::Serialize() const {
  std::string out = absl::StrCat(kMagic, "\n");
  AddField("device-name", absl::string_view(device.name, strnlen(device.name, sizeof(device.name))),
           &out);
  AddField("device", DeviceText(device, /*key_only=*/false), &out);
  AddField("schedule", schedule, &out);
  AddField("aliases", AliasText(aliases), &out);
  AddField("dump", dump ? "1" : "0", &out);
  AddField("describe", describe ? "1" : "0", &out);
  return absl::StrCat(out, hlo);
}

absl::StatusOr<KernelRequest> KernelRequest::Parse(absl::string_view bytes) {
  if (!absl::ConsumePrefix(&bytes, kMagic) || !absl::ConsumePrefix(&bytes, "\n")) {
    return absl::InvalidArgumentError("kernel request: not one, or of another version");
  }
  KernelRequest request;
  absl::StatusOr<std::string> name = TakeField("device-name", &bytes);
  if (!name.ok()) return name.status();
  if (name->size() >= sizeof(request.device.name)) {
    return absl::InvalidArgumentError("kernel request: device-name is too long");
  }
  memcpy(request.device.name, name->data(), name->size());
  absl::StatusOr<std::string> device = TakeField("device", &bytes);
  if (!device.ok()) return device.status();
  if (absl::Status s = ParseDevice(*device, /*key_only=*/false, &request.device); !s.ok()) return s;
  absl::StatusOr<std::string> schedule = TakeField("schedule", &bytes);
  if (!schedule.ok()) return schedule.status();
  request.schedule = *std::move(schedule);
  absl::StatusOr<std::string> aliases = TakeField("aliases", &bytes);
  if (!aliases.ok()) return aliases.status();
  if (absl::Status s = ParseAliases(*aliases, &request.aliases); !s.ok()) return s;
  absl::StatusOr<std::string> dump = TakeField("dump", &bytes);
  if (!dump.ok()) return dump.status();
  request.dump = *dump == "1";
  absl::StatusOr<std::string> describe = TakeField("describe", &bytes);
  if (!describe.ok()) return describe.status();
  request.describe = *describe == "1";
  request.hlo = std::string(bytes);
  return request;
}

std::string KernelRequest::KernelKey() const {
  return absl::StrCat("device ", DeviceText(device, /*key_only=*/true), "\naliases ",
                      AliasText(aliases), "\n", hlo);
}

absl::StatusOr<KernelRequest> KernelRequest::OfKernelKey(absl::string_view key) {
  KernelRequest request;
  absl::StatusOr<std::string> device = TakeField("device", &key);
  if (!device.ok()) return device.status();
  if (absl::Status s = ParseDevice(*device, /*key_only=*/true, &request.device); !s.ok()) return s;
  absl::StatusOr<std::string> aliases = TakeField("aliases", &key);
  if (!aliases.ok()) return aliases.status();
  if (absl::Status s = ParseAliases(*aliases, &request.aliases); !s.ok()) return s;
  request.hlo = std::string(key);
  return request;
}

absl::string_view HalideVersion() { return HALYARD_HALIDE_VERSION; }

std::string KernelRequest::ObjectKey(absl::string_view assembler) const {
  return absl::StrCat("halide ", HALYARD_HALIDE_VERSION, "\nsources ", HALYARD_LOWERING_SOURCE_HASH,
                      "\nschedule ", absl::CEscape(schedule), "\nassembler ",
                      absl::CEscape(assembler), "\n", KernelKey());
}

std::string KernelReply::Serialize() const {
  std::string out = absl::StrCat(kReplyMagic, "\n");
  AddBlock("object", object, &out);
  AddBlock("schedule", schedule, &out);
  AddBlock("space", space, &out);
  AddBlock("resources", resources.ToText(), &out);
  AddBlock("warning", warning, &out);
  AddBlock("hlo", dump.hlo, &out);
  AddBlock("algorithm", dump.algorithm, &out);
  AddBlock("dump-schedule", dump.schedule, &out);
  AddBlock("stmt", dump.stmt, &out);
  AddBlock("llvm", dump.llvm, &out);
  AddBlock("assembly", dump.assembly, &out);
  return out;
}

absl::StatusOr<KernelReply> KernelReply::Parse(absl::string_view bytes) {
  if (!absl::ConsumePrefix(&bytes, kReplyMagic) || !absl::ConsumePrefix(&bytes, "\n")) {
    return absl::InvalidArgumentError("kernel reply: not one, or of another version");
  }
  KernelReply reply;
  std::string resources;
  for (auto [name, field] : {std::pair<const char*, std::string*>{"object", &reply.object},
                             {"schedule", &reply.schedule},
                             {"space", &reply.space},
                             {"resources", &resources},
                             {"warning", &reply.warning},
                             {"hlo", &reply.dump.hlo},
                             {"algorithm", &reply.dump.algorithm},
                             {"dump-schedule", &reply.dump.schedule},
                             {"stmt", &reply.dump.stmt},
                             {"llvm", &reply.dump.llvm},
                             {"assembly", &reply.dump.assembly}}) {
    if (absl::Status s = TakeBlock(name, &bytes, field); !s.ok()) return s;
  }
  absl::StatusOr<KernelResources> parsed = KernelResources::Parse(resources);
  if (!parsed.ok()) return parsed.status();
  reply.resources = *parsed;
  return reply;
}

}  // namespace halyard::lowering
