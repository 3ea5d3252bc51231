// Vulkan devices (1.2 and later), through whatever libvulkan.so.1 the machine has.
#ifndef HALYARD_RUNTIME_VULKAN_VULKAN_H_
#define HALYARD_RUNTIME_VULKAN_VULKAN_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"

namespace halyard::runtime::vulkan {

// Counts the devices that can run kernels: first discrete ones, then integrated, virtual and
// software ones. Returns 0 with OK if there is no driver.
Status CountDevices(uint32_t* count);

// The application's own device, as hy_vulkan_device has it (c_api/halyard_rt.h).
struct ApplicationDevice {
  void* instance = nullptr;
  void* physical_device = nullptr;
  void* device = nullptr;
  void* queue = nullptr;
  uint32_t queue_family = 0, api_version = 0;
  const void* features = nullptr;
  void* get_instance_proc_addr = nullptr;
  void* user = nullptr;
  void (*lock_queue)(void* user) = nullptr;
  void (*unlock_queue)(void* user) = nullptr;

  bool is_given() const { return device != nullptr; }
};

struct Options {
  const char* library =
      nullptr;  // the loader's file; null stands for $HALYARD_LIBVULKAN, else libvulkan.so.1
  // An existing folder in which the driver's compiled pipelines are kept from process to process,
  // in one file for each kind of device. If null, they are not kept. A file that is damaged or
  // belongs to another driver is made again. If writing fails, this only costs time later.
  const char* pipeline_cache_folder = nullptr;
  // Loads VK_LAYER_KHRONOS_validation. Opening gives kFailedPrecondition if it is not installed.
  // Every message goes to `on_message`. Without `on_message`, it is printed to stderr, and the
  // process ends with status 1. $HALYARD_VULKAN_VALIDATION=1 sets this for every device; =sync also
  // looks for hazards.
  bool validation = false;
  void (*on_message)(void* context, const char* message) = nullptr;
  void* context = nullptr;
  // Treats the device's memory as out of the CPU's reach, as on a discrete GPU, so that Upload and
  // Download go through staging.
  bool force_staging = false;
  // Instead of a device that the backend opens. The device's index is then 0.
  ApplicationDevice application;
};

Status OpenDevice(uint32_t index, const Options& options, Device** device);

// Describes the device that OpenDevice would open, without opening it.
Status DescribeDevice(uint32_t index, const Options& options, DeviceInfo* info);

// Returns why CountDevices returned 0, or "" if there are devices. Valid until this thread asks
// again.
const char* DescribeAbsence();

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_VULKAN_H_
