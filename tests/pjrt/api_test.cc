// The table of the C API: it is complete, it checks arguments, and it is the library's only export.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "tests/pjrt/plugin.h"
#include "tests/pjrt/programs.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_extension.h"

namespace halyard::testing {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Api, IsComplete) {
  EXPECT_EQ(Api().struct_size, PJRT_Api_STRUCT_SIZE);
  EXPECT_EQ(Api().pjrt_api_version.major_version, PJRT_API_MAJOR);
  EXPECT_EQ(Api().pjrt_api_version.minor_version, PJRT_API_MINOR);
  // jaxlib calls every entry that the version promises without a check.
  const char* const begin = reinterpret_cast<const char*>(&Api().PJRT_Error_Destroy);
  const char* const end = reinterpret_cast<const char*>(&Api()) + PJRT_Api_STRUCT_SIZE;
  int entries = 0;
  for (const char* at = begin; at < end; at += sizeof(void*)) {
    void* entry;
    std::memcpy(&entry, at, sizeof(entry));
    EXPECT_NE(entry, nullptr) << "entry " << entries;
    ++entries;
  }
  EXPECT_GT(entries, 120);
}

TEST(Api, ExportsOneSymbol) {
  FILE* pipe = popen("nm -D --defined-only " HALYARD_PLUGIN, "r");
  ASSERT_NE(pipe, nullptr);
  std::vector<std::string> symbols;
  char line[512];
  while (std::fgets(line, sizeof(line), pipe) != nullptr) symbols.push_back(line);
  ASSERT_EQ(pclose(pipe), 0);
  EXPECT_THAT(symbols, ElementsAre(HasSubstr(" T GetPjrtApi")));
}

TEST(Api, ShortStructsAreRefused) {
  auto args = PJRT_NEW(PJRT_Client_PlatformName_Args);
  args.struct_size -= 1;
  const absl::Status status = Take(Api().PJRT_Client_PlatformName(&args));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("PJRT_Client_PlatformName"));
  // A longer struct comes from a newer caller.
  args.struct_size += 100;
  EXPECT_TRUE(Take(Api().PJRT_Client_PlatformName(&args)).ok());
}

// The caller may use another header. No entry may read or write a field beyond the caller's struct.
TEST(Api, NoEntryTakesAStructOfNoSize) {
  using Entry = PJRT_Error* (*)(void*);
  const char* const first = reinterpret_cast<const char*>(&Api().PJRT_Error_GetCode);
  const char* const end = reinterpret_cast<const char*>(&Api()) + PJRT_Api_STRUCT_SIZE;
  int entries = 0;
  for (const char* at = first; at < end; at += sizeof(void*)) {
    Entry entry;
    std::memcpy(&entry, at, sizeof(entry));
    size_t args[64] = {sizeof(size_t)};  // struct_size is the first field of every struct
    for (size_t i = 1; i < 64; ++i) args[i] = 0xabababababababab;
    const absl::Status refused = Take(entry(args));
    EXPECT_THAT(refused.code(),
                AnyOf(absl::StatusCode::kInvalidArgument, absl::StatusCode::kUnimplemented))
        << "entry " << entries << ": " << refused;
    for (size_t i = 1; i < 64; ++i)
      ASSERT_EQ(args[i], 0xabababababababab) << "entry " << entries << " wrote word " << i;
    ++entries;
  }
  EXPECT_GT(entries, 120);
}

// These two cannot refuse it.
TEST(Api, ErrorsTakeNoShortStructs) {
  PJRT_Error* const error = Api().PJRT_Client_PlatformName(nullptr);
  auto message = PJRT_NEW(PJRT_Error_Message_Args);
  message.struct_size = PJRT_STRUCT_SIZE(PJRT_Error_Message_Args, error);
  message.error = error;
  message.message = "of the caller";
  Api().PJRT_Error_Message(&message);
  EXPECT_STREQ(message.message, "of the caller");
  auto destroy = PJRT_NEW(PJRT_Error_Destroy_Args);
  destroy.struct_size = sizeof(size_t);
  destroy.error = error;
  Api().PJRT_Error_Destroy(&destroy);
  EXPECT_EQ(Take(error).message(), "PJRT_Client_PlatformName: no arguments");
}

TEST(Api, MissingHandlesAreErrors) {
  auto args = PJRT_NEW(PJRT_Buffer_Dimensions_Args);
  EXPECT_EQ(Take(Api().PJRT_Buffer_Dimensions(&args)).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Take(Api().PJRT_Buffer_Dimensions(nullptr)).code(), absl::StatusCode::kInvalidArgument);
}

TEST(Api, MissingTextsOfEventsAreErrors) {
  auto create = PJRT_NEW(PJRT_Event_Create_Args);
  ASSERT_TRUE(Take(Api().PJRT_Event_Create(&create)).ok());
  const Event event(create.event);
  auto set = PJRT_NEW(PJRT_Event_Set_Args);
  set.event = event.get();
  set.error_code = PJRT_Error_Code_ABORTED;
  set.error_message_size = 4;
  ExpectMissing(Api().PJRT_Event_Set(&set), "args.error_message");
  EXPECT_FALSE(event.IsReady());
  set.error_message = "gone";
  ASSERT_TRUE(Take(Api().PJRT_Event_Set(&set)).ok());
  EXPECT_EQ(event.Await(), absl::AbortedError("gone"));
}

