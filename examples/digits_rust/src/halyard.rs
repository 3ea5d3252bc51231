//! The functions of Halyard's C API (halyard_rt.h) that this program needs, and a safe model.
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::null_mut;

/// `hy_linked_program`. The library of a model has one, `NAME_linked`.
#[repr(C)]
pub struct Linked {
    bytes: *const c_void,
    size: u64,
    kernels: *const c_void,
    num_kernels: u64,
    weights: *const c_char,
}

// It is constant, and the runtime only reads it.
unsafe impl Sync for Linked {}

/// `hy_value`.
#[repr(C)]
struct Value {
    name: *const c_char,
    element_type: *const c_char,
    rank: c_int,
    dims: *const i64,
    minor_to_major: *const i64,
    bytes: u64,
}

#[repr(C)]
struct Device {
    private: [u8; 0],
}
#[repr(C)]
struct Program {
    private: [u8; 0],
}
#[repr(C)]
struct StatusRep {
    private: [u8; 0],
}
type Status = *mut StatusRep;

extern "C" {
    fn hy_status_message(status: Status) -> *const c_char;
    fn hy_status_free(status: Status);
    fn hy_device_open(kind: *const c_char, index: c_int, threads: c_int, device: *mut *mut Device)
        -> Status;
    fn hy_device_close(device: *mut Device);
    fn hy_program_load_linked(
        device: *mut Device,
        linked: *const Linked,
        program: *mut *mut Program,
    ) -> Status;
    fn hy_program_free(program: *mut Program);
    fn hy_program_num_arguments(program: *const Program) -> c_int;
    fn hy_program_num_results(program: *const Program) -> c_int;
    fn hy_program_argument(program: *const Program, index: c_int, value: *mut Value) -> Status;
    fn hy_program_result(program: *const Program, index: c_int, value: *mut Value) -> Status;
    fn hy_run(
        program: *mut Program,
        arguments: *const *const c_void,
        results: *const *mut c_void,
    ) -> Status;
}

/// Frees the status.
fn check(status: Status) -> Result<(), String> {
    if status.is_null() {
        return Ok(());
    }
    // The message is valid until the status is freed.
    unsafe {
        let message = CStr::from_ptr(hy_status_message(status)).to_string_lossy().into_owned();
        hy_status_free(status);
        Err(message)
    }
}

/// A program on the CPU. Several threads may run it at once.
pub struct Model {
    program: *mut Program,
}

unsafe impl Send for Model {}
unsafe impl Sync for Model {}

impl Model {
    /// `threads`: of parallel loops, with the caller; 0: one for each CPU.
    pub fn new(linked: &'static Linked, threads: i32) -> Result<Model, String> {
        let (mut device, mut program) = (null_mut(), null_mut());
        unsafe {
            check(hy_device_open(b"x86\0".as_ptr().cast(), 0, threads, &mut device))?;
            let loaded = check(hy_program_load_linked(device, linked, &mut program));
            hy_device_close(device); // the program keeps it alive
            loaded?;
        }
        Ok(Model { program })
    }

    /// Runs a program of one argument and one result, both of `f32`.
    pub fn run(&self, argument: &[f32], result: &mut [f32]) -> Result<(), String> {
        unsafe {
            if hy_program_num_arguments(self.program) != 1 || hy_program_num_results(self.program) != 1
            {
                return Err("the program has other numbers of arguments and results".into());
            }
            self.check_array("argument", hy_program_argument, argument.len())?;
            self.check_array("result", hy_program_result, result.len())?;
            let arguments = [argument.as_ptr().cast::<c_void>()];
            let results = [result.as_mut_ptr().cast::<c_void>()];
            check(hy_run(self.program, arguments.as_ptr(), results.as_ptr()))
        }
    }

    /// C does not know how long arrays are.
    unsafe fn check_array(
        &self,
        what: &str,
        describe: unsafe extern "C" fn(*const Program, c_int, *mut Value) -> Status,
        elements: usize,
    ) -> Result<(), String> {
        let mut value = std::mem::zeroed::<Value>();
        check(describe(self.program, 0, &mut value))?;
        let element_type = CStr::from_ptr(value.element_type);
        if element_type.to_bytes() != b"f32" || value.bytes != 4 * elements as u64 {
            return Err(format!(
                "the {what} is {} in {} bytes, not {elements} of f32",
                element_type.to_string_lossy(),
                value.bytes
            ));
        }
        Ok(())
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { hy_program_free(self.program) }
    }
}
