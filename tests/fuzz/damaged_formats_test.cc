// Damaged files of formats that need little to be read (damaged_test.cc has the others). They give
// an error or correct contents, and must not cause a crash or a hang. Where a checksum would detect
// all damage, half of the files get the correct checksum for their contents.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "autotuner/bundle/bundle.h"
#include "autotuner/measure/worker.h"
#include "autotuner/records/record_text.h"
#include "client/arrays/npy.h"
#include "client/arrays/npz.h"
#include "codegen/service/frame.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/absl_status.h"
#include "runtime/hash.h"
#include "runtime/kernel_object_format.h"
#include "runtime/program/program.h"
#include "runtime/program/program_format.h"
#include "runtime/x86/object_loader.h"
#include "schedules/schedule.h"
#include "tests/fuzz/damage.h"
#include "tests/runtime/kernel_argument.h"
#include "tests/runtime/program_builder.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halyard {
namespace {

using runtime::ByteSpan;

ByteSpan Span(const std::string& bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

// A file of this process, for readers that take a file name.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* name)
      : path_(absl::StrCat(::testing::TempDir(), "/damaged_", getpid(), "_", name)) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }
  // Writes a new file, because file systems flush one that is overwritten.
  void Write(const std::string& bytes) const {
    std::filesystem::remove(path_);
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  std::string Read() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  const std::string path_;
};

TEST(DamagedForms, HloText) {
  ReadDamaged({"HLO text",
               Sources({"data/fixtures", "frontend/hlo_text/testdata"}, ".hlo"),
               true,
               [](const std::string& bytes) { return hlo_text::ParseModule(bytes, "p").status(); },
               {},
               true});
}

TEST(DamagedForms, HloProto) {
  ReadDamaged(
      {"HLO proto", Sources({"data/fixtures"}, ".hlo.pb"), false,
       [](const std::string& bytes) { return hlo_proto::ParseHloProto(bytes, "p.pb").status(); }});
}

void MendKernelObject(std::string* bytes) {
  constexpr size_t kEnd = runtime::kernel_object_format::kChecksumEnd;
  if (bytes->size() < kEnd) return;
  const uint64_t size = bytes->size();
  memcpy(bytes->data() + 8, &size, sizeof(size));
  const uint64_t sum = runtime::Hash64(bytes->data() + kEnd, bytes->size() - kEnd);
  memcpy(bytes->data() + 16, &sum, sizeof(sum));
}

std::string GpuObject() {
  KernelObjectSpec spec;
  spec.kind = runtime::DeviceKind::kCuda;
  spec.name = "hyk_0123456789abcdef";
  spec.num_inputs = 2;
  spec.num_outputs = 1;
  spec.arguments = {testing::F32Argument(64, 32), testing::F32Argument(64, 32),
                    testing::F32Argument(32, 8)};
  spec.scratch_bytes = 4096;
  spec.modules = {"// PTX text", std::string("\x03\x02\x23\x07 words", 10)};
  for (int i = 0; i < 3; ++i) {
    KernelObjectSpec::LaunchSpec launch;
    launch.module = i % 2;
    launch.entry = absl::StrCat("_kernel_", i);
    launch.arguments = {{runtime::LaunchArgument::Kind::kBuffer, 2, 64, 512, 0},
                        {runtime::LaunchArgument::Kind::kScratch, 0, 256, 1024, 0},
                        {runtime::LaunchArgument::Kind::kScalar, 0, 0, 4, 7}};
    spec.launches.push_back(launch);
  }
  return WriteKernelObject(spec);
}

TEST(DamagedForms, KernelObjects) {
  ReadDamaged({"kernel objects",
               {GpuObject()},
               false,
               [](const std::string& bytes) {
                 runtime::KernelObjectView view;
                 const runtime::Status status = runtime::ParseKernelObject(Span(bytes), &view);
                 if (!status.ok()) return ToAbsl(status);
                 uint64_t sum = 0;  // everything must be readable
                 for (uint32_t i = 0; i < view.num_inputs + view.num_outputs; ++i)
                   sum += view.argument(i).bytes;
                 for (uint32_t i = 0; i < view.num_launches; ++i) sum += view.launch(i).entry.size;
                 for (uint32_t i = 0; i < view.num_modules; ++i) {
                   const ByteSpan module = view.module(i);
                   if (module.size > 0) sum += module.data[0] + module.data[module.size - 1];
                 }
                 volatile uint64_t read = sum;
                 (void)read;
                 return absl::OkStatus();
               },
               MendKernelObject});
}

// Objects from compilers: sections, symbols and relocations of all kinds.
TEST(DamagedForms, X86Objects) {
  const TemporaryFile source("kernel.c"), object("kernel.o");
  source.Write(R"(
extern int outside(int);
extern int elsewhere;
static const int table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
static int counter = 5, zeroed[1000];
static int twice(int x) { return 2 * x; }
int (*const functions[])(int) = {twice, outside};
int run(int x) {
  zeroed[x] += ++counter;
  return functions[x & 1](x) + outside(table[x & 7]) + elsewhere;
}
)");
  std::vector<std::string> sources;
  for (const char* flags : {"-O2 -fPIC", "-O1 -fno-pic -mcmodel=large", "-O0 -fPIC -g"}) {
    ASSERT_EQ(
        system(absl::StrCat("gcc -c ", flags, " -o ", object.path(), " ", source.path()).c_str()),
        0);
    sources.push_back(object.Read());
  }
  ReadDamaged({"x86 objects", sources, false, [](const std::string& bytes) {
                 static int somewhere;
                 runtime::x86::LoadedObject loaded;
                 const runtime::Status status = runtime::x86::LoadObject(
                     Span(bytes), "run", [](const char*, void*) -> void* { return &somewhere; },
                     nullptr, &loaded);
                 if (!status.ok()) return ToAbsl(status);
                 runtime::x86::UnloadObject(&loaded);
                 return absl::OkStatus();
               }});
}

std::string ExampleProgram() {
  testing::ProgramBuilder b("example", 4);
  const auto in = b.Parameter("f32", {2, 3}, 24), out = b.Result("f32", {2, 3}, 24);
  const auto weights = b.Constant(std::string(24, 'w'));
  const auto temp = b.Temp(24), predicate = b.Temp(1, MemorySpace::kHost),
             index = b.Temp(4, MemorySpace::kHost);
  const int32_t kernel = b.Kernel(GpuObject());
  b.Launch(0, kernel, {in, weights}, {temp});
  b.While(0, predicate, 1, 2);
  b.Case(0, index, {3, 2});
  b.Call(0, "target", {index}, {index});
  b.Copy(0, temp, out);
  b.Launch(1, kernel, {temp, in}, {predicate});
  b.Copy(2, weights, temp);
  b.Copy(3, temp, out);
  return b.Write();
}

void MendProgram(std::string* bytes) {
  runtime::program_format::Header header;
  if (bytes->size() < sizeof(header)) return;
  memcpy(&header, bytes->data(), sizeof(header));
  header.total_bytes = bytes->size();
  constexpr size_t kEnd = runtime::program_format::kChecksumEnd;
  if (header.constants_begin < kEnd || header.constants_begin > bytes->size()) return;
  memcpy(bytes->data(), &header, sizeof(header));
  header.checksum = runtime::Hash64(bytes->data() + kEnd, header.constants_begin - kEnd);
  memcpy(bytes->data(), &header, sizeof(header));
}

TEST(DamagedForms, Programs) {
  ReadDamaged({"Programs",
               {ExampleProgram()},
               false,
               [](const std::string& bytes) {
                 runtime::Program* program = nullptr;
                 const runtime::Status status = runtime::Program::Copy(Span(bytes), &program);
                 if (!status.ok()) return ToAbsl(status);
                 uint64_t sum = 0;
                 for (uint32_t i = 0; i < program->num_steps(); ++i)
                   sum += program->String(program->step(i).target).size;
                 volatile uint64_t read = sum;
                 (void)read;
                 program->Destroy();
                 return absl::OkStatus();
               },
               MendProgram});
}

TEST(DamagedForms, Npz) {
  const TemporaryFile file("a.npz");
  std::vector<std::string> sources;
  for (const char* name : {"good", "deflated"}) {
    std::ifstream in(absl::StrCat(HALYARD_SOURCE_DIR, "/tests/client/testdata/", name, ".npz"),
                     std::ios::binary);
    sources.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  ReadDamaged({"npz", sources, false, [&file](const std::string& bytes) {
                 file.Write(bytes);
                 return ReadNpz(file.path()).status();
               }});
}

TEST(DamagedForms, Npy) {
  std::vector<std::string> sources;
  for (const hlo::Shape& shape : {hlo::Shape::Array(hlo::ElementType::kF32, {2, 3}),
                                  hlo::Shape::Array(hlo::ElementType::kS16, {5}),
                                  hlo::Shape::Array(hlo::ElementType::kC128, {})}) {
    const auto bytes =
        static_cast<size_t>(hlo::StorageBytes(shape.element_type()) * shape.NumElements());
    sources.push_back(NpyHeaderFor(shape) + std::string(bytes, 'x'));
  }
  ReadDamaged({"npy", sources, true, [](const std::string& bytes) {
                 absl::StatusOr<NpyHeader> header = ParseNpyHeader(bytes);
                 if (!header.ok()) return header.status();
                 absl::StatusOr<hlo::ElementType> type = NpyElementType(*header);
                 if (!type.ok()) return type.status();
                 const auto there = static_cast<int64_t>(bytes.size()) - header->data_offset;
                 if (header->data_bytes > there) return absl::DataLossError("cut off");
                 const auto* data =
                     reinterpret_cast<const std::byte*>(bytes.data()) + header->data_offset;
                 return NpyToLiteral(*header, *type,
                                     std::vector<std::byte>(data, data + header->data_bytes))
                     .status();
               }});
}

TEST(DamagedForms, Schedules) {
  ReadDamaged(
      {"schedules",
       {"row lanes=64 grain=32768", "elementwise vec=8 grain=0 x=1",
        "contraction m=4 n=16 k=256 order=0 threads=1 pairs=1"},
       true,
       [](const std::string& bytes) { return schedules::Schedule::Parse(bytes).status(); }});
}

std::string Lines(const std::string& path, int64_t count) {
  std::ifstream in(path);
  std::string lines;
  for (std::string line; count-- > 0 && std::getline(in, line);)
    absl::StrAppend(&lines, line, "\n");
  return lines;
}

TEST(DamagedForms, Records) {
  ReadDamaged(
      {"records",
       {Lines(HALYARD_SOURCE_DIR "/autotuner/records/x86.jsonl", 6)},
       true,
       [](const std::string& bytes) { return autotuner::ReadRecordText(bytes, "p").status(); }});
}

autotuner::TrialData ExampleData() {
  autotuner::OutputRule rule;
  rule.type = hlo::ElementType::kF32;
  rule.of_largest = 1e-6;
  autotuner::TrialData data;
  data.cases = {{"plain", {std::string("in\0put", 6), ""}, {std::string(8, 'x')}, {rule}}};
  data.aliases = {{0, 1}};
  return data;
}

lowering::KernelRequest ExampleRequest() {
  lowering::KernelRequest request;
  strcpy(request.device.name, "x86-64-v3");
  request.device.x86_features = runtime::kX86Avx;
  request.hlo = "HloModule m\nENTRY e { ROOT x = f32[8] parameter(0) }\n";
  return request;
}

TEST(DamagedForms, Bundles) {
  const TemporaryFile file("a.bundle");
  {
    auto writer = autotuner::BundleWriter::Create(file.path());
    ASSERT_TRUE(writer.ok()) << writer.status();
    autotuner::BundleIndex index;
    index.program = "m.mlir";
    index.target = "x86:v3";
    autotuner::BundleKernel kernel;
    kernel.name = "dot.1";
    kernel.uses = 2.5;
    kernel.request = ExampleRequest();
    kernel.data = *writer->AddData(ExampleData());
    kernel.candidates.push_back({"plain a=1",
                                 "plain 1",
                                 autotuner::Outcome::kGood,
                                 "",
                                 *writer->AddObject(GpuObject()),
                                 {}});
    index.kernels.push_back(kernel);
    ASSERT_TRUE(writer->Finish(index).ok());
  }
  ReadDamaged({"bundles",
               {file.Read()},
               false,
               [&file](const std::string& bytes) {
                 file.Write(bytes);
                 auto bundle = autotuner::Bundle::Open(file.path());
                 if (!bundle.ok()) return bundle.status();
                 for (const autotuner::BundleKernel& kernel : bundle->index().kernels) {
                   if (absl::Status s = bundle->Data(kernel).status(); !s.ok()) return s;
                   for (const autotuner::BundleCandidate& candidate : kernel.candidates) {
                     if (candidate.outcome != autotuner::Outcome::kGood) continue;
                     if (absl::Status s = bundle->Object(candidate).status(); !s.ok()) return s;
                   }
                 }
                 return absl::OkStatus();
               },
               // The header holds the offset, size and checksum of the index.
               [](std::string* bytes) {
                 uint64_t numbers[3];
                 if (bytes->size() < 32) return;
                 memcpy(numbers, bytes->data() + 8, sizeof(numbers));
                 if (numbers[0] < 32 || numbers[0] > bytes->size()) return;
                 numbers[1] = bytes->size() - numbers[0];
                 numbers[2] = XXH3_64bits(bytes->data() + numbers[0], numbers[1]);
                 memcpy(bytes->data() + 8, numbers, sizeof(numbers));
               }});
}

// Messages between a tuner and its workers, and between a compiler and codegen.
TEST(DamagedForms, Messages) {
  ReadDamaged(
      {"trial data", {autotuner::EncodeData(ExampleData())}, false, [](const std::string& bytes) {
         return autotuner::DecodeData(bytes).status();
       }});
  ReadDamaged({"trial results", {autotuner::EncodeResult({})}, true, [](const std::string& bytes) {
                 return autotuner::DecodeResult(bytes).status();
               }});
  ReadDamaged(
      {"kernel requests", {ExampleRequest().Serialize()}, true, [](const std::string& bytes) {
         return lowering::KernelRequest::Parse(bytes).status();
       }});
  lowering::KernelReply reply;
  reply.object = GpuObject();
  reply.schedule = "row lanes=64";
  ReadDamaged({"kernel replies", {reply.Serialize()}, false, [](const std::string& bytes) {
                 return lowering::KernelReply::Parse(bytes).status();
               }});
  ReadDamaged({"frames",
               {lowering::EncodeFrame({3, absl::StatusCode::kOk, "some bytes"})},
               false,
               [](const std::string& bytes) {
                 lowering::FrameReader reader;
                 reader.Append(bytes);
                 std::optional<lowering::Frame> frame;
                 absl::Status status = reader.Next(&frame);
                 if (status.ok() && !frame.has_value()) return absl::DataLossError("not whole");
                 return status;
               }});
}

}  // namespace
}  // namespace halyard
