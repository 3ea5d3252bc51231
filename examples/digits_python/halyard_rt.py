"""The functions of Halyard's C API that a program in Python needs, by ctypes, for libraries of
`halyard compile --emit=shared`. Arrays go in and out by DLPack, without copies."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p

_CAPSULE, _USED = b"dltensor", b"used_dltensor"
_CPU = 1  # kDLCPU


class Error(Exception):
    """What went wrong, with the code of the C API."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Value(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("element_type", c_char_p), ("rank", c_int),
                ("dims", POINTER(c_int64)), ("minor_to_major", POINTER(c_int64)),
                ("bytes", c_uint64)]


class _ManagedTensor(ctypes.Structure):
    """DLManagedTensor up to its deleter; the tensor itself is not looked at."""
    _fields_ = [("tensor", ctypes.c_byte * 48), ("manager", c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, c_void_p))]


class _ChooseOptions(ctypes.Structure):
    """The first fields of hy_choose_options. Their size tells the runtime that there are no more."""
    _fields_ = [("struct_size", c_size_t), ("threads", c_int), ("device", c_int),
                ("targets", c_char_p), ("weights", c_char_p)]


_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
_python.PyCapsule_GetPointer.restype = c_void_p
_python.PyCapsule_GetPointer.argtypes = [c_void_p, c_char_p]
_python.PyCapsule_IsValid.argtypes = [c_void_p, c_char_p]
_python.PyCapsule_SetName.argtypes = [ctypes.py_object, c_char_p]


@ctypes.PYFUNCTYPE(None, c_void_p)
def _free_unused(capsule):
    """Nobody has taken the tensor out of the capsule."""
    if _python.PyCapsule_IsValid(capsule, _CAPSULE):
        tensor = _python.PyCapsule_GetPointer(capsule, _CAPSULE)
        _ManagedTensor.from_address(tensor).deleter(tensor)


class _Exporter:
    """What numpy.from_dlpack takes."""

    def __init__(self, tensor):
        self._capsule = _python.PyCapsule_New(tensor, _CAPSULE,
                                              ctypes.cast(_free_unused, c_void_p))

    def __dlpack__(self, stream=None, **_):
        return self._capsule

    def __dlpack_device__(self):
        return (_CPU, 0)


class Model:
    """A library's program on the CPU. Several threads may call it at once."""

    def __init__(self, library, name, threads=0):
        self._program = c_void_p()
        self._library = ctypes.CDLL(str(library))
        for function in ("hy_status_message", "hy_program_target"):
            getattr(self._library, function).restype = c_char_p
            getattr(self._library, function).argtypes = [c_void_p]
        self._library.hy_program_device.restype = c_void_p
        options = _ChooseOptions(ctypes.sizeof(_ChooseOptions), threads, 0, b"x86", None)
        linked = ctypes.c_byte.in_dll(self._library, f"{name}_linked")
        self._call("hy_program_choose_linked", byref(linked), byref(options),
                   byref(self._program))
        self._device = c_void_p(self._library.hy_program_device(self._program))
        self.arguments = self._values("argument")
        self.results = self._values("result")
        self.target = self._library.hy_program_target(self._program).decode()

    def __del__(self):
        if self._program:
            self._library.hy_program_free(self._program)

    def __call__(self, *arrays):
        """Runs the program on objects with __dlpack__, such as NumPy's arrays. Returns objects for
        numpy.from_dlpack."""
        if len(arrays) != len(self.arguments):
            raise TypeError(f"{len(arrays)} arrays, not {len(self.arguments)}")
        arguments = (c_void_p * len(arrays))()
        results = (c_void_p * len(self.results))()
        try:
            for i, (array, value) in enumerate(zip(arrays, self.arguments)):
                arguments[i] = self._import(array, value)
            self._call("hy_run_buffers", self._program, arguments, None, results)
            return [self._export(buffer, value) for buffer, value in zip(results, self.results)]
        finally:
            for buffer in list(arguments) + list(results):
                self._library.hy_buffer_free(c_void_p(buffer))

    def _call(self, function, *arguments):
        call = getattr(self._library, function)
        call.restype = c_void_p
        status = call(*arguments)
        if status is None:
            return
        message = self._library.hy_status_message(status).decode()
        code = self._library.hy_status_code(c_void_p(status))
        self._library.hy_status_free(c_void_p(status))
        raise Error(code, message)

    def _values(self, kind):
        values = []
        for i in range(getattr(self._library, f"hy_program_num_{kind}s")(self._program)):
            values.append(_Value())
            self._call(f"hy_program_{kind}", self._program, i, byref(values[-1]))
        return values

    def _import(self, array, value):
        """A buffer with the array's memory. It keeps the array alive."""
        capsule = array.__dlpack__()
        tensor = _python.PyCapsule_GetPointer(id(capsule), _CAPSULE)
        buffer = c_void_p()
        self._call("hy_buffer_from_dlpack", self._device, c_void_p(tensor), byref(value),
                   byref(buffer))
        _python.PyCapsule_SetName(capsule, _USED)
        return buffer.value

    def _export(self, buffer, value):
        tensor = c_void_p()
        self._call("hy_buffer_to_dlpack", c_void_p(buffer), byref(value), byref(tensor))
        return _Exporter(tensor)
