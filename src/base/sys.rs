//! Huge pages, memory limits, prefetch and processor features. The only file with `unsafe` code; each block says why it
//! is sound.
//!
//! There is one code path, for x86-64-v2, and no dispatch by processor. Measured (medians of 15 interleaved benches,
//! processor time): a build for x86-64-v3 searches 1.03 times as fast and counts perft no faster; dispatching the
//! evaluation at run time makes the search 0.94 times as fast.
#![allow(unsafe_code)]

use std::io;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread::{self, Builder};

use thiserror::Error;

use crate::base::sync::{AtomicU64, Ordering};

#[cfg(not(any(loom, miri, target_family = "wasm")))]
pub use pages::{LargeArray, ZeroedWords};
#[cfg(any(loom, miri, target_family = "wasm"))]
pub use plain::{LargeArray, ZeroedWords};

/// Arrays in anonymous mappings, on huge pages where the system has them.
#[cfg(not(any(loom, miri, target_family = "wasm")))]
mod pages {
    use std::alloc::{Layout, handle_alloc_error};
    use std::marker::PhantomData;
    use std::ops::DerefMut;

    use memmap2::MmapMut;

    use super::{AtomicU64, Deref, io};

    /// Bytes of a huge page on `x86_64`, and on `aarch64` with 4 KiB pages.
    const HUGE_PAGE: usize = 2 << 20;

    /// A mapping, and the offset of the memory in it.
    struct Pages {
        memory: MmapMut,
        offset: usize,
    }

    impl Pages {
        /// Reserves zeroed pages; from half a huge page on, they are aligned to huge pages.
        fn new(bytes: usize) -> io::Result<Self> {
            let is_huge = bytes > HUGE_PAGE / 2;
            let mapped = if is_huge {
                let whole = bytes.checked_next_multiple_of(HUGE_PAGE);
                whole.and_then(|bytes| bytes.checked_add(HUGE_PAGE))
            } else {
                Some(bytes.max(1))
            };
            let memory = MmapMut::map_anon(mapped.ok_or(io::ErrorKind::OutOfMemory)?)?;
            let mut offset = 0;
            if is_huge {
                offset = (memory.as_ptr() as usize).wrapping_neg() % HUGE_PAGE;
                // Fewer TLB misses. If the system refuses, ordinary pages are used.
                #[cfg(target_os = "linux")]
                let _ = memory.advise(memmap2::Advice::HugePage);
            }
            Ok(Self { memory, offset })
        }

        // Mappings begin at a page, which satisfies every smaller alignment.
        #[inline]
        fn start<T>(&self) -> *const T {
            const { assert!(align_of::<T>() <= 4096) };
            self.memory.as_ptr().wrapping_add(self.offset).cast()
        }
    }

    /// A large array of shared words, all zero at first. The system provides each page when it is first touched.
    pub struct ZeroedWords {
        pages: Pages,
        length: usize,
    }

    impl ZeroedWords {
        /// Reserves `length` words of eight bytes.
        ///
        /// # Errors
        /// If the memory cannot be mapped.
        pub fn new(length: usize) -> io::Result<Self> {
            let bytes = length.checked_mul(size_of::<AtomicU64>());
            let pages = Pages::new(bytes.ok_or(io::ErrorKind::OutOfMemory)?)?;
            Ok(Self { pages, length })
        }
    }

    impl Deref for ZeroedWords {
        type Target = [AtomicU64];

        #[inline]
        fn deref(&self) -> &[AtomicU64] {
            // SAFETY: the mapping is aligned, holds at least `length` words, lives as long as `self` and is never exposed as
            // bytes; every bit pattern is a valid `AtomicU64`. All access is atomic, so threads may share it.
            unsafe { std::slice::from_raw_parts(self.pages.start(), self.length) }
        }
    }

    /// A large array with random access, on huge pages.
    pub struct LargeArray<T> {
        pages: Pages,
        length: usize,
        items: PhantomData<T>,
    }

