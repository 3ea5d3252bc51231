//! Classifies two drawn digits with the network of examples/digits, from several threads at once.
mod halyard;

use halyard::{Linked, Model};
use std::process::ExitCode;

extern "C" {
    static digits_linked: Linked;
}

const BATCH: usize = 32; // images that the network takes at a time
const PIXELS: usize = 64;
const CLASSES: usize = 10;

const THREE: &str = "
..8#*...
..*4*5..
....*5..
...##2..
...48#..
.....9*.
.4*5*8..
..*##*2.";
const ZERO: &str = "
..2**2..
..#*6#..
.4*..*4.
.4*..6*.
.5*..4*.
.4*..5*.
..*6.*5.
..3**5..";

/// Marks stand for shades from 0 to 1: a digit d for d/16, `*` for 13/16, `#` for 16/16.
fn image_of(drawing: &str) -> Vec<f32> {
    drawing
        .chars()
        .filter(|mark| !mark.is_whitespace())
        .map(|mark| match mark {
            '#' => 1.0,
            '*' => 13.0 / 16.0,
            _ => mark.to_digit(10).unwrap_or(0) as f32 / 16.0,
        })
        .collect()
}

fn classify(model: &Model, image: &[f32]) -> Result<usize, String> {
    let mut images = vec![0.0; BATCH * PIXELS]; // all but the first stay black
    let mut logits = vec![0.0; BATCH * CLASSES];
    images[..PIXELS].copy_from_slice(image);
    model.run(&images, &mut logits)?;
    let best = (0..CLASSES).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
    Ok(best.unwrap_or(0))
}

fn run() -> Result<(), String> {
    let model = Model::new(unsafe { &digits_linked }, 1)?;
    let drawings = [THREE, ZERO];
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = drawings
            .iter()
            .map(|drawing| scope.spawn(|| classify(&model, &image_of(drawing))))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread panicked")).collect()
    });
    for answer in answers {
        println!("{}", answer?);
    }
    match model.run(&[0.0; 3], &mut [0.0; BATCH * CLASSES]) {
        Err(message) => eprintln!("as expected: {message}"),
        Ok(()) => return Err("an array that is too short was taken".into()),
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("digits_rust: {message}");
            ExitCode::FAILURE
        }
    }
}
