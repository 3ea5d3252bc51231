#include "ranks/mpi_job.h"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ranks/mpi_plugin.h"
#include "ranks/rank_sockets.h"

namespace halyard::ranks {

namespace {

constexpr int kContactBytes = 4096;
constexpr double kStartSeconds = 120;

// Ends the process if this is not destroyed in time, because MPI's calls have no time limit.
class Watchdog {
 public:
  explicit Watchdog(double seconds) : thread_([this, seconds] { Watch(seconds); }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }

 private:
  void Watch(double seconds) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; }))
      return;
    fprintf(stderr, "halyard: error: MPI has not connected the processes within %g s\n", seconds);
    fflush(stderr);
    _exit(1);
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

struct Plugin {
  decltype(&halyard_mpi_start) start = nullptr;
  decltype(&halyard_mpi_share) share = nullptr;
  decltype(&halyard_mpi_gather) gather = nullptr;
  decltype(&halyard_mpi_send) send = nullptr;
  decltype(&halyard_mpi_receive) receive = nullptr;
  decltype(&halyard_mpi_test) test = nullptr;
  decltype(&halyard_mpi_end) end = nullptr;

  // Returns whether the library has all of them.
  bool Find(void* library) {
    const auto find = [library](auto* function, const char* name) {
      *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
      return *function != nullptr;
    };
    return find(&start, "halyard_mpi_start") && find(&share, "halyard_mpi_share") &&
           find(&gather, "halyard_mpi_gather") && find(&send, "halyard_mpi_send") &&
           find(&receive, "halyard_mpi_receive") && find(&test, "halyard_mpi_test") &&
           find(&end, "halyard_mpi_end");
  }
};

class PluginTransport : public MpiTransport {
 public:
  explicit PluginTransport(const Plugin& plugin) : plugin_(plugin) {}
  std::string Send(int rank, const uint8_t* bytes, int size, Transfer** transfer) override {
    return Said(plugin_.send(rank, bytes, size, At(transfer), error_, sizeof(error_)));
  }
  std::string Receive(int rank, uint8_t* bytes, int most, Transfer** transfer) override {
    return Said(plugin_.receive(rank, bytes, most, At(transfer), error_, sizeof(error_)));
  }
  std::string Test(Transfer** transfer, int* size) override {
    return Said(plugin_.test(At(transfer), size, error_, sizeof(error_)));
  }
  void End() override { (void)plugin_.end(error_, sizeof(error_)); }

 private:
  static HalyardMpiTransfer** At(Transfer** transfer) {
    return reinterpret_cast<HalyardMpiTransfer**>(transfer);
  }
  std::string Said(int code) const { return code == 0 ? "" : absl::StrCat("MPI: ", error_); }

  const Plugin plugin_;
  char error_[512] = {};
};

std::string FolderOfProgram() {
  char buffer[4096];
  const ssize_t size = readlink("/proc/self/exe", buffer, sizeof(buffer));
  const std::string path(buffer, static_cast<size_t>(std::max<ssize_t>(size, 0)));
  return path.substr(0, path.rfind('/'));
}

absl::StatusOr<Plugin> LoadPlugin() {
  std::vector<std::string> paths;
  if (const char* named = getenv("HALYARD_MPI"); named != nullptr && *named != '\0') {
    paths = {named};
  } else {
    const std::string folder = FolderOfProgram();
    paths = {absl::StrCat(folder, "/libhalyard_mpi.so"),
             absl::StrCat(folder, "/../lib/libhalyard_mpi.so")};
  }
  std::string why;
  for (const std::string& path : paths) {
    // Open MPI's components look for its symbols in the global scope.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      const char* said = dlerror();
      if (why.empty() || access(path.c_str(), F_OK) == 0) why = said != nullptr ? said : path;
      continue;
    }
    Plugin plugin;
    if (plugin.Find(library)) return plugin;
    why = absl::StrCat(path, " is not of this version of Halyard");
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "this was started as one of ", LaunchedProcesses(),
      " processes, but what introduces them to each other cannot be loaded (", why,
      "): build Halyard where MPI is installed (Debian: libopenmpi-dev), and name "
      "libhalyard_mpi.so in the environment variable HALYARD_MPI if it is not beside the program"));
}

absl::Status MpiError(const char* call, const char* error) {
  return absl::UnavailableError(absl::StrCat("MPI: ", call, ": ", error));
}

