//! Files of games: plain, `.zst` or `.xz`.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Decompresses the contents of a file, if its name ends in `.zst` or `.xz`.
///
/// # Errors
/// If the contents do not match the extension of its name.
pub fn decompressed<'a, R: Read + Send + 'a>(
    path: &Path,
    file: R,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let ending = path.extension().map(OsStr::to_ascii_lowercase);
    Ok(match ending.as_deref().and_then(OsStr::to_str) {
        Some("zst") => Box::new(Checked(ZstFrames::new(BufReader::new(file))?)),
        Some("xz") => {
            let frames = lzma_rust2::XzReader::new(BufReader::new(file), true);
            Box::new(Checked(frames))
        }
        _ => Box::new(file),
    })
}

/// An error of a decoder as a message for users.
fn damaged(error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let message = "the compressed file is damaged or cut off";
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// A decoder whose errors are messages for users.
struct Checked<R>(R);

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(damaged)
    }
}

type Decoder<R> = ruzstd::decoding::StreamingDecoder<BufReader<R>, ruzstd::decoding::FrameDecoder>;

/// The frames of a `.zst` file, one after the other.
struct ZstFrames<R: Read>(Option<Decoder<R>>);

impl<R: Read> ZstFrames<R> {
    fn new(source: BufReader<R>) -> io::Result<Self> {
        Ok(Self(Some(decoder(source)?)))
    }
}

fn decoder<R: Read>(source: BufReader<R>) -> io::Result<Decoder<R>> {
    Decoder::new(source).map_err(|error| damaged(io::Error::other(error.to_string())))
}

impl<R: Read> Read for ZstFrames<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while let Some(frame) = &mut self.0 {
            match frame.read(bytes)? {
                0 if !bytes.is_empty() => {}
                read => return Ok(read),
            }
            let Some(ended) = self.0.take() else { break };
            let mut source = ended.into_inner();
            if !source.fill_buf()?.is_empty() {
                self.0 = Some(decoder(source)?);
            }
        }
        Ok(0)
    }
}
