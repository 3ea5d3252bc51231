// Exchanges between devices by the fake NCCL.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <thread>

#include "runtime/device_links.h"
#include "tests/fakes/fake_nccl.h"
#include "tests/runtime/cuda/cuda_fixture.h"

namespace halyard::runtime::cuda {
namespace {

using halyard::testing::FakeNccl;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = DeviceMove::Kind;

constexpr char kFile[] = HALYARD_FAKE_CUDA_LIBRARIES "/libnccl.so.2";
constexpr int kDevices = 3;

// Says that the run has failed once `stopped` is set.
struct Watched {
  std::atomic<bool> stopped = false;
  DeviceWatch watch(uint64_t timeout_ns = 0) {
    return {this,
            [](void* user) {
              return static_cast<Watched*>(user)->stopped
                         ? MakeStatus(Code::kAborted, "the run has failed")
                         : Status();
            },
            timeout_ns};
  }
};

// One device of several, used by a thread of its own. Its block has 64 bytes: the first 8 are what
// it gives.
struct Place {
  Device* device = nullptr;
  DeviceLink* link = nullptr;
  Block block;
  uint64_t address(uint64_t offset) const { return block.device_address + offset; }
};

class NcclTest : public CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    setenv("HALYARD_CUDA_LIBRARIES", HALYARD_FAKE_CUDA_LIBRARIES, 1);
    file_ = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(file_, nullptr) << dlerror();
    nccl_ = reinterpret_cast<FakeNccl* (*)()>(dlsym(file_, "HalyardFakeNccl"))();
    *nccl_ = FakeNccl();
  }
  void TearDown() override {
    CloseAll();
    CudaTest::TearDown();
    EXPECT_THAT(nccl_->violations, IsEmpty());
    EXPECT_EQ(nccl_->live, 0);
    unsetenv("HALYARD_CUDA_LIBRARIES");
    dlclose(file_);
  }

  Status OpenAll() {
    fake_->devices = kDevices;
    Options options;
    options.library = HALYARD_FAKE_LIBCUDA;
    for (uint32_t i = 0; i < kDevices; ++i) {
      HY_RETURN_IF_ERROR(OpenDevice(i, options, &places_[i].device));
      HY_RETURN_IF_ERROR(places_[i].device->Allocate(64, Space::kDevice, &places_[i].block));
      uint8_t bytes[64];
      for (int b = 0; b < 64; ++b) bytes[b] = static_cast<uint8_t>(b < 8 ? 10 * (i + 1) + b : 0xee);
      Event done;
      HY_RETURN_IF_ERROR(places_[i].device->Upload(bytes, places_[i].block, 0, 64, 0, &done));
      HY_RETURN_IF_ERROR(places_[i].device->Wait(done));
    }
    return Status();
  }
  void CloseAll() {
    for (Place& place : places_) {
      if (place.device == nullptr) continue;
      if (place.link != nullptr) place.device->links()->Abort(place.link);
      place.device->Free(&place.block);
      place.device->Destroy();
      place = Place();
    }
  }
  // Calls `one` for each device in a thread of its own, and returns the first error by number.
  Status ForAll(const std::function<Status(uint32_t, Place&)>& one) {
    Status results[kDevices];
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < kDevices; ++i) {
      threads.emplace_back([&, i] {
        results[i] = one(i, places_[i]);
        if (!results[i].ok()) watched_.stopped = true;
      });
    }
    for (std::thread& thread : threads) thread.join();
    // Those that were ended are not the reason.
    for (Status& status : results) {
      if (!status.ok() && status.code() != Code::kAborted) return static_cast<Status&&>(status);
    }
    for (Status& status : results) {
      if (!status.ok()) return static_cast<Status&&>(status);
    }
    return Status();
  }
  Status JoinAll() {
    DeviceGroupId id;
    HY_RETURN_IF_ERROR(places_[0].device->links()->NewGroup(&id));
    return ForAll([&](uint32_t i, Place& place) {
      return place.device->links()->Join(id, i, kDevices, i, watched_.watch(), &place.link);
    });
  }
  // Makes the moves of each device, and returns the bytes from `offset` on afterwards.
  Status Exchange(const std::function<std::vector<DeviceMove>(uint32_t, Place&)>& moves,
                  uint64_t offset, std::vector<std::vector<int>>* bytes) {
    bytes->assign(kDevices, {});
    return ForAll([&](uint32_t i, Place& place) {
      const std::vector<DeviceMove> own = moves(i, place);
      Event done;
      HY_RETURN_IF_ERROR(place.device->links()->Exchange(
          place.link, own.data(), static_cast<uint32_t>(own.size()), 0, watched_.watch(), &done));
      uint8_t got[64];
      HY_RETURN_IF_ERROR(place.device->Download(place.block, offset, 64 - offset, got, 0, &done));
      HY_RETURN_IF_ERROR(place.device->Wait(done));
      (*bytes)[i].assign(got, got + 64 - offset);
      return Status();
    });
  }
  // Everything that a run does, one after the other.
  Status Everything(std::vector<std::vector<int>>* bytes) {
    HY_RETURN_IF_ERROR(OpenAll());
    HY_RETURN_IF_ERROR(JoinAll());
    return Exchange(
        [](uint32_t i, Place& p) {
          const uint32_t next = (i + 1) % kDevices, last = (i + kDevices - 1) % kDevices;
          return std::vector<DeviceMove>{
              {Kind::kGather, 0, p.address(0), p.address(8), 2},
              {Kind::kSend, next, p.address(2), 0, 3},
              {Kind::kReceive, last, 0, p.address(14), 3},
              {Kind::kBroadcast, 1, p.address(4), p.address(17), 2},
              {Kind::kCopy, 0, p.address(6), p.address(19), 2},
              {Kind::kZero, 0, 0, p.address(21), 2},
          };
        },
        8, bytes);
  }

  void* file_ = nullptr;
  FakeNccl* nccl_ = nullptr;
  Place places_[kDevices];
  Watched watched_;
};

