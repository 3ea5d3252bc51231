// Where this program is installed (helpers and tools are found relative to it), and where it keeps
// what is its user's.
#ifndef HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_
#define HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_

#include <string>
#include <vector>

namespace halyard {

// Returns the folder of the running executable, then that of the executable or library that holds
// this code (libhalyard.so inside Python, for example). One that cannot be found out is left out.
std::vector<std::string> OwnFolders();

// Returns the folder that an environment variable of XDG names, else `below_home` (".cache") of the
// home folder. An empty variable counts as unset; without a home, /tmp takes its place.
std::string UserFolder(const char* xdg_variable, const char* below_home);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_
