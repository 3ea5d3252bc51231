// Vulkan devices (1.2 and later), through whatever libvulkan.so.1 the machine has.
#ifndef HALYARD_RUNTIME_VULKAN_VULKAN_H_
#define HALYARD_RUNTIME_VULKAN_VULKAN_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/status.h"

namespace halyard::runtime::vulkan {

// Devices that can run kernels: discrete, integrated, virtual, then software ones. 0 with OK where
// there is no driver.
Status CountDevices(uint32_t* count);

struct Options {
  const char* library =
      nullptr;  // the loader's file; null: $HALYARD_LIBVULKAN, else libvulkan.so.1
  // A folder, there already, in which the driver's compiled pipelines are kept from process to
  // process, a file for each kind of device; null: they are not. What is damaged or another
  // driver's is made again; failing to write costs nothing but time later.
  const char* pipeline_cache_folder = nullptr;
  // Loads VK_LAYER_KHRONOS_validation; kFailedPrecondition when it is not installed. Every message
  // goes to `on_message`; without one it is printed to stderr, and the process ends with status 1.
  // $HALYARD_VULKAN_VALIDATION=1 sets this for every device; =sync also looks for hazards.
  bool validation = false;
  void (*on_message)(void* context, const char* message) = nullptr;
  void* context = nullptr;
  // Treats the device's memory as out of the CPU's reach, as on a discrete GPU: Upload and Download
  // go through staging.
  bool force_staging = false;
};

Status OpenDevice(uint32_t index, Device** device);
Status OpenDevice(uint32_t index, const Options& options, Device** device);

// Why CountDevices gave 0; "" when there are devices. Until this thread asks again.
const char* DescribeAbsence();

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_VULKAN_H_
