// Where this program is installed: helpers and tools are found relative to it.
#ifndef HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_
#define HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_

#include <string>
#include <vector>

namespace halyard {

// Returns the folder of the running executable, then that of the executable or library that holds
// this code (libhalyard.so inside Python, for example). One that cannot be found out is left out.
std::vector<std::string> OwnFolders();

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_OWN_FOLDERS_H_
