// The client of the C API, its devices with a memory each, and their descriptions. All of it is
// immutable once made, and thread-safe.
#ifndef HALYARD_CLIENT_PJRT_PLATFORM_H_
#define HALYARD_CLIENT_PJRT_PLATFORM_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "client/api/client.h"
#include "client/pjrt/entry.h"

struct PJRT_DeviceDescription {
  int id = 0;
  std::string kind, debug_string, to_string;
};

struct PJRT_Memory {
  PJRT_Device* device = nullptr;
  std::string debug_string, to_string;
};

struct PJRT_Device {
  PJRT_Client* client = nullptr;
  PJRT_DeviceDescription description;
  PJRT_Memory* memory = nullptr;
};

struct PJRT_TopologyDescription {
  std::string platform_version;
  std::vector<PJRT_DeviceDescription*> devices;
};

// Buffers and executables hold a reference, so the handle may be destroyed first.
struct PJRT_Client {
  std::unique_ptr<halyard::Client> client;
  // One for each logical device of the client, whose number is the id.
  std::vector<PJRT_Memory> all_memories;
  std::vector<PJRT_Device> all_devices;
  PJRT_TopologyDescription topology;
  // Entries hand out pointers to these arrays.
  std::vector<PJRT_Device*> devices;
  std::vector<PJRT_Memory*> memories;
  std::shared_ptr<PJRT_Client> self;   // the handle's reference; gone after PJRT_Client_Destroy
  std::atomic<bool> destroyed{false};  // set by PJRT_Client_Destroy

  bool is_x86() const;
  int num_devices() const { return static_cast<int>(devices.size()); }
};

namespace halyard::pjrt {

inline constexpr absl::string_view kPlatformName = "halyard";
inline constexpr absl::string_view kMemoryKind = "device";

// Reads the options of PJRT_Client_Create: `target`, `device`, `num_devices`, `threads` and
// `cache_dir`. Numbers may also be strings. Returns InvalidArgument with the name of an option that
// is unknown or of the wrong type. `python_callback` is not for users: Python's half of the plugin
// passes the address of a PythonDoor (python_callback.h) in it.
absl::Status ReadClientOptions(const PJRT_NamedValue* values, size_t count, ClientOptions* options,
                               int64_t* python_door);

}  // namespace halyard::pjrt

#endif  // HALYARD_CLIENT_PJRT_PLATFORM_H_
