// Wraps the part of MPI that Halyard needs in a separate library, libhalyard_mpi.so. Most users
// have no MPI, so the command does not link to it, and loads this library only if mpirun or srun
// has started the command.
#ifndef HALYARD_RANKS_MPI_PLUGIN_H_
#define HALYARD_RANKS_MPI_PLUGIN_H_

extern "C" {

struct HalyardMpiPlace {
  int rank, size;              // in the job
  int local_rank, local_size;  // among the job's processes on this machine
  int first_local;             // the lowest of their ranks
  int serialized;  // whether any thread may call MPI, one at a time (MPI_THREAD_SERIALIZED)
};

// Each function returns 0, or MPI's error, whose text it writes into `error`. The first calls
// MPI_Init.
int halyard_mpi_start(HalyardMpiPlace* place, char* error, int error_size);
// Sends rank 0's bytes to all ranks.
int halyard_mpi_share(void* bytes, int size, char* error, int error_size);
// Gathers `size` bytes of each rank in `all`, on all ranks.
int halyard_mpi_gather(const void* own, int size, void* all, char* error, int error_size);
// Start to send and to receive a message of bytes. The bytes must stay until the transfer is done.
struct HalyardMpiTransfer;
int halyard_mpi_send(int rank, const void* bytes, int size, HalyardMpiTransfer** transfer,
                     char* error, int error_size);
int halyard_mpi_receive(int rank, void* bytes, int most, HalyardMpiTransfer** transfer, char* error,
                        int error_size);
// If the transfer is done, frees it, sets `*transfer` to null and `*size` to the bytes received.
int halyard_mpi_test(HalyardMpiTransfer** transfer, int* size, char* error, int error_size);
// Calls MPI_Finalize.
int halyard_mpi_end(char* error, int error_size);
}

#endif  // HALYARD_RANKS_MPI_PLUGIN_H_
