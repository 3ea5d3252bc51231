#include "ranks/shared_segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

namespace halyard::ranks {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kBytes = 1 << 20;

// Runs `body` in a process of its own, and returns its exit status.
template <typename Body>
int InAChild(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SharedSegment, AnotherProcessReadsAndWritesIt) {
  auto made = SharedSegment::Create(kBytes);
  ASSERT_TRUE(made.ok()) << made.status();
  SharedSegment& own = **made;
  EXPECT_EQ(own.bytes(), kBytes);
  ASSERT_TRUE(own.Commit(4096, 4096));
  memcpy(own.data() + 4096, "hello", 6);
  const std::string name = own.Name();
  EXPECT_EQ(InAChild([&] {
              auto opened = SharedSegment::Open(name);
              if (!opened.ok() || (*opened)->bytes() != kBytes) return 1;
              if (strcmp(reinterpret_cast<char*>((*opened)->data()) + 4096, "hello") != 0) return 2;
              memcpy((*opened)->data() + 4100, "!", 2);
              return 0;
            }),
            0);
  EXPECT_STREQ(reinterpret_cast<char*>(own.data()) + 4096, "hell!");
}

TEST(SharedSegment, MemoryIsTakenOnlyByCommit) {
  auto made = SharedSegment::Create(uint64_t{1} << 30);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_TRUE((*made)->Commit((1 << 30) - 4096, 4096));
  EXPECT_FALSE((*made)->Commit((1 << 30) - 4096, 4097));
  EXPECT_FALSE((*made)->Commit(~uint64_t{0}, 2));
  int descriptor = -1;
  ASSERT_EQ(sscanf((*made)->Name().c_str(), "%*s %*d %d", &descriptor), 1);
  struct stat status = {};
  ASSERT_EQ(fstat(descriptor, &status), 0);
  EXPECT_EQ(status.st_blocks * 512, 2 * 4096);  // with the page of the header
}

// The name is all that others know, and nothing is left of the memory when all processes are gone.
TEST(SharedSegment, OutlivesItsCreatorWhileSomebodyMapsIt) {
  int names[2], done[2];
  ASSERT_EQ(pipe(names), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto made = SharedSegment::Create(kBytes);
    if (!made.ok() || !(*made)->Commit(4096, 8)) _exit(1);
    memcpy((*made)->data() + 4096, "left", 5);
    const std::string name = (*made)->Name();
    if (write(names[1], name.c_str(), name.size() + 1) < 0) _exit(2);
    char byte;
    _exit(read(done[0], &byte, 1) == 1 ? 0 : 3);
  }
  char name[200] = {};
  ASSERT_GT(read(names[0], name, sizeof(name) - 1), 0);
  auto opened = SharedSegment::Open(name);
  ASSERT_TRUE(opened.ok()) << opened.status();
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_STREQ(reinterpret_cast<char*>((*opened)->data()) + 4096, "left");
  EXPECT_EQ(SharedSegment::Open(name).status().code(), absl::StatusCode::kUnavailable);
  for (const int end : {names[0], names[1], done[0], done[1]}) close(end);
}

TEST(SharedSegment, OtherNamesAreErrors) {
  auto made = SharedSegment::Create(kBytes), other = SharedSegment::Create(kBytes);
  ASSERT_TRUE(made.ok() && other.ok());
  const std::string name = (*made)->Name();
  EXPECT_TRUE(SharedSegment::Open(name).ok());
  EXPECT_EQ(SharedSegment::Open("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(SharedSegment::Open("a b c").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(SharedSegment::Open("x" + name).status().message(), HasSubstr("another machine"));
  // The descriptor may have become another segment, or another file.
  const size_t token = name.rfind(' '), descriptor = name.rfind(' ', token - 1);
  const std::string others = (*other)->Name();
  EXPECT_THAT(SharedSegment::Open(others.substr(0, others.rfind(' ')) + name.substr(token))
                  .status()
                  .message(),
              HasSubstr("another one"));
  EXPECT_THAT(SharedSegment::Open(name.substr(0, descriptor) + " 0" + name.substr(token))
                  .status()
                  .message(),
              HasSubstr("another one"));
  EXPECT_EQ(
      SharedSegment::Open(name.substr(0, descriptor) + " 999" + name.substr(token)).status().code(),
      absl::StatusCode::kUnavailable);
}

TEST(SharedSegment, WhatTheSystemRefusesIsSaid) {
  EXPECT_EQ(SharedSegment::Create(0).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(InAChild([] {
              const rlimit few = {0, 0};
              if (setrlimit(RLIMIT_NOFILE, &few) != 0) return 1;
              const absl::Status status = SharedSegment::Create(kBytes).status();
              return status.code() == absl::StatusCode::kUnavailable &&
                             status.message().find("memfd_create: Too many open files") == 0
                         ? 0
                         : 2;
            }),
            0);
}

}  // namespace
}  // namespace halyard::ranks
