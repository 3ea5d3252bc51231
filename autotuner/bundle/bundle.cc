#include "autotuner/bundle/bundle.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/worker.h"
#include "autotuner/records/parse_json.h"
#include "frontend/files/read_file.h"
#include "frontend/files/system_error.h"
#include "nlohmann/json.hpp"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard::autotuner {

using lowering::KernelRequest;
using nlohmann::json;

namespace {

constexpr absl::string_view kMagic = "HYBUNDL2";
constexpr absl::string_view kAnyVersion = "HYBUNDL";
constexpr uint64_t kHeadBytes = 32;

uint64_t ChecksumOf(absl::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

absl::Status SystemError(absl::string_view path, absl::string_view what) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": ", what, ": ", SystemErrorText(errno)));
}

std::string HeadOf(const BundleSection& index) {
  const uint64_t numbers[] = {index.offset, index.size, index.checksum};
  return absl::StrCat(kMagic,
                      absl::string_view(reinterpret_cast<const char*>(numbers), sizeof(numbers)));
}

json ToJson(const BundleSection& section) {
  return json::array({section.offset, section.size, section.checksum});
}

json ToJson(const BundleIndex& index) {
  json kernels = json::array();
  for (const BundleKernel& kernel : index.kernels) {
    json candidates = json::array();
    for (const BundleCandidate& candidate : kernel.candidates) {
      json j = {{"schedule", candidate.schedule},
                {"version", candidate.version},
                {"outcome", std::string(OutcomeName(candidate.outcome))}};
      if (candidate.outcome == Outcome::kGood) {
        j["object"] = ToJson(candidate.object);
        if (candidate.resources.known()) j["resources"] = candidate.resources.ToText();
      } else {
        j["error"] = candidate.error;
      }
      candidates.push_back(std::move(j));
    }
    kernels.push_back({{"name", kernel.name},
                       {"uses", kernel.uses},
                       {"request", kernel.request.Serialize()},
                       {"data", ToJson(kernel.data)},
                       {"candidates", std::move(candidates)}});
  }
  return {{"program", index.program},
          {"target", index.target},
          {"versions", index.versions},
          {"created", index.created},
          {"kernels", std::move(kernels)}};
}

// Reads fields from JSON, and remembers the first that is missing or wrong.
class Fields {
 public:
  explicit Fields(std::string* wrong) : wrong_(wrong) {}

  const json& Get(const json& object, const char* name, json::value_t kind) {
    static const json kNone;
    if (object.is_object()) {
      const auto at = object.find(name);
      if (at != object.end() &&
          (at->type() == kind || (kind == json::value_t::number_float && at->is_number())))
        return *at;
    }
    if (wrong_->empty()) *wrong_ = name;
    return kNone;
  }
  std::string Text(const json& object, const char* name) {
    const json& value = Get(object, name, json::value_t::string);
    return value.is_string() ? value.get<std::string>() : "";
  }
  uint64_t Number(const json& object, const char* name) {
    const json& value = Get(object, name, json::value_t::number_unsigned);
    return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
  }
  double Real(const json& object, const char* name) {
    const json& value = Get(object, name, json::value_t::number_float);
    return value.is_number() ? value.get<double>() : 0;
  }
  std::vector<json> List(const json& object, const char* name) {
    const json& value = Get(object, name, json::value_t::array);
    return value.is_array() ? value.get<std::vector<json>>() : std::vector<json>();
  }
  // The section must lie within [kHeadBytes, end).
  BundleSection Section(const json& object, const char* name, uint64_t end) {
    BundleSection section;
    const std::vector<json> numbers = List(object, name);
    bool fine = numbers.size() == 3;
    for (const json& number : numbers) fine = fine && number.is_number_unsigned();
    if (fine) {
      section = {numbers[0].get<uint64_t>(), numbers[1].get<uint64_t>(),
                 numbers[2].get<uint64_t>()};
      fine = section.offset >= kHeadBytes && section.offset <= end &&
             section.size <= end - section.offset;
    }
    if (fine) return section;
    if (wrong_->empty()) *wrong_ = name;
    return {};
  }
  void Require(bool fine, const char* name) {
    if (!fine && wrong_->empty()) *wrong_ = name;
  }

