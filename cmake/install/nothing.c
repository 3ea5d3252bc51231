/* A library needs a source; its contents come from archives. */
typedef int halyard_nothing;
