// Defines GetPjrtApi, the only symbol that the library exports.
#include "client/pjrt/entry.h"

namespace halyard::pjrt {
namespace {

// Declines the entries that JAX does not need. No entry may be null, because callers do not check.
void AddDeclined(PJRT_Api* api) {
  HALYARD_PJRT_DECLINE(api, PJRT_CopyToDeviceStream_Destroy);
  HALYARD_PJRT_DECLINE(api, PJRT_CopyToDeviceStream_AddChunk);
  HALYARD_PJRT_DECLINE(api, PJRT_CopyToDeviceStream_TotalBytes);
  HALYARD_PJRT_DECLINE(api, PJRT_CopyToDeviceStream_GranuleSize);
  HALYARD_PJRT_DECLINE(api, PJRT_CopyToDeviceStream_CurrentBytes);
  HALYARD_PJRT_DECLINE(api, PJRT_TopologyDescription_Create);
  HALYARD_PJRT_DECLINE(api, PJRT_TopologyDescription_Serialize);
  HALYARD_PJRT_DECLINE(api, PJRT_Compile);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_Destroy);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_TransferData);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_CreateBuffersForAsyncHostToDevice);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_Device);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_BufferCount);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_BufferSize);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_SetBufferError);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_AddMetadata);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_DmaMap);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_DmaUnmap);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_UpdateGlobalProcessInfo);
  HALYARD_PJRT_DECLINE(api, PJRT_TopologyDescription_Deserialize);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_CreateAliasBuffer);
  HALYARD_PJRT_DECLINE(api, PJRT_Client_FulfillAliasBuffer);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncHostToDeviceTransferManager_TransferLiteral);
  HALYARD_PJRT_DECLINE(api, PJRT_Buffer_CopyRawToHostFuture);
  HALYARD_PJRT_DECLINE(api, PJRT_Device_PoisonExecution);
  HALYARD_PJRT_DECLINE(api, PJRT_Device_CreateAsyncTrackingEvent);
  HALYARD_PJRT_DECLINE(api, PJRT_AsyncTrackingEvent_Destroy);
  HALYARD_PJRT_DECLINE(api, PJRT_Buffer_DonateWithControlDependency);
}

PJRT_Api MakeApi() {
  PJRT_Api api = {};
  api.struct_size = PJRT_Api_STRUCT_SIZE;
  api.extension_start = FfiExtension();
  api.pjrt_api_version.struct_size = PJRT_Api_Version_STRUCT_SIZE;
  api.pjrt_api_version.major_version = PJRT_API_MAJOR;
  api.pjrt_api_version.minor_version = PJRT_API_MINOR;
  AddErrorEntries(&api);
  AddEventEntries(&api);
  AddPlatformEntries(&api);
  AddDeviceEntries(&api);
  AddBufferEntries(&api);
  AddTransferEntries(&api);
  AddExecutableEntries(&api);
  AddExecuteEntries(&api);
  AddDeclined(&api);
  return api;
}

}  // namespace
}  // namespace halyard::pjrt

extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  static const PJRT_Api api = halyard::pjrt::MakeApi();
  return &api;
}
