//! Files that are written whole or not at all.
//! Uses: nothing of the house. Used by: learn, tablebase, cli.
//! Idea: the bytes go into a file beside, are forced to the disk, and take the name only then: a kill, a fault or a full
//! disk leaves what was there before.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How the name of the file beside ends.
pub const ASIDE: &str = ".part";

/// Writes a file. A link stays one: the file it leads to is written.
///
/// # Errors
/// What `write` says, or what `failed` makes of the system's words, or of the refusal to replace what is no regular file.
/// What stood under the name is as it was then.
pub fn write_whole<E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A rename would put the file in the place of a device or a pipe.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(failed(io::Error::other("not a regular file")));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(ASIDE);
    let beside = PathBuf::from(beside);
    let mut out = BufWriter::new(File::create(&beside).map_err(&failed)?);
    let written = write(&mut out).and_then(|()| {
        out.flush()
            .and_then(|()| out.get_ref().sync_all())
            .and_then(|()| fs::rename(&beside, path))
            .map_err(&failed)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The new name itself must survive a loss of power, where the system can promise that.
    let folder = path.parent().filter(|at| !at.as_os_str().is_empty());
    if let Some(folder) = folder.and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
    written
}

/// Writes these bytes.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, |error| error, |out| out.write_all(bytes))
}

/// Refuses to write a file over one that it is made of.
///
/// # Errors
/// Says so.
pub fn check_apart<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let Ok(out) = fs::canonicalize(out) else {
        return Ok(());
    };
    let same = |input: &Path| fs::canonicalize(input).is_ok_and(|input| input == out);
    if inputs.into_iter().any(same) {
        return Err(io::Error::other("it is also read, and is left as it is"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_unless_all_goes_well() {
        let folder = std::env::temp_dir().join(format!("lucena-{}-output", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("file");
        write_bytes(&path, b"one").expect("written");
        let failure = write_whole(
            &path,
            |error| error,
            |out| {
                out.write_all(b"two")?;
                Err(io::Error::other("no more"))
            },
        );
        assert!(failure.is_err());
        assert_eq!(fs::read(&path).expect("the file"), b"one");
        assert!(check_apart(&path, [path.as_path()]).is_err());
        assert!(check_apart(&path, [folder.as_path()]).is_ok());
        assert!(check_apart(&folder.join("new"), [path.as_path()]).is_ok());
        assert!(write_bytes(&folder, b"a folder").is_err());
        // A folder in the way of the file beside stands for a disk that takes no more.
        let other = folder.join("other");
        let in_the_way = folder.join(format!("other{ASIDE}"));
        fs::create_dir(&in_the_way).expect("a folder");
        assert!(write_bytes(&other, b"").is_err() && !other.exists());
        fs::remove_dir(&in_the_way).expect("removed");
        #[cfg(unix)]
        {
            let link = folder.join("link");
            std::os::unix::fs::symlink(&path, &link).expect("a link");
            write_bytes(&link, b"three").expect("written");
            assert!(fs::symlink_metadata(&link).expect("it").is_symlink());
            assert_eq!(fs::read(&path).expect("the file"), b"three");
        }
        let left = fs::read_dir(&folder).expect("the folder").flatten();
        assert!(
            left.map(|entry| entry.file_name())
                .all(|name| !name.to_string_lossy().ends_with(ASIDE))
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
