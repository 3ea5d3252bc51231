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
};

// Each function returns 0, or MPI's error, whose text it writes into `error`. The first calls
// MPI_Init.
int halyard_mpi_start(HalyardMpiPlace* place, char* error, int error_size);
// Sends rank 0's bytes to all ranks.
int halyard_mpi_share(void* bytes, int size, char* error, int error_size);
// Calls MPI_Finalize.
int halyard_mpi_end(char* error, int error_size);
}

#endif  // HALYARD_RANKS_MPI_PLUGIN_H_
