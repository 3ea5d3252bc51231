// Standard streams that are closed when a command starts.
#ifndef HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_
#define HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_

namespace halyard {

// The first call in a main. A closed descriptor of 0 to 2 would be the next file or socket that is
// opened, and what is printed would go there. It becomes /dev/null, in such a way that reading the
// input and writing the output fail (what a user asked for is never lost in silence), and messages
// on the third are dropped.
void OpenStandardStreams();

// The second call: a stack as small as `ulimit -s` may make it is raised to what readers of nested
// programs take, as far as the hard limit lets it. False, with a message on stderr, if that leaves
// too little to run at all.
bool RaiseStackLimit(const char* command);

}  // namespace halyard

#endif  // HALYARD_FRONTEND_FILES_STANDARD_STREAMS_H_