// By default, mpirun binds each process, and so all that it starts, to a core or a socket.
// Schedules would then be measured on a part of the machine.
void UseAllCpus() {
  if (getenv("OMPI_MCA_orte_bound_at_launch") == nullptr ||
      getenv("OMPI_MCA_hwloc_base_binding_policy") != nullptr) {
    return;
  }
  cpu_set_t cpus;
  memset(&cpus, 0xff, sizeof(cpus));
  // the kernel leaves out those that are not allowed
  (void)sched_setaffinity(0, sizeof(cpus), &cpus);
}

// Ends this process when its mpirun is gone, as MPI would if it were not finalized.
void EndWithLauncher() {
  std::thread([launcher = getppid()] {
    while (getppid() == launcher) std::this_thread::sleep_for(std::chrono::seconds(1));
    kill(getpid(), SIGTERM);
  }).detach();
}

constexpr char kByMpi[] = "mpi";  // what rank 0 sends in place of its contact

// Returns whether this rank's environment asks for MPI's links.
absl::StatusOr<bool> AsksForMpi() {
  const char* text = getenv("HALYARD_RANK_LINKS");
  const std::string links = text == nullptr || *text == '\0' ? "sockets" : text;
  if (links == "mpi" || links == "sockets") return links == "mpi";
  return absl::InvalidArgumentError(
      absl::StrCat("$HALYARD_RANK_LINKS is sockets or mpi, not \"", links, "\""));
}

// Finds out which processes the ranks are, and connects to them by MPI, which stays open.
absl::StatusOr<std::unique_ptr<MpiLinks>> LinkByMpi(const Plugin& plugin,
                                                    const HalyardMpiPlace& place) {
  if (place.serialized == 0) {
    return absl::FailedPreconditionError(
        "this MPI does not let another thread call it (MPI_THREAD_SERIALIZED), which "
        "HALYARD_RANK_LINKS=mpi needs");
  }
  const ProcessName own = ProcessName::Own();
  std::vector<ProcessName> all(static_cast<size_t>(place.size));
  char error[512] = {};
  if (plugin.gather(&own, sizeof(own), all.data(), error, sizeof(error)) != 0)
    return MpiError("MPI_Allgather", error);
  return MpiLinks::Create(std::make_unique<PluginTransport>(plugin), place.rank, all);
}

// Runs from MPI_Init to MPI_Finalize, or to where MPI's links begin (`*links`). Finds out the place
// of this process in the job, and how to reach rank 0, which listens.
absl::StatusOr<Contact> MeetByMpi(const Plugin& plugin, int launched, bool may_link,
                                  HalyardMpiPlace* place, int* listener,
                                  std::unique_ptr<MpiLinks>* links) {
  const Watchdog watchdog(kStartSeconds);
  char error[512] = {}, text[kContactBytes] = {};
  if (plugin.start(place, error, sizeof(error)) != 0) return MpiError("MPI_Init", error);
  if (place->size != launched) {
    return absl::FailedPreconditionError(absl::StrCat(
        "this was started as one of ", launched, " processes, but its MPI knows of ", place->size,
        ": start it with the mpirun of the MPI that Halyard was built with, or srun --mpi=pmix"));
  }
  absl::StatusOr<Contact> contact;
  if (place->rank == 0) {
    const absl::StatusOr<bool> by_mpi = may_link ? AsksForMpi() : false;
    if (!by_mpi.ok()) {
      contact = by_mpi.status();
    } else if (*by_mpi) {
      snprintf(text, sizeof(text), "%s", kByMpi);
    } else {
      contact = OfferContact(/*only_here=*/place->local_size == place->size, listener);
    }
    // The others wait for the broadcast; an empty one tells them that rank 0 failed.
    if (contact.ok() && !*by_mpi) snprintf(text, sizeof(text), "%s", contact->Text().c_str());
  }
  if (plugin.share(text, sizeof(text), error, sizeof(error)) != 0)
    return MpiError("MPI_Bcast", error);
  if (strcmp(text, kByMpi) == 0) {
    absl::StatusOr<std::unique_ptr<MpiLinks>> made = LinkByMpi(plugin, *place);
    if (!made.ok()) return made.status();
    *links = *std::move(made);
    return Contact();
  }
  if (plugin.end(error, sizeof(error)) != 0) return MpiError("MPI_Finalize", error);
  return place->rank == 0 ? contact : Contact::Parse(text);
}

}  // namespace

int LaunchedProcesses() {
  // The variables of Open MPI's mpirun, of mpiexec (MPICH and Intel) and srun with PMI-1 or PMI-2,
  // and of any srun.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    int count = 0;
    const char* text = getenv(name);
    if (text != nullptr && absl::SimpleAtoi(text, &count) && count >= 1) return count;
  }
  return 1;
}

