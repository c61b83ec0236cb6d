//! What the machine offers: large zeroed memory, its limits, prefetch, the processor's features.
//! Uses: nothing of the house. Used by: search, cli.
//! Idea: the only file where `unsafe` may stand; each block says why it is sound and what stands in without it.
#![allow(unsafe_code)]

use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use thiserror::Error;

/// A large array of shared words, all zero at first. The system gives the pages when they are first touched, huge ones
/// where it can.
pub struct ZeroedWords {
    memory: MmapMut,
    length: usize,
}

impl ZeroedWords {
    /// Reserves `length` words of eight bytes.
    ///
    /// # Errors
    /// What the system said when it would not give the memory.
    pub fn new(length: usize) -> io::Result<Self> {
        let bytes = length
            .checked_mul(size_of::<AtomicU64>())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes.max(1))?;
        // Fewer address translations to miss; the table works without, so a refusal is no fault.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, length })
    }
}

impl Deref for ZeroedWords {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        // The system hands out whole pages, so that any word of eight bytes is in line.
        #[allow(clippy::cast_ptr_alignment)]
        let start = self.memory.as_ptr().cast::<AtomicU64>();
        // SAFETY: the mapping is page-aligned, holds at least `length` words, lives as long as `self`, is never handed out
        // as bytes, and every bit pattern (zero above all) is an `AtomicU64`. Access is through atomics only, so sharing
        // it between threads is no race. (Without this block: a `Vec` of atomics, filled word by word.)
        unsafe { std::slice::from_raw_parts(start, self.length) }
    }
}

/// The bytes of memory that this process may come to use, the least of what limits it: the machine, its control group,
/// its own address space. `None` where the system does not tell.
#[must_use]
pub fn memory_limit() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let machine = memory_of_machine(&read("/proc/meminfo"));
    let address_space = address_space(&read("/proc/self/limits"));
    let groups = control_groups(&read("/proc/self/cgroup")).into_iter();
    let groups = groups.filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
    groups.chain(machine).chain(address_space).min()
}

/// The memory of the machine, from the text of `/proc/meminfo`.
fn memory_of_machine(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limit of the address space, from the text of `/proc/self/limits`; `None` if there is none.
fn address_space(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The files that may hold the limits of the control groups, from the text of `/proc/self/cgroup`; a group is bound by
/// those above it too.
fn control_groups(text: &str) -> Vec<PathBuf> {
    let find = |prefix: &str, root: &str, file: &str| {
        let (_, path) = text.lines().find_map(|line| line.split_once(prefix))?;
        let group = Path::new(root).join(path.trim_start_matches('/'));
        let within = group.ancestors().take_while(|path| path.starts_with(root));
        Some(within.map(|path| path.join(file)).collect::<Vec<_>>())
    };
    let first = find(":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes");
    let second = find("0::", "/sys/fs/cgroup", "memory.max");
    first.into_iter().chain(second).flatten().collect()
}

/// Asks the processor to fetch what `place` refers to into its cache. A hint: nothing happens where there is none.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of every x86-64 processor, and a prefetch reads no memory that the program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The processor lacks an instruction that this program was built with.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "this build of Lucena needs an x86-64-v2 processor (any since about 2009); this one lacks {0}"
)]
pub struct MissingInstruction(pub &'static str);

/// Checks that the processor has what the build takes for granted. To be called first of all.
///
/// # Errors
/// Names the first instruction set that is missing.
pub fn check_processor() -> Result<(), MissingInstruction> {
    #[cfg(target_arch = "x86_64")]
    {
        // The processor itself is asked: the standard detection macro answers at compile time what the build assumes.
        require_x86_64_v2(std::arch::x86_64::__cpuid(1).ecx)
    }
    #[cfg(not(target_arch = "x86_64"))]
    Ok(())
}

/// The features of x86-64-v2 by their bits in register ECX of CPUID leaf 1.
#[cfg(any(target_arch = "x86_64", test))]
fn require_x86_64_v2(ecx: u32) -> Result<(), MissingInstruction> {
    const FEATURES: [(u32, &str); 6] = [
        (0, "SSE3"),
        (9, "SSSE3"),
        (13, "CMPXCHG16B"),
        (19, "SSE4.1"),
        (20, "SSE4.2"),
        (23, "POPCNT"),
    ];
    match FEATURES.into_iter().find(|(bit, _)| ecx >> bit & 1 == 0) {
        Some((_, name)) => Err(MissingInstruction(name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn a_missing_instruction_is_named() {
        assert_eq!(require_x86_64_v2(u32::MAX), Ok(()));
        assert_eq!(
            require_x86_64_v2(!(1 << 23)),
            Err(MissingInstruction("POPCNT"))
        );
        assert_eq!(require_x86_64_v2(0), Err(MissingInstruction("SSE3")));
        assert_eq!(check_processor(), Ok(()));
    }

    #[test]
    fn limits_of_memory_are_read() {
        let machine = "MemTotal:       2048 kB\nMemFree:        1 kB\n";
        assert_eq!(memory_of_machine(machine), Some(2 << 20));
        assert_eq!(memory_of_machine("MemTotal: much"), None);
        let limit =
            |text: &str| address_space(&format!("Limit  Soft\nMax address space  {text} bytes\n"));
        assert_eq!(limit("2048000000  unlimited"), Some(2_048_000_000));
        assert_eq!(limit("unlimited  unlimited"), None);
        let paths = ["/sys/fs/cgroup/a/memory.max", "/sys/fs/cgroup/memory.max"];
        assert_eq!(control_groups("0::/a\n"), paths.map(PathBuf::from));
        let old = "/sys/fs/cgroup/memory/a/memory.limit_in_bytes";
        assert_eq!(control_groups("4:memory:/a\n")[0], Path::new(old));
        assert!(control_groups("").is_empty());
        #[cfg(target_os = "linux")]
        assert!(memory_limit().is_some_and(|bytes| bytes > 1 << 20));
    }

    #[test]
    fn words_begin_at_zero_and_hold_what_is_stored() {
        let words = ZeroedWords::new(1 << 16).expect("half a mebibyte");
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        words[17].store(5, Ordering::Relaxed);
        assert_eq!(words[17].load(Ordering::Relaxed), 5);
        assert!(ZeroedWords::new(usize::MAX).is_err());
    }
}
