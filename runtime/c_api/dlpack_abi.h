// The structs of DLPack, an interface for arrays of other libraries, as its specification has them
// (versions 0.8 and 1.0). The names are those of dlpack.h, because halyard_rt.h declares two of
// them; an application includes its own dlpack.h.
#ifndef HALYARD_RUNTIME_C_API_DLPACK_ABI_H_
#define HALYARD_RUNTIME_C_API_DLPACK_ABI_H_

#include <stdint.h>

namespace halyard::runtime::dlpack {

// DLDeviceType.
enum DeviceType : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kVulkan = 7,
  kCudaManaged = 13,
};

// DLDataTypeCode. Complex numbers count as one element of both parts' bits.
enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E3M4 = 7,
  kFloat8E4M3 = 8,
  kFloat8E4M3B11Fnuz = 9,
  kFloat8E4M3Fn = 10,
  kFloat8E4M3Fnuz = 11,
  kFloat8E5M2 = 12,
  kFloat8E5M2Fnuz = 13,
  kFloat8E8M0Fnu = 14,
};

// DLDevice, DLDataType and DLTensor.
struct Device {
  int32_t type;
  int32_t id;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  int32_t rank;
  DataType type;
  int64_t* shape;
  int64_t* strides;  // in elements; null: dense and row-major
  uint64_t byte_offset;
};

// DLPackVersion.
struct Version {
  uint32_t major, minor;
};
inline constexpr Version kVersion{1, 0};
// Flags of a versioned tensor.
inline constexpr uint64_t kReadOnly = 1, kIsCopied = 2;

}  // namespace halyard::runtime::dlpack

extern "C" {

struct DLManagedTensor {
  halyard::runtime::dlpack::Tensor tensor;
  void* manager;
  void (*deleter)(DLManagedTensor* self);  // may be null
};

struct DLManagedTensorVersioned {
  halyard::runtime::dlpack::Version version;
  void* manager;
  void (*deleter)(DLManagedTensorVersioned* self);  // may be null
  uint64_t flags;
  halyard::runtime::dlpack::Tensor tensor;
};

}  // extern "C"

#endif  // HALYARD_RUNTIME_C_API_DLPACK_ABI_H_
