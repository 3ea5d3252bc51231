// The extension that registers functions of XLA's foreign function interface.
#include "absl/strings/str_cat.h"
#include "client/ffi/ffi_api.h"
#include "client/ffi/handler.h"
#include "client/pjrt/entry.h"
#include "client/pjrt/platform.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_extension.h"

namespace halyard::pjrt {
namespace {

absl::Status RegisterType(PJRT_FFI_Type_Register_Args& args) {
  HALYARD_PJRT_NEED_LIST(args.type_name, args.type_name_size);
  XLA_FFI_TypeId id = {args.type_id};
  XLA_FFI_Type_Register_Args type = {};
  type.struct_size = XLA_FFI_Type_Register_Args_STRUCT_SIZE;
  type.name = {args.type_name, args.type_name_size};
  type.type_id = &id;
  absl::Status status = ffi::TakeError(ffi::TheApi()->XLA_FFI_Type_Register(&type));
  args.type_id = id.type_id;
  return status;
}

absl::Status RegisterHandler(PJRT_FFI_Register_Handler_Args& args) {
  HALYARD_PJRT_NEED_LIST(args.platform_name, args.platform_name_size);
  HALYARD_PJRT_NEED_LIST(args.target_name, args.target_name_size);
  const absl::string_view platform(args.platform_name, args.platform_name_size);
  if (platform != kPlatformName) {
    return absl::InvalidArgumentError(absl::StrCat("a function for the platform \"", platform,
                                                   "\", not \"", kPlatformName, "\""));
  }
  return RegisterFfiHandler(absl::string_view(args.target_name, args.target_name_size),
                            reinterpret_cast<XLA_FFI_Handler*>(args.handler));
}

PJRT_FFI_Extension MakeExtension() {
  PJRT_FFI_Extension extension = {};
  extension.base = {PJRT_FFI_Extension_STRUCT_SIZE, PJRT_Extension_Type_FFI, nullptr};
  extension.type_register = [](PJRT_FFI_Type_Register_Args* args) noexcept -> PJRT_Error* {
    return Guard("PJRT_FFI_Type_Register", args, PJRT_FFI_Type_Register_Args_STRUCT_SIZE,
                 RegisterType);
  };
  extension.user_data_add = [](PJRT_FFI_UserData_Add_Args*) noexcept -> PJRT_Error* {
    return ToError(absl::UnimplementedError("PJRT_FFI_UserData_Add is not supported"));
  };
  // The last field of the struct is optional.
  extension.register_handler = [](PJRT_FFI_Register_Handler_Args* args) noexcept -> PJRT_Error* {
    return Guard("PJRT_FFI_Register_Handler", args,
                 PJRT_STRUCT_SIZE(PJRT_FFI_Register_Handler_Args, platform_name_size),
                 RegisterHandler);
  };
  return extension;
}

}  // namespace

PJRT_Extension_Base* FfiExtension() {
  static PJRT_FFI_Extension extension = MakeExtension();
  return &extension.base;
}

}  // namespace halyard::pjrt
