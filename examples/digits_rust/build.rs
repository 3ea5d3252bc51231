//! Compiles the model into a library, and links it.
use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    let halyard = env::var("HALYARD").unwrap_or_else(|_| "halyard".into());
    let model = env::var("MODEL").unwrap_or_else(|_| "../digits/digits.mlir".into());
    let folder = PathBuf::from(env::var("OUT_DIR").unwrap());
    let status = Command::new(&halyard)
        .args(["compile", &model, "--target=x86:v3", "--emit=static", "--name=digits", "-o"])
        .arg(&folder)
        .status()
        .unwrap_or_else(|error| panic!("{halyard}: {error}"));
    assert!(status.success(), "{halyard} compile {model} failed");
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=digits");
    println!("cargo:rustc-link-lib=m");
    println!("cargo:rustc-link-lib=pthread");
    println!("cargo:rerun-if-changed={model}");
    println!("cargo:rerun-if-env-changed=HALYARD");
    println!("cargo:rerun-if-env-changed=MODEL");
}
