#include "client/ffi/call_frame.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client/ffi/ffi_api.h"
#include "frontend/hlo/values/element_type.h"
#include "frontend/mlir/parser.h"

namespace halyard::ffi {
namespace {

using hlo::ElementType;
using hlo::Shape;
using mlir::Attribute;
using mlir::AttributeKind;

// Returns nothing for types whose elements XLA packs into bytes.
std::optional<XLA_FFI_DataType> DataTypeOf(ElementType type) {
  switch (type) {
#define HALYARD_SAME(name)   \
  case ElementType::k##name: \
    return XLA_FFI_DataType_##name;
    HALYARD_SAME(S8)
    HALYARD_SAME(S16)
    HALYARD_SAME(S32)
    HALYARD_SAME(S64)
    HALYARD_SAME(U8)
    HALYARD_SAME(U16)
    HALYARD_SAME(U32)
    HALYARD_SAME(U64)
    HALYARD_SAME(F8E3M4)
    HALYARD_SAME(F8E4M3)
    HALYARD_SAME(F8E4M3FN)
    HALYARD_SAME(F8E4M3FNUZ)
    HALYARD_SAME(F8E4M3B11FNUZ)
    HALYARD_SAME(F8E5M2)
    HALYARD_SAME(F8E5M2FNUZ)
    HALYARD_SAME(F8E8M0FNU)
    HALYARD_SAME(BF16)
    HALYARD_SAME(F16)
    HALYARD_SAME(F32)
    HALYARD_SAME(F64)
    HALYARD_SAME(C64)
    HALYARD_SAME(C128)
#undef HALYARD_SAME
    case ElementType::kPred:
      return XLA_FFI_DataType_PRED;
    default:
      return std::nullopt;
  }
}

absl::Status NoForm(absl::string_view what) {
  return absl::UnimplementedError(
      absl::StrCat(what, " cannot be handed to functions of the foreign function interface"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Attributes>> Attributes::Read(absl::string_view dictionary) {
  auto attributes = std::make_unique<Attributes>();
  if (dictionary.empty()) return attributes;
  mlir::Document document(dictionary, "backend_config");
  mlir::Syntax syntax;
  mlir::Parser parser(document, syntax);
  std::vector<mlir::NamedAttribute> entries;
  if (!parser.Is('{') || !parser.ParseAttributeDictionary(&entries) || !parser.Finish()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the configuration is not a dictionary: ", parser.status().message()));
  }
  if (absl::Status status = attributes->Add(std::move(entries)); !status.ok()) return status;
  return attributes;
}

absl::Status Attributes::Add(std::vector<mlir::NamedAttribute> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const mlir::NamedAttribute& entry : entries) {
    const std::string& name = texts_.emplace_back(entry.name);
    names_.push_back(&spans_.emplace_back(XLA_FFI_ByteSpan{name.data(), name.size()}));
    if (absl::Status status = AddValue(*entry.value); !status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat("attribute `", name, "`: ", status.message()));
    }
  }
  return absl::OkStatus();
}

void* Attributes::Scalar(XLA_FFI_DataType type, const void* bytes, size_t size) {
  const auto* first = static_cast<const std::byte*>(bytes);
  std::vector<std::byte>& data = data_.emplace_back(first, first + size);
  types_.push_back(XLA_FFI_AttrType_SCALAR);
  return &scalars_.emplace_back(XLA_FFI_Scalar{type, data.data()});
}

void* Attributes::Array(XLA_FFI_DataType type, size_t count, std::vector<std::byte> bytes) {
  std::vector<std::byte>& data = data_.emplace_back(std::move(bytes));
  types_.push_back(XLA_FFI_AttrType_ARRAY);
  return &arrays_.emplace_back(XLA_FFI_Array{type, count, data.data()});
}

absl::Status Attributes::AddValue(const Attribute& value) {
  switch (value.kind) {
    case AttributeKind::kBool:
      values_.push_back(Scalar(XLA_FFI_DataType_PRED, &value.boolean, 1));
      return absl::OkStatus();
    case AttributeKind::kString: {
      const std::string& text = texts_.emplace_back(value.text);
      types_.push_back(XLA_FFI_AttrType_STRING);
      values_.push_back(&spans_.emplace_back(XLA_FFI_ByteSpan{text.data(), text.size()}));
      return absl::OkStatus();
    }
    case AttributeKind::kDictionary: {
      auto& inner = *nested_.emplace_back(std::make_unique<Attributes>());
      if (absl::Status status = inner.Add(value.entries); !status.ok()) return status;
      types_.push_back(XLA_FFI_AttrType_DICTIONARY);
      values_.push_back(&dictionaries_.emplace_back(inner.Get()));
      return absl::OkStatus();
    }
    case AttributeKind::kInteger:
    case AttributeKind::kFloat: {
      const std::optional<ElementType> element = mlir::ScalarType(*value.type);
      const auto type = element.has_value() ? DataTypeOf(*element) : std::nullopt;
      if (!type.has_value()) return NoForm(absl::StrCat("a ", ToString(*value.type)));
      // The low bytes of `bits` or `integer` hold the number.
      const void* bytes = &value.bits;
      if (value.kind == AttributeKind::kInteger) bytes = &value.integer;
      values_.push_back(Scalar(*type, bytes, hlo::StorageBytes(*element)));
      return absl::OkStatus();
    }
    case AttributeKind::kDense:
    case AttributeKind::kDenseArray: {
      const mlir::DenseData& data = *value.data;
      const auto type = DataTypeOf(data.element_type);
      if (!type.has_value()) return NoForm(absl::StrCat("the array ", ToString(value)));
      std::vector<std::byte> bytes = data.bytes;
      for (int64_t i = 1; data.splat && i < data.count; ++i)
        bytes.insert(bytes.end(), data.bytes.begin(), data.bytes.end());
      values_.push_back(Array(*type, static_cast<size_t>(data.count), std::move(bytes)));
      return absl::OkStatus();
    }
    default:
      return NoForm(ToString(value));
  }
}

XLA_FFI_Attrs Attributes::Get() {
  return {XLA_FFI_Attrs_STRUCT_SIZE,
          nullptr,
          static_cast<int64_t>(values_.size()),
          types_.data(),
          names_.data(),
          values_.data()};
}

absl::StatusOr<std::unique_ptr<CallSite>> CallSite::Read(const std::string& types,
                                                         absl::string_view attributes) {
  auto site = std::make_unique<CallSite>();
  if (!hlo_text::ReadCallTypes(types, &site->types_)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the call has no types that can be read (\"", types,
        "\"): its configuration must be a dictionary, and its api_version API_VERSION_TYPED_FFI"));
  }
  for (auto [shapes, data_types] : {std::pair{&site->types_.operands, &site->operand_types_},
                                    std::pair{&site->types_.results, &site->result_types_}}) {
    for (const Shape& shape : *shapes) {
      const auto type = DataTypeOf(shape.element_type());
      if (!type.has_value()) return NoForm(absl::StrCat("an array ", shape.ToString()));
      data_types->push_back(*type);
    }
  }
  absl::StatusOr<std::unique_ptr<Attributes>> read = Attributes::Read(attributes);
  if (!read.ok()) return read.status();
  site->attributes_ = *std::move(read);
  return site;
}

absl::Status CallSite::Call(XLA_FFI_Handler* handler, XLA_FFI_ExecutionStage stage,
                            const void* const* in, void* const* out) const {
  const size_t operands = operand_types_.size(), results = result_types_.size();
  std::vector<XLA_FFI_Buffer> buffers;
  buffers.reserve(operands + results);
  auto add = [&](XLA_FFI_DataType type, const Shape& shape, const void* data) {
    buffers.push_back({XLA_FFI_Buffer_STRUCT_SIZE, nullptr, type, const_cast<void*>(data),
                       shape.rank(), const_cast<int64_t*>(shape.dims().data())});
  };
  for (size_t i = 0; i < operands; ++i) add(operand_types_[i], types_.operands[i], in[i]);
  for (size_t i = 0; i < results; ++i) {
    add(result_types_[i], types_.results[i], out[i]);
    const int64_t operand = types_.aliases[i];
    if (operand < 0) continue;
    const auto bytes = static_cast<size_t>(types_.results[i].ByteSize());
    if (bytes != 0) std::memcpy(out[i], in[operand], bytes);
    buffers[operand].data = out[i];
  }
  std::vector<void*> pointers;
  for (XLA_FFI_Buffer& buffer : buffers) pointers.push_back(&buffer);
  std::vector<XLA_FFI_ArgType> argument_kinds(operands, XLA_FFI_ArgType_BUFFER);
  std::vector<XLA_FFI_RetType> result_kinds(results, XLA_FFI_RetType_BUFFER);
  static std::atomic<int64_t> runs{0};
  XLA_FFI_ExecutionContext context = {++runs};
  XLA_FFI_CallFrame frame = {};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.api = TheApi();
  frame.ctx = &context;
  frame.stage = stage;
  frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, static_cast<int64_t>(operands),
                argument_kinds.data(), pointers.data()};
  frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, static_cast<int64_t>(results),
                result_kinds.data(), pointers.data() + operands};
  frame.attrs = attributes_->Get();
  absl::Status status = TakeError(handler(&frame));
  absl::Status later = TakeFuture(frame.future);
  return status.ok() ? later : status;
}

absl::Status CheckVersion(XLA_FFI_Handler* handler) {
  XLA_FFI_Metadata metadata = {};
  metadata.struct_size = XLA_FFI_Metadata_STRUCT_SIZE;
  metadata.api_version.struct_size = XLA_FFI_Api_Version_STRUCT_SIZE;
  XLA_FFI_Metadata_Extension extension = {};
  extension.extension_base = {XLA_FFI_Metadata_Extension_STRUCT_SIZE, XLA_FFI_Extension_Metadata,
                              nullptr};
  extension.metadata = &metadata;
  XLA_FFI_CallFrame frame = {};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.extension_start = &extension.extension_base;
  frame.api = TheApi();
  if (absl::Status status = TakeError(handler(&frame)); !status.ok()) return status;
  const int major = metadata.api_version.major_version;
  const int minor = metadata.api_version.minor_version;
  if (major == XLA_FFI_API_MAJOR && minor <= XLA_FFI_API_MINOR) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the function was compiled for version ", major, ".", minor,
                   " of the foreign function interface; Halyard knows ", XLA_FFI_API_MAJOR,
                   ".0 to ", XLA_FFI_API_MAJOR, ".", XLA_FFI_API_MINOR));
}

}  // namespace halyard::ffi
