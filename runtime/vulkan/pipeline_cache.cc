#include "runtime/vulkan/pipeline_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/hash.h"
#include "runtime/host.h"

namespace halyard::runtime::vulkan {
namespace {

struct PipelineFileHeader {
  char magic[8];   // kMagic
  uint64_t bytes;  // number of bytes that follow
  uint64_t hash;   // of the bytes that follow
};
constexpr char kMagic[8] = {'H', 'Y', 'V', 'K', 'P', 'I', 'P', '1'};

bool ReadAll(int file, void* data, uint64_t bytes) {
  uint8_t* at = static_cast<uint8_t*>(data);
  while (bytes != 0) {
    const ssize_t n = read(file, at, bytes);
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<uint64_t>(n);
  }
  return true;
}

bool WriteAll(int file, const void* data, uint64_t bytes) {
  const uint8_t* at = static_cast<const uint8_t*>(data);
  while (bytes != 0) {
    const ssize_t n = write(file, at, bytes);
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<uint64_t>(n);
  }
  return true;
}

}  // namespace

Status PipelineCache::Init(const Api* api, VkDevice device,
                           const VkPhysicalDeviceProperties& properties, const char* folder) {
  api_ = api;
  device_ = device;
  vendor_ = properties.vendorID;
  model_ = properties.deviceID;
  memcpy(uuid_, properties.pipelineCacheUUID, sizeof(uuid_));
  if (folder != nullptr && folder[0] != 0) {
    char hex[2 * VK_UUID_SIZE + 1];
    for (uint32_t i = 0; i < VK_UUID_SIZE; ++i) snprintf(hex + 2 * i, 3, "%02x", uuid_[i]);
    const int length = snprintf(path_, sizeof(path_), "%s/vulkan-%08x-%08x-%s.pipelines", folder,
                                vendor_, model_, hex);
    if (length < 0 || length + 32 >= static_cast<int>(sizeof(path_))) path_[0] = 0;
  }
  gpu::Array<uint8_t> data;
  VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (Read(&data)) {
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    if (api->CreatePipelineCache(device, &info, nullptr, &cache_) == VK_SUCCESS) {
      loaded_hash_ = Hash64(data.data(), data.size());
      return Status();
    }
    info.initialDataSize = 0;
  }
  return ToStatus(api->CreatePipelineCache(device, &info, nullptr, &cache_),
                  "vkCreatePipelineCache");
}

bool PipelineCache::Read(gpu::Array<uint8_t>* data) const {
  if (path_[0] == 0) return false;
  const int file = open(path_, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  struct stat about;
  PipelineFileHeader header;
  const bool good =
      fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
      ReadAll(file, &header, sizeof(header)) && memcmp(header.magic, kMagic, sizeof(kMagic)) == 0 &&
      header.bytes <= kMaxFileBytes &&
      static_cast<uint64_t>(about.st_size) == sizeof(header) + header.bytes &&
      data->Resize(header.bytes) && ReadAll(file, data->data(), header.bytes) &&
      Hash64(data->data(), header.bytes) == header.hash && IsForDevice(data->data(), header.bytes);
  close(file);
  if (!good) Log(LogLevel::kWarning, "%s is not used: it is damaged or another driver's", path_);
  return good;
}

bool PipelineCache::IsForDevice(const uint8_t* data, uint64_t bytes) const {
  VkPipelineCacheHeaderVersionOne header;
  if (bytes < sizeof(header)) return false;
  memcpy(&header, data, sizeof(header));
  return header.headerSize >= sizeof(header) && header.headerSize <= bytes &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == vendor_ && header.deviceID == model_ &&
         memcmp(header.pipelineCacheUUID, uuid_, sizeof(uuid_)) == 0;
}

void PipelineCache::Destroy() {
  if (cache_ == VK_NULL_HANDLE) return;
  if (path_[0] != 0 && made_.load() != 0) Write();
  api_->DestroyPipelineCache(device_, cache_, nullptr);
  cache_ = VK_NULL_HANDLE;
}

void PipelineCache::Write() const {
  size_t bytes = 0;
  gpu::Array<uint8_t> data;
  if (api_->GetPipelineCacheData(device_, cache_, &bytes, nullptr) != VK_SUCCESS || bytes == 0 ||
      bytes > kMaxFileBytes || !data.Resize(bytes) ||
      api_->GetPipelineCacheData(device_, cache_, &bytes, data.data()) != VK_SUCCESS ||
      bytes > data.size() || Hash64(data.data(), bytes) == loaded_hash_) {
    return;
  }
  char temporary[sizeof(path_)];
  snprintf(temporary, sizeof(temporary), "%.4060s.%d.%u", path_, static_cast<int>(getpid()),
           static_cast<unsigned>(reinterpret_cast<uintptr_t>(this) >> 4));
  if (!WriteFile(temporary, data.data(), bytes) || rename(temporary, path_) != 0) {
    unlink(temporary);
    Log(LogLevel::kWarning, "cannot write %s: pipelines are compiled again next time", path_);
  }
}

bool PipelineCache::WriteFile(const char* path, const uint8_t* data, uint64_t bytes) const {
  PipelineFileHeader header;
  memcpy(header.magic, kMagic, sizeof(kMagic));
  header.bytes = bytes;
  header.hash = Hash64(data, bytes);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool good = WriteAll(file, &header, sizeof(header)) && WriteAll(file, data, bytes);
  return close(file) == 0 && good;
}

}  // namespace halyard::runtime::vulkan