TEST_F(NcclTest, EveryMove) {
  std::vector<std::vector<int>> bytes;
  ASSERT_HY_OK(Everything(&bytes));
  for (std::vector<int>& own : bytes) own.resize(16);
  EXPECT_THAT(bytes[0],
              ElementsAre(10, 11, 20, 21, 30, 31, 32, 33, 34, 24, 25, 16, 17, 0, 0, 0xee));
  EXPECT_THAT(bytes[1],
              ElementsAre(10, 11, 20, 21, 30, 31, 12, 13, 14, 24, 25, 26, 27, 0, 0, 0xee));
  EXPECT_THAT(bytes[2],
              ElementsAre(10, 11, 20, 21, 30, 31, 22, 23, 24, 24, 25, 36, 37, 0, 0, 0xee));
  EXPECT_EQ(nccl_->made, kDevices);
  EXPECT_EQ(Calls("cuMemPoolSetAccess"), kDevices * (kDevices - 1));
}

TEST_F(NcclTest, DevicesHaveDifferentNamesAndGroupsTheSameSerial) {
  ASSERT_HY_OK(OpenAll());
  ASSERT_HY_OK(JoinAll());
  DeviceId ids[2];
  for (int i : {0, 1}) ASSERT_HY_OK(places_[i].device->links()->Identify(&ids[i]));
  EXPECT_NE(memcmp(&ids[0], &ids[1], sizeof(DeviceId)), 0);
  EXPECT_EQ(places_[0].link->serial, places_[2].link->serial);
  DeviceLinks* links = places_[0].device->links();
  links->Keep(places_[0].link);
  EXPECT_EQ(links->Take(places_[0].link->key + 1), nullptr);
  EXPECT_EQ(links->Take(places_[0].link->key), places_[0].link);
  EXPECT_EQ(links->Take(places_[0].link->key), nullptr);
  links->Keep(places_[0].link);  // closed with the device
  places_[0].link = nullptr;
}

TEST_F(NcclTest, WithoutTheLibraryThereAreNoLinks) {
  setenv("HALYARD_CUDA_LIBRARIES", "/nowhere", 1);
  ASSERT_HY_OK(Open());
  EXPECT_EQ(device_->links(), nullptr);
}

TEST_F(NcclTest, AnOldLibraryIsAnError) {
  nccl_->version = 21304;
  std::vector<std::vector<int>> bytes;
  const Status status = Everything(&bytes);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("version 21304, older than 2.14"));
  EXPECT_THAT(status.message(), HasSubstr("--no-libraries"));
}

TEST_F(NcclTest, EachCallOfTheLibraryMayFail) {
  std::map<std::string, int> calls;
  {
    std::vector<std::vector<int>> bytes;
    ASSERT_HY_OK(Everything(&bytes));
    CloseAll();
    calls = nccl_->calls;
  }
  for (const char* name : {"ncclGetVersion", "ncclGetUniqueId", "ncclCommInitRankConfig",
                           "ncclCommGetAsyncError", "ncclGroupStart", "ncclGroupEnd", "ncclSend",
                           "ncclRecv", "ncclAllGather", "ncclBroadcast"}) {
    ASSERT_GT(calls[name], 0) << name;
    const int some = std::min(calls[name], 2 * kDevices);
    for (int skip = 0; skip < some; ++skip) {
      SCOPED_TRACE(name + std::to_string(skip));
      *nccl_ = FakeNccl();
      Reset();
      watched_.stopped = false;
      nccl_->fail_function = name;
      nccl_->fail_skip = skip;
      nccl_->fail_code = 5;
      std::vector<std::vector<int>> bytes;
      const Status status = Everything(&bytes);
      if (nccl_->fail_skip >= 0) {  // there were fewer calls than before
        EXPECT_TRUE(status.ok()) << status.message();
      } else {
        EXPECT_EQ(status.code(), Code::kFailedPrecondition);
        EXPECT_THAT(status.message(), HasSubstr(name));
        EXPECT_THAT(status.message(), HasSubstr("--no-libraries"));
      }
      CloseAll();
      EXPECT_THAT(nccl_->violations, IsEmpty());
      EXPECT_THAT(fake_->violations, IsEmpty());
      EXPECT_EQ(nccl_->live, 0);
    }
  }
}