absl::StatusOr<MpiJob> JoinMpiJob(bool all_cpus, RankLinks links) {
  const int launched = LaunchedProcesses();
  absl::StatusOr<Plugin> plugin = LoadPlugin();
  if (!plugin.ok()) return plugin.status();
  if (all_cpus) UseAllCpus();
  HalyardMpiPlace place = {};
  int listener = -1;
  MpiJob job;
  absl::StatusOr<Contact> contact = MeetByMpi(
      *plugin, launched, links == RankLinks::kAsTheEnvironmentSays, &place, &listener, &job.links);
  if (!contact.ok()) return contact.status();
  EndWithLauncher();
  job.rank = place.rank;
  job.size = place.size;
  job.local_rank = place.local_rank;
  job.local_size = place.local_size;
  const int idle = place.first_local == 0 ? 1 : 0;
  job.local_index = std::max(0, place.local_rank - idle);
  job.local_count = std::max(1, place.local_size - idle);
  if (job.links != nullptr) return job;
  if (job.rank == 0) {
    job.sockets = AcceptRanks(listener, *contact, job.size);
    close(listener);
  } else {
    absl::StatusOr<int> socket = ConnectToRank(*contact, job.rank);
    if (!socket.ok()) return socket.status();
    job.sockets = {*socket};
  }
  return job;
}

namespace {

absl::Status Gone(int rank) {
  return absl::UnavailableError(
      absl::StrCat("rank ", rank, " is lost while the ranks meet, or has not come"));
}

// Returns every rank's contact, by rank. Rank 0 collects the contacts and gives them to all. Its
// own is empty, because it is connected to all.
absl::StatusOr<std::vector<std::string>> ShareContacts(const MpiJob& job, const Contact& own) {
  std::vector<std::string> contacts(static_cast<size_t>(job.size));
  if (job.rank == 0) {
    for (int rank = 1; rank < job.size; ++rank) {
      const int socket = job.sockets[static_cast<size_t>(rank)];
      if (socket < 0 || !ReceiveText(socket, &contacts[static_cast<size_t>(rank)]))
        return Gone(rank);
    }
    for (int rank = 1; rank < job.size; ++rank) {
      for (const std::string& contact : contacts) {
        if (!SendText(job.sockets[static_cast<size_t>(rank)], contact)) return Gone(rank);
      }
    }
    return contacts;
  }
  bool fine = SendText(job.sockets[0], own.Text());
  for (std::string& contact : contacts) fine = fine && ReceiveText(job.sockets[0], &contact);
  if (!fine) return Gone(0);
  return contacts;
}

absl::Status ConnectToLower(const MpiJob& job, const std::vector<std::string>& contacts,
                            std::vector<int>* sockets) {
  for (int lower = 1; lower < job.rank; ++lower) {
    absl::StatusOr<Contact> contact = Contact::Parse(contacts[static_cast<size_t>(lower)]);
    if (!contact.ok()) return contact.status();
    absl::StatusOr<int> socket = ConnectToRank(*contact, job.rank, lower);
    if (!socket.ok()) return socket.status();
    (*sockets)[static_cast<size_t>(lower)] = *socket;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<int>> ConnectAll(MpiJob* job) {
  std::vector<int> sockets(static_cast<size_t>(job->size), -1);
  int listener = -1;
  absl::StatusOr<Contact> own;
  if (job->rank != 0) own = OfferContact(job->local_size == job->size, &listener);
  absl::Status status = job->rank != 0 && !own.ok() ? own.status() : absl::OkStatus();
  if (status.ok()) {
    absl::StatusOr<std::vector<std::string>> contacts =
        ShareContacts(*job, job->rank != 0 ? *own : Contact());
    status = contacts.status();
    if (status.ok() && job->rank == 0) sockets = job->sockets;
    if (status.ok() && job->rank != 0) {
      // Accepts and connects at the same time, because a rank that accepted later would keep others
      // waiting.
      std::vector<int> higher;
      std::thread accepting(
          [&] { higher = AcceptRanks(listener, *own, job->size, job->rank + 1); });
      status = ConnectToLower(*job, *contacts, &sockets);
      accepting.join();
      sockets[0] = job->sockets[0];
      for (size_t rank = static_cast<size_t>(job->rank) + 1; rank < sockets.size(); ++rank) {
        sockets[rank] = higher[rank];
        if (higher[rank] < 0 && status.ok()) status = Gone(static_cast<int>(rank));
      }
    }
  }
  if (listener >= 0) close(listener);
  if (!status.ok()) {
    for (const int socket : sockets) {
      if (socket >= 0) close(socket);
    }
    return status;
  }
  job->sockets.clear();
  return sockets;
}

}  // namespace halyard::ranks
