// Handles standard streams that are closed when a command starts.
#ifndef HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_
#define HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_

namespace halyard {

// Call this first in main. Otherwise, the next file or socket that is opened would get a closed
// descriptor of 0 to 2, and what is printed would go there. Each closed descriptor becomes
// /dev/null, in such a way that reading the input and writing the output fail (what a user asked
// for is never lost in silence), and messages on the third are dropped.
void OpenStandardStreams();

// Call this second. Raises a stack that `ulimit -s` has made small to what readers of nested
// programs take, as far as the hard limit allows. Returns false, with a message on stderr, if the
// rest is too little to run at all.
bool RaiseStackLimit(const char* command);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_