 private:
  std::string* const wrong_;
};

BundleCandidate CandidateFrom(const json& j, uint64_t end, Fields& fields) {
  BundleCandidate candidate;
  candidate.schedule = fields.Text(j, "schedule");
  candidate.version = fields.Text(j, "version");
  const absl::StatusOr<Outcome> outcome = OutcomeNamed(fields.Text(j, "outcome"));
  fields.Require(outcome.ok(), "outcome");
  if (outcome.ok()) candidate.outcome = *outcome;
  if (candidate.outcome == Outcome::kGood) {
    candidate.object = fields.Section(j, "object", end);
    if (j.contains("resources")) {
      const auto resources = lowering::KernelResources::Parse(fields.Text(j, "resources"));
      fields.Require(resources.ok(), "resources");
      if (resources.ok()) candidate.resources = *resources;
    }
  } else {
    candidate.error = fields.Text(j, "error");
  }
  return candidate;
}

BundleKernel KernelFrom(const json& j, uint64_t end, Fields& fields) {
  BundleKernel kernel;
  kernel.name = fields.Text(j, "name");
  kernel.uses = fields.Real(j, "uses");
  fields.Require(std::isfinite(kernel.uses) && kernel.uses >= 0, "uses");
  absl::StatusOr<KernelRequest> request = KernelRequest::Parse(fields.Text(j, "request"));
  fields.Require(request.ok(), "request");
  if (request.ok()) kernel.request = *std::move(request);
  kernel.data = fields.Section(j, "data", end);
  for (const json& candidate : fields.List(j, "candidates"))
    kernel.candidates.push_back(CandidateFrom(candidate, end, fields));
  fields.Require(!kernel.candidates.empty(), "candidates");
  return kernel;
}

// Returns the device's part of a kernel's key, followed by the device's name.
std::string DeviceOf(const KernelRequest& request) {
  KernelRequest device;
  device.device = request.device;
  return absl::StrCat(device.KernelKey(), request.device.name);
}

// Parses the index. All sections must end at `end` or before. The error says what is wrong.
absl::StatusOr<BundleIndex> IndexFrom(absl::string_view text, uint64_t end) {
  const absl::StatusOr<json> parsed = ParseJsonObject<json>(text, "its index");
  if (!parsed.ok()) return absl::DataLossError(parsed.status().message());
  const json& j = *parsed;
  std::string wrong;
  Fields fields(&wrong);
  BundleIndex index;
  index.program = fields.Text(j, "program");
  index.target = fields.Text(j, "target");
  index.versions = fields.Text(j, "versions");
  index.created = static_cast<int64_t>(fields.Number(j, "created") & INT64_MAX);
  for (const json& kernel : fields.List(j, "kernels"))
    index.kernels.push_back(KernelFrom(kernel, end, fields));
  fields.Require(!index.kernels.empty(), "kernels");
  for (const BundleKernel& kernel : index.kernels)
    fields.Require(DeviceOf(kernel.request) == DeviceOf(index.kernels[0].request), "request");
  if (!wrong.empty())
    return absl::DataLossError(absl::StrCat("field \"", wrong, "\" of its index is wrong"));
  return index;
}

}  // namespace

BundleWriter::~BundleWriter() {
  if (file_ != nullptr) unlink(absl::StrCat(path_, ".part").c_str());
}

absl::StatusOr<BundleWriter> BundleWriter::Create(const std::string& path) {
  BundleWriter writer;
  writer.path_ = path;
  writer.file_.reset(fopen(absl::StrCat(path, ".part").c_str(), "wb"));
  if (writer.file_ == nullptr) return SystemError(path, "cannot be written");
  if (absl::StatusOr<BundleSection> head = writer.Add(HeadOf({})); !head.ok()) return head.status();
  return writer;
}