TEST(Api, MissingNamesOfFunctionsAreErrors) {
  const auto& ffi = *reinterpret_cast<const PJRT_FFI_Extension*>(Api().extension_start);
  ASSERT_EQ(ffi.base.type, PJRT_Extension_Type_FFI);
  auto function = PJRT_NEW(PJRT_FFI_Register_Handler_Args);
  function.platform_name_size = 7;
  ExpectMissing(ffi.register_handler(&function), "args.platform_name");
  function.platform_name = "halyard";
  function.target_name_size = 4;
  ExpectMissing(ffi.register_handler(&function), "args.target_name");
  auto type = PJRT_NEW(PJRT_FFI_Type_Register_Args);
  type.type_name_size = 4;
  ExpectMissing(ffi.type_register(&type), "args.type_name");
}

TEST(Api, WhatIsMissingIsNamed) {
  auto args = PJRT_NEW(PJRT_Client_DmaMap_Args);
  const absl::Status status = Take(Api().PJRT_Client_DmaMap(&args));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("PJRT_Client_DmaMap"));
}

TEST(Api, AsksForStableHlo) {
  auto args = PJRT_NEW(PJRT_Plugin_Attributes_Args);
  ASSERT_TRUE(Take(Api().PJRT_Plugin_Attributes(&args)).ok());
  ASSERT_EQ(args.num_attributes, 2u);
  EXPECT_EQ(std::string(args.attributes[0].name, args.attributes[0].name_size),
            "stablehlo_current_version");
  EXPECT_EQ(args.attributes[0].value_size, 3u);
  EXPECT_EQ(args.attributes[0].int64_array_value[0], 1);
  EXPECT_GE(args.attributes[0].int64_array_value[1], 17);
}

TEST(ClientOptions, AreChecked) {
  const auto code = [](const PJRT_NamedValue& option) {
    return Platform::Create({option}).status();
  };
  EXPECT_THAT(code(StringOption("colour", "red")).message(), HasSubstr("`colour`"));
  EXPECT_THAT(code(IntOption("target", 3)).message(), HasSubstr("`target` must be a string"));
  EXPECT_THAT(code(StringOption("threads", "many")).message(), HasSubstr("`threads`"));
  EXPECT_THAT(code(IntOption("device", -1)).message(), HasSubstr("`device`"));
  EXPECT_THAT(code(StringOption("target", "abacus")).message(), HasSubstr("abacus"));
  EXPECT_THAT(code(StringOption("target", "reference")).message(), HasSubstr("`reference`"));
  EXPECT_TRUE(Platform::Create({StringOption("target", "x86"), StringOption("threads", "1")}).ok());
}

TEST(ClientOptions, MissingPartsAreErrors) {
  auto args = PJRT_NEW(PJRT_Client_Create_Args);
  args.num_options = 2;
  ExpectMissing(Api().PJRT_Client_Create(&args), "args.create_options");
  PJRT_NamedValue option = StringOption("target", "x86");
  args.create_options = &option;
  args.num_options = 1;
  option.string_value = nullptr;
  ExpectMissing(Api().PJRT_Client_Create(&args), "value.string_value");
  option.name = nullptr;
  ExpectMissing(Api().PJRT_Client_Create(&args), "value.name");
  option = StringOption("target", "x86");
  option.struct_size = PJRT_STRUCT_SIZE(PJRT_NamedValue, type);
  const absl::Status shorter = Platform::Create({option}).status();
  EXPECT_EQ(shorter.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(shorter.message(), HasSubstr("PJRT_NamedValue: the argument struct has"));
}

TEST(ClientOptions, DescribeTheDevice) {
  auto platform = Platform::Create({StringOption("target", "x86")});
  ASSERT_TRUE(platform.ok()) << platform.status();
  auto lookup = PJRT_NEW(PJRT_Client_LookupDevice_Args);
  lookup.client = (*platform)->get();
  lookup.id = 1;
  EXPECT_EQ(Take(Api().PJRT_Client_LookupDevice(&lookup)).code(),
            absl::StatusCode::kInvalidArgument);
  lookup.id = 0;
  ASSERT_TRUE(Take(Api().PJRT_Client_LookupDevice(&lookup)).ok());
  auto description = PJRT_NEW(PJRT_Device_GetDescription_Args);
  description.device = lookup.device;
  ASSERT_TRUE(Take(Api().PJRT_Device_GetDescription(&description)).ok());
  auto text = PJRT_NEW(PJRT_DeviceDescription_DebugString_Args);
  text.device_description = description.device_description;
  ASSERT_TRUE(Take(Api().PJRT_DeviceDescription_DebugString(&text)).ok());
  EXPECT_THAT(std::string(text.debug_string, text.debug_string_size), HasSubstr("target=x86"));
}

}  // namespace
}  // namespace halyard::testing