    impl<T: Copy> LargeArray<T> {
        /// An array of `length` copies of `value`. As with `Vec`, the program aborts if the memory cannot be had.
        #[must_use]
        pub fn new(value: T, length: usize) -> Self {
            let layout = Layout::array::<T>(length).unwrap_or(Layout::new::<T>());
            let pages = length.checked_mul(size_of::<T>()).map(Pages::new);
            let Some(Ok(mut pages)) = pages else {
                handle_alloc_error(layout)
            };
            let offset = pages.offset;
            let start = pages.memory.as_mut_ptr().wrapping_add(offset).cast::<T>();
            for index in 0..length {
                // SAFETY: the mapping is aligned and holds `length` items.
                unsafe { start.add(index).write(value) };
            }
            Self {
                pages,
                length,
                items: PhantomData,
            }
        }
    }

    impl<T> Deref for LargeArray<T> {
        type Target = [T];

        #[inline]
        fn deref(&self) -> &[T] {
            // SAFETY: the mapping is aligned, lives as long as `self` and holds `length` items, all written by `new`; it is
            // borrowed as `self` is.
            unsafe { std::slice::from_raw_parts(self.pages.start(), self.length) }
        }
    }

    impl<T> DerefMut for LargeArray<T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut [T] {
            // SAFETY: as in `deref`, and `self` is borrowed mutably.
            unsafe {
                std::slice::from_raw_parts_mut(self.pages.start::<T>().cast_mut(), self.length)
            }
        }
    }
}

/// The same arrays in boxes, for loom and Miri, which cannot map memory.
#[cfg(any(loom, miri, target_family = "wasm"))]
mod plain {
    use std::ops::DerefMut;

    use super::{AtomicU64, Deref, io};

    pub struct ZeroedWords(Box<[AtomicU64]>);

    impl ZeroedWords {
        pub fn new(length: usize) -> io::Result<Self> {
            let zero = || AtomicU64::new(0);
            Ok(Self(std::iter::repeat_with(zero).take(length).collect()))
        }
    }

    impl Deref for ZeroedWords {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    pub struct LargeArray<T>(Box<[T]>);

    impl<T: Copy> LargeArray<T> {
        #[must_use]
        pub fn new(value: T, length: usize) -> Self {
            Self(vec![value; length].into_boxed_slice())
        }
    }

    impl<T> Deref for LargeArray<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }

    impl<T> DerefMut for LargeArray<T> {
        fn deref_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

/// Words of the smallest page of memory.
const PAGE_WORDS: usize = 4096 / size_of::<AtomicU64>();
/// The work on a large array gets one more thread for this many words, 32 MiB.
const WORDS_PER_THREAD: usize = (32 << 20) / size_of::<AtomicU64>();

/// Sets all words to zero.
pub fn zero(words: &[AtomicU64]) {
    in_parallel(words, |part| {
        for word in part {
            word.store(0, Ordering::Relaxed);
        }
    });
}

/// Makes the system provide the pages of these words, which keep their values.
pub fn touch(words: &[AtomicU64]) {
    in_parallel(words, |part| {
        for word in part.iter().step_by(PAGE_WORDS) {
            // The compiler would make a load of `fetch_or(0)`, and a load provides no memory.
            let _ = word.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    });
}

/// Calls `work` with parts that together are all words, in as many threads as there are processors.
fn in_parallel(words: &[AtomicU64], work: impl Fn(&[AtomicU64]) + Sync) {
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = (words.len() / WORDS_PER_THREAD).clamp(1, processors);
    let mut parts = words.chunks(words.len().div_ceil(threads));
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        for part in parts {
            // Without another thread this one does it.
            if Builder::new().spawn_scoped(scope, || work(part)).is_err() {
                work(part);
            }
        }
        work(first);
    });
}

/// The bytes of memory that this process can use: the least of the machine's memory and the limits of its control groups
/// and address space. `None` where the system does not report them.
#[must_use]
pub fn memory_limit() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let machine = memory_of_machine(&read("/proc/meminfo"));
    let groups = control_groups(&read("/proc/self/cgroup")).into_iter();
    let groups = groups.filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
    groups.chain(machine).chain(address_space_limit()).min()
}