// One member never comes.
TEST_F(NcclTest, WhoWaitsForAMemberStopsWhenTheRunFails) {
  ASSERT_HY_OK(OpenAll());
  DeviceGroupId id;
  ASSERT_HY_OK(places_[0].device->links()->NewGroup(&id));
  std::thread failing([&] {
    usleep(20000);
    watched_.stopped = true;
  });
  const Status status =
      places_[0].device->links()->Join(id, 0, kDevices, 0, watched_.watch(), &places_[0].link);
  failing.join();
  EXPECT_EQ(status.code(), Code::kAborted);
  watched_.stopped = false;
  const Status late = places_[0].device->links()->Join(id, 0, kDevices, 0, watched_.watch(1000000),
                                                       &places_[0].link);
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(late.message(), HasSubstr("ncclCommInitRankConfig has not ended within"));
}

TEST_F(NcclTest, AMemberThatDoesNotExchangeIsNotWaitedForWhenTheRunFails) {
  ASSERT_HY_OK(OpenAll());
  ASSERT_HY_OK(JoinAll());
  const Status status = ForAll([&](uint32_t i, Place& place) {
    if (i == 2) {
      usleep(20000);
      return MakeStatus(Code::kInternal, "the third has failed");
    }
    const DeviceMove move = {Kind::kGather, 0, place.address(0), place.address(8), 2};
    Event done;
    return place.device->links()->Exchange(place.link, &move, 1, 0, watched_.watch(), &done);
  });
  EXPECT_THAT(status.message(), HasSubstr("the third has failed"));
  EXPECT_EQ(nccl_->live, 1);  // the others have aborted their ends
}

TEST_F(NcclTest, ErrorsThatComeLaterAreSeenAndAbortEndsTheWork) {
  ASSERT_HY_OK(OpenAll());
  ASSERT_HY_OK(JoinAll());
  nccl_->hangs = true;
  ASSERT_HY_OK(ForAll([&](uint32_t, Place& place) {
    const DeviceMove move = {Kind::kGather, 0, place.address(0), place.address(8), 2};
    Event done;
    HY_RETURN_IF_ERROR(
        place.device->links()->Exchange(place.link, &move, 1, 0, watched_.watch(), &done));
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(place.device->IsDone(done));
    HY_RETURN_IF_ERROR(place.device->links()->Check(place.link));
    return Status();
  }));
  nccl_->async_error = 6;
  for (Place& place : places_) {
    const Status status = place.device->links()->Check(place.link);
    EXPECT_EQ(status.code(), Code::kUnavailable);
    EXPECT_THAT(status.message(), HasSubstr("another device has failed (6)"));
    place.device->links()->Abort(place.link);
    place.link = nullptr;
    uint8_t got[64];
    Event done;
    ASSERT_HY_OK(place.device->Download(place.block, 0, 64, got, 0, &done));
    ASSERT_HY_OK(place.device->Wait(done));
  }
}

// What the fake says of wrong use, which the tests above rely on.
TEST_F(NcclTest, TheFakeSeesWrongUse) {
  ASSERT_HY_OK(OpenAll());
  ASSERT_HY_OK(JoinAll());
  std::vector<std::vector<int>> bytes;
  const Status status = Exchange(
      [](uint32_t i, Place& p) {
        return std::vector<DeviceMove>{{Kind::kGather, 0, p.address(0), p.address(8), 2 + i}};
      },
      8, &bytes);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(nccl_->violations, ElementsAre(HasSubstr("a collective call of two ranks")));
  nccl_->violations.clear();
  CloseAll();
  watched_.stopped = false;
  ASSERT_HY_OK(OpenAll());
  ASSERT_HY_OK(JoinAll());
  const uint64_t foreign = places_[0].address(0);
  ASSERT_HY_OK(Exchange(
      [&](uint32_t, Place& p) {
        return std::vector<DeviceMove>{{Kind::kGather, 0, foreign, p.address(8), 2}};
      },
      8, &bytes));
  EXPECT_THAT(nccl_->violations, ElementsAre(HasSubstr("memory that the device does not have"),
                                             HasSubstr("memory that the device does not have")));
  nccl_->violations.clear();
}

}  // namespace
}  // namespace halyard::runtime::cuda
