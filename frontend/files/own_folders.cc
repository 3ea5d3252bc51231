#include "frontend/files/own_folders.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

namespace halyard {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

std::vector<std::string> OwnFolders() {
  std::vector<std::string> folders;
  char buffer[4096];
  if (const ssize_t size = readlink("/proc/self/exe", buffer, sizeof(buffer)); size > 0)
    folders.push_back(FolderOf(std::string(buffer, static_cast<size_t>(size))));
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&OwnFolders), &info) != 0 && info.dli_fname != nullptr)
    folders.push_back(FolderOf(info.dli_fname));
  return folders;
}

std::string UserFolder(const char* xdg_variable, const char* below_home) {
  const char* base = getenv(xdg_variable);
  if (base != nullptr && *base != '\0') return base;
  const char* home = getenv("HOME");
  const bool has_home = home != nullptr && *home != '\0';
  return std::string(has_home ? home : "/tmp") + "/" + below_home;
}

}  // namespace halyard
