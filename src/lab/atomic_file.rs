//! Writes files atomically: a file is whole or absent, whatever stops the program.
//!
//! The bytes go to a temporary file in the same folder, which is synced to disk and then renamed over the target.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::{Builder, TempPath};

/// Temporary files are named `.lucena-XXXXXX.tmp`, with six random characters.
const TEMPORARY: [&str; 2] = [".lucena-", ".tmp"];
/// Symbolic links that are followed to a target.
const MAX_LINKS: usize = 40;
/// A process that another thread has just forked holds our locks until it executes its program: a lock is tried this many
/// times, with this pause between tries.
const LOCK_ATTEMPTS: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Writes a file with what `write` produces. An existing target keeps its permissions; a symbolic link is followed.
///
/// # Errors
/// What `write` returns, or an I/O error passed through `failed`: also if the target is read-only or not a regular
/// file. The target is then unchanged.
pub fn write_whole<E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let target = Target::find(path).map_err(&failed)?;
    let (file, temporary) = target.create_temporary().map_err(&failed)?;
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
        .and_then(|()| out.get_ref().sync_all())
        .and_then(|()| temporary.persist(&target.path).map_err(|error| error.error))
        .map_err(&failed)?;
    // The rename itself survives a loss of power only once the folder is synced, where the system can do that.
    if let Ok(folder) = File::open(&target.folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Creates a folder for output, with the folders that it is in, if it is missing.
///
/// # Errors
/// [`io::Error`] if it cannot be created, or if the path is not a folder.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| {
        if folder.exists() {
            io::Error::new(ErrorKind::NotADirectory, "not a folder")
        } else {
            error
        }
    })
}

/// Writes a file with these bytes.
///
/// # Errors
/// As [`write_whole`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, |error| error, |out| out.write_all(bytes))
}

/// Checks that a file can be written and is none of the inputs: to be called before long work.
///
/// # Errors
/// As [`write_whole`] and [`check_apart`].
pub fn check_output<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    check_apart(out, inputs)?;
    Target::find(out)?.create_temporary().map(drop)
}

/// Checks that a file is none of the inputs, under whatever name. Neither need exist: some inputs are created by the command.
///
/// # Errors
/// [`io::Error`] if it is one of them.
pub fn check_apart<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    let (existing, future) = (identity(out), future_path(out));
    let is_out = |input: &&Path| match &existing {
        Some(_) => identity(input) == existing,
        None => future.is_some() && future_path(input) == future,
    };
    match inputs.into_iter().find(is_out) {
        None => Ok(()),
        Some(input) => Err(io::Error::other(format!(
            "it is also an input ({}); choose another file",
            input.display()
        ))),
    }
}

/// The path of a file that need not exist, without links; `None` without its folder.
fn future_path(path: &Path) -> Option<PathBuf> {
    let path = follow_links(path).ok()?;
    let folder = fs::canonicalize(folder_of(&path)).ok()?;
    Some(folder.join(path.file_name()?))
}

/// Device and inode of a file, which hard links share.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// A file to be written.
struct Target {
    path: PathBuf,
    folder: PathBuf,
    /// Those of the file that is to be replaced.
    permissions: Option<Permissions>,
}

impl Target {
    fn find(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        let folder = folder_of(&path);
        if !folder.is_dir() {
            let message = format!("the folder {} does not exist", folder.display());
            return Err(io::Error::new(ErrorKind::NotFound, message));
        }
        let permissions = match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::other("not a regular file"));
            }
            // A rename needs no write permission for the file that it replaces, so check the permission here.
            Ok(metadata) if metadata.permissions().readonly() => {
                return Err(io::Error::other("the file is read-only"));
            }
            Ok(metadata) => {
                OpenOptions::new().write(true).open(&path)?;
                Some(metadata.permissions())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Self {
            path,
            folder,
            permissions,
        })
    }

    /// A new temporary file. It is locked while it is open; an unlocked one was left behind by a killed writer.
    fn create_temporary(&self) -> io::Result<(File, TempPath)> {
        remove_abandoned(&self.folder);
        let [prefix, suffix] = TEMPORARY;
        let mut builder = Builder::new();
        builder.prefix(prefix).suffix(suffix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
        loop {
            let (file, path) = builder.tempfile_in(&self.folder)?.into_parts();
            // Between creation and lock, another process may have removed it as abandoned.
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists() {
                continue;
            }
            if let Some(permissions) = &self.permissions {
                file.set_permissions(permissions.clone())?;
            }
            return Ok((file, path));
        }
    }
}