absl::StatusOr<BundleSection> BundleWriter::Add(absl::string_view bytes) {
  if (fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    return SystemError(path_, "cannot be written");
  const BundleSection section = {end_, bytes.size(), ChecksumOf(bytes)};
  end_ += bytes.size();
  return section;
}

absl::StatusOr<BundleSection> BundleWriter::AddData(const TrialData& data) {
  return Add(EncodeData(data));
}
absl::StatusOr<BundleSection> BundleWriter::AddObject(absl::string_view bytes) {
  return Add(bytes);
}

absl::Status BundleWriter::Finish(const BundleIndex& index) {
  const std::string text = ToJson(index).dump(-1, ' ', false, json::error_handler_t::replace);
  absl::StatusOr<BundleSection> section = Add(text);
  if (!section.ok()) return section.status();
  const std::string head = HeadOf(*section);
  if (fseek(file_.get(), 0, SEEK_SET) != 0 ||
      fwrite(head.data(), 1, head.size(), file_.get()) != head.size() || fflush(file_.get()) != 0 ||
      fsync(fileno(file_.get())) != 0 ||
      rename(absl::StrCat(path_, ".part").c_str(), path_.c_str()) != 0) {
    return SystemError(path_, "cannot be written");
  }
  file_.reset();
  return absl::OkStatus();
}

absl::StatusOr<Bundle> Bundle::Open(const std::string& path) {
  auto damaged = [&path](absl::string_view what) {
    return absl::DataLossError(absl::StrCat(path, ": ", what));
  };
  Bundle bundle;
  bundle.path_ = path;
  const absl::StatusOr<int> fd = OpenRegularFile(path);
  if (!fd.ok()) return fd.status();
  bundle.file_.reset(fdopen(*fd, "rb"));
  if (bundle.file_ == nullptr) {
    close(*fd);
    return SystemError(path, "cannot be read");
  }
  char head[kHeadBytes];
  if (fseeko(bundle.file_.get(), 0, SEEK_END) != 0) return SystemError(path, "cannot be read");
  const off_t size = ftello(bundle.file_.get());
  rewind(bundle.file_.get());
  if (size < static_cast<off_t>(kHeadBytes) ||
      fread(head, 1, sizeof(head), bundle.file_.get()) != sizeof(head) ||
      memcmp(head, kAnyVersion.data(), kAnyVersion.size()) != 0) {
    return damaged("no bundle of `halyard tune --plan`");
  }
  if (memcmp(head, kMagic.data(), kMagic.size()) != 0)
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": a bundle of another version of Halyard; plan it anew"));
  bundle.size_ = static_cast<uint64_t>(size);
  uint64_t numbers[3];
  memcpy(numbers, head + kMagic.size(), sizeof(numbers));
  const BundleSection section = {numbers[0], numbers[1], numbers[2]};
  if (section.offset < kHeadBytes || section.offset > bundle.size_ ||
      section.size != bundle.size_ - section.offset) {
    return damaged("its end is missing, or its head is damaged");
  }
  absl::StatusOr<std::string> text = bundle.Read(section, "its index");
  if (!text.ok()) return text.status();
  absl::StatusOr<BundleIndex> index = IndexFrom(*text, section.offset);
  if (!index.ok()) return damaged(index.status().message());
  bundle.index_ = *std::move(index);
  return bundle;
}

absl::StatusOr<std::string> Bundle::Read(const BundleSection& section,
                                         absl::string_view what) const {
  std::string bytes(section.size, '\0');
  if (fseeko(file_.get(), static_cast<off_t>(section.offset), SEEK_SET) != 0 ||
      fread(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    return absl::DataLossError(absl::StrCat(path_, ": ", what, " cannot be read"));
  }
  if (ChecksumOf(bytes) != section.checksum)
    return absl::DataLossError(absl::StrCat(path_, ": ", what, " is damaged"));
  return bytes;
}

absl::StatusOr<TrialData> Bundle::Data(const BundleKernel& kernel) const {
  const std::string what = absl::StrCat("the data of kernel ", kernel.name);
  absl::StatusOr<std::string> bytes = Read(kernel.data, what);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<TrialData> data = DecodeData(*bytes);
  if (!data.ok())
    return absl::DataLossError(absl::StrCat(path_, ": ", what, ": ", data.status().message()));
  return data;
}

absl::StatusOr<std::string> Bundle::Object(const BundleCandidate& candidate) const {
  return Read(candidate.object, absl::StrCat("the object of \"", candidate.schedule, "\""));
}

}  // namespace halyard::autotuner
