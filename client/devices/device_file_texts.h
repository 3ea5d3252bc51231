// The files of client/devices, compiled in.
#ifndef HALYARD_CLIENT_DEVICES_DEVICE_FILE_TEXTS_H_
#define HALYARD_CLIENT_DEVICES_DEVICE_FILE_TEXTS_H_

#include "absl/types/span.h"

namespace halyard {

struct DeviceFileText {
  const char* name;  // name of the file, without ".device"
  const char* text;
};
extern const absl::Span<const DeviceFileText> kDeviceFiles;

}  // namespace halyard

#endif  // HALYARD_CLIENT_DEVICES_DEVICE_FILE_TEXTS_H_