/// The path behind symbolic links; it need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    // The link of a pipe leads to no path.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return Err(io::Error::other("not a regular file"));
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // A file put in its place would not get what others write to the open one.
            Ok(_) if path.starts_with("/proc") => {
                return Err(io::Error::other("an open file; give the path of the file"));
            }
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn folder_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|at| !at.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_owned()
}

/// Removes temporary files of killed writers.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let [prefix, suffix] = TEMPORARY;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(prefix) && name.ends_with(suffix);
        if is_ours
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Opens or creates a regular file for reading and writing, and locks it against other processes.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another process holds the lock; other kinds if the file cannot be opened.
pub fn open_locked(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut locked = file.try_lock();
    for _ in 1..LOCK_ATTEMPTS {
        if !matches!(locked, Err(TryLockError::WouldBlock)) {
            break;
        }
        thread::sleep(LOCK_PAUSE);
        locked = file.try_lock();
    }
    match locked {
        Ok(()) => Ok(file),
        // Some file systems have no locks.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            ErrorKind::WouldBlock,
            "in use by another process",
        )),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Reserves a file for long work in this process, by a locked file `.NAME.lucena-lock` in its folder.
#[derive(Debug)]
pub struct WorkLock {
    path: PathBuf,
    _file: File,
}

impl WorkLock {
    /// Locks the work on a file, which need not exist.
    ///
    /// # Errors
    /// As [`open_locked`].
    pub fn acquire(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(".lucena-lock");
        let path = folder_of(&path).join(name);
        loop {
            let file = open_locked(&path)?;
            // The last holder may have removed the file just before it was locked here.
            if is_same_file(&file, &path) {
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for WorkLock {
    fn drop(&mut self) {
        // Removed while it is still locked, so that no other process can lock a file that is about to be removed.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let opened = file.metadata().map(|open| (open.dev(), open.ino())).ok();
    opened.is_some() && opened == identity(path)
}

#[cfg(not(unix))]
fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn folder() -> TempDir {
        tempfile::tempdir().expect("a folder")
    }

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_target_as_it_was() {
        let folder = folder();
        let path = folder.path().join("file");
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
        assert!(write_bytes(folder.path(), b"a folder").is_err());
        let missing = folder.path().join("none");
        let refused = write_bytes(&missing.join("file"), b"").expect_err("no folder");
        assert!(refused.to_string().contains("does not exist"));
        assert_eq!(names(&folder), ["file"]);
    }

    #[test]
    fn an_input_is_recognised_under_every_name() {
        let folder = folder();
        let [path, hard, new] = ["file", "hard", "new"].map(|name| folder.path().join(name));
        write_bytes(&path, b"one").expect("written");
        assert!(check_output(&path, [path.as_path()]).is_err());
        assert!(check_output(&path, [folder.path()]).is_ok());
        assert!(check_output(&new, [path.as_path()]).is_ok());
        let again = folder.path().join(".").join("new");
        assert!(check_output(&new, [again.as_path()]).is_err() && !new.exists());
        #[cfg(unix)]
        {
            fs::hard_link(&path, &hard).expect("a link");
            assert!(check_output(&hard, [path.as_path()]).is_err());
            let soft = folder.path().join("soft");
            std::os::unix::fs::symlink("file", &soft).expect("a link");
            assert!(check_output(&soft, [path.as_path()]).is_err());
            assert!(check_output(&hard, [soft.as_path()]).is_err());
            let to_new = folder.path().join("to new");
            std::os::unix::fs::symlink("new", &to_new).expect("a link");
            assert!(check_output(&new, [to_new.as_path()]).is_err());
        }
    }

    #[test]
    fn writers_of_one_target_do_not_mix_their_bytes() {
        let folder = folder();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for byte in 0..8_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        let written = write_whole(
                            path,
                            |error| error,
                            |out| {
                                for _ in 0..50 {
                                    out.write_all(&[byte; 4096])?;
                                    std::thread::yield_now();
                                }
                                Ok(())
                            },
                        );
                        written.expect("written");
                        let read = fs::read(path).expect("the file");
                        assert_eq!(read.len(), 50 * 4096);
                        assert!(read.iter().all(|byte| *byte == read[0]));
                    }
                });
            }
        });
        assert_eq!(names(&folder), ["file"]);
    }

    #[test]
    fn bystanders_stay_and_files_of_killed_writers_go() {
        let folder = folder();
        fs::write(folder.path().join("file.part"), "other").expect("a file");
        fs::write(folder.path().join(".lucena-123456.tmp"), "half").expect("a file");
        let busy = folder.path().join(".lucena-abcdef.tmp");
        let other = open_locked(&busy).expect("a file");
        write_bytes(&folder.path().join("file"), b"one").expect("written");
        assert_eq!(names(&folder), [".lucena-abcdef.tmp", "file", "file.part"]);
        drop(other);
    }

    #[test]
    fn work_is_locked_until_it_ends() {
        let folder = folder();
        let path = folder.path().join("file");
        let lock = WorkLock::acquire(&path).expect("a lock");
        let refused = WorkLock::acquire(&path).expect_err("a second lock");
        assert_eq!(refused.kind(), ErrorKind::WouldBlock);
        drop(lock);
        assert_eq!(names(&folder), [""; 0]);
        drop(WorkLock::acquire(&path).expect("a lock again"));
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        #[test]
        fn symbolic_links_are_followed_and_kept() {
            let folder = folder();
            let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
            symlink("file", &link).expect("a link");
            for text in ["new", "replaced"] {
                write_bytes(&link, text.as_bytes()).expect("written");
                assert!(fs::symlink_metadata(&link).expect("it").is_symlink());
                assert_eq!(fs::read_to_string(&path).expect("the file"), text);
            }
            fs::remove_file(&path).expect("removed");
            symlink("link", &path).expect("a link");
            assert!(write_bytes(&link, b"a circle").is_err());
            #[cfg(target_os = "linux")]
            {
                let open = File::create(folder.path().join("open")).expect("a file");
                let number = std::os::fd::AsRawFd::as_raw_fd(&open);
                let link = format!("/proc/self/fd/{number}");
                assert!(write_bytes(Path::new(&link), b"an open file").is_err());
            }
        }

        /// The name that older versions gave to their temporary file leads nowhere now.
        #[test]
        fn a_link_or_pipe_in_the_way_does_no_harm() {
            let folder = folder();
            let [path, victim, part] =
                ["file", "victim", "file.part"].map(|name| folder.path().join(name));
            fs::write(&victim, "untouched").expect("a file");
            symlink(&victim, &part).expect("a link");
            write_bytes(&path, b"one").expect("written");
            assert_eq!(fs::read_to_string(&victim).expect("it"), "untouched");
            fs::remove_file(&part).expect("removed");
            for pipe in [&part, &folder.path().join(".lucena-aaaaaa.tmp")] {
                make_pipe(pipe);
            }
            write_bytes(&path, b"two").expect("written");
            let pipe = folder.path().join("pipe");
            make_pipe(&pipe);
            for refused in [write_bytes(&pipe, b""), open_locked(&pipe).map(drop)] {
                let refused = refused.expect_err("a pipe");
                assert_eq!(refused.to_string(), "not a regular file");
            }
        }

        fn make_pipe(path: &Path) {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.expect("mkfifo").success());
        }

        #[test]
        fn permissions_are_kept_and_respected() {
            let folder = folder();
            let path = folder.path().join("file");
            let mode = |path: &Path| {
                let metadata = fs::metadata(path).expect("the file");
                metadata.permissions().mode() & 0o777
            };
            let plain = folder.path().join("plain");
            fs::write(&plain, "").expect("a file");
            write_bytes(&path, b"one").expect("written");
            assert_eq!(mode(&path), mode(&plain));
            fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
            write_bytes(&path, b"two").expect("written");
            assert_eq!(mode(&path), 0o600);
            fs::set_permissions(&path, Permissions::from_mode(0o444)).expect("a mode");
            assert!(write_bytes(&path, b"three").is_err() && check_output(&path, []).is_err());
            assert_eq!(fs::read(&path).expect("the file"), b"two");
            assert_eq!(mode(&path), 0o444);
        }
    }
}