/// The limit of this process's address space in bytes (`ulimit -v`), if there is one and the system reports it.
#[must_use]
pub fn address_space_limit() -> Option<u64> {
    address_space(&std::fs::read_to_string("/proc/self/limits").ok()?)
}

/// The memory of the machine in bytes, from the text of `/proc/meminfo`.
fn memory_of_machine(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The limit of the address space in bytes, from the text of `/proc/self/limits`; `None` if there is none.
fn address_space(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let line = lines.find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The files with the memory limits of this process's control groups and their ancestors, which apply as well; from the
/// text of `/proc/self/cgroup`.
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

/// Prefetches the cache line of `place`, where the processor can.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch has no visible effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        // SAFETY: every aarch64 processor has the instruction, and a prefetch has no visible effect.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) std::ptr::from_ref(place),
                options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", not(miri)))))]
    let _ = place;
}

/// An instruction set that this build needs and the processor lacks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "this build of Lucena needs an x86-64-v2 processor (any since about 2009); this one lacks {0}"
)]
pub struct MissingInstruction(pub &'static str);

/// Checks that the processor has the instructions that this build uses. Call it before anything else.
///
/// # Errors
/// The first instruction set that is missing.
pub fn check_processor() -> Result<(), MissingInstruction> {
    #[cfg(target_arch = "x86_64")]
    {
        // Not `is_x86_feature_detected!`: it answers at compile time for features that the build assumes.
        require_x86_64_v2(std::arch::x86_64::__cpuid(1).ecx)
    }
    #[cfg(not(target_arch = "x86_64"))]
    Ok(())
}

/// Tests the features of x86-64-v2, by their bits in ECX of CPUID leaf 1.
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

/// Lets all threads share one heap. With glibc the first allocation of a thread otherwise reserves 64 MiB of address space
/// (128 MiB for a moment), and a program under a tight limit of address space runs out of it. Elsewhere nothing happens.
pub fn share_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    {
        use std::ffi::c_int;
        unsafe extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        /// The parameter with the greatest number of heaps, in malloc.h.
        const M_ARENA_MAX: c_int = -8;
        // SAFETY: mallopt has this signature, takes any numbers, and may be called at any time.
        unsafe { mallopt(M_ARENA_MAX, 1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::sync::Ordering;

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
    fn memory_limits_are_parsed() {
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
    fn words_start_at_zero_and_keep_stored_values() {
        let words = ZeroedWords::new(1 << 16).expect("half a mebibyte");
        assert!(words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        words[17].store(5, Ordering::Relaxed);
        assert_eq!(words[17].load(Ordering::Relaxed), 5);
        #[cfg(not(miri))]
        assert!(ZeroedWords::new(usize::MAX).is_err());
    }

    #[test]
    fn arrays_are_filled_and_keep_written_values() {
        for length in [0, 1, 1_000, 700_000] {
            let mut array = LargeArray::new(7_u32, length);
            assert_eq!(array.len(), length);
            assert!(array.iter().all(|&item| item == 7));
            for (index, item) in array.iter_mut().enumerate() {
                *item = index as u32;
            }
            assert!((0..length).all(|index| array[index] == index as u32));
        }
    }

    /// The system may refuse huge pages, but the alignment is ours.
    #[test]
    #[cfg(not(any(loom, miri)))]
    fn large_arrays_are_aligned_to_huge_pages() {
        let words = ZeroedWords::new(1 << 20).expect("eight mebibytes");
        assert_eq!(words.as_ptr() as usize % (2 << 20), 0);
        let array = LargeArray::new(0_u8, 3 << 19);
        assert_eq!(array.as_ptr() as usize % (2 << 20), 0);
    }
}
