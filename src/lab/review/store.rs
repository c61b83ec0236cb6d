//! The store of verdicts: a database in one file, which several processes may use at once.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use redb::{
    Builder, ConcurrencyMode, Database, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition, TableHandle,
};
use thiserror::Error;

use super::key::VerdictStore;
use crate::base::sync::Mutex;

const TABLE: TableDefinition<&str, &str> = TableDefinition::new("lucena review 1");
/// The least time between two writes to disk. A new entry is written at once if the last write is that old, else with the
/// next entry or at the end: a killed process loses no others.
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);
/// Bytes of memory for pages.
const CACHE: usize = 16 << 20;

/// A fault of a store.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error(transparent)]
    Database(redb::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The checks of the database failed, for this reason.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The file is empty or of another format.
    #[error("not a store of reviews")]
    NotAStore,
    /// The database was made by another program.
    #[error("the file has no table of reviews")]
    NoTable,
    /// It has other tables, named here.
    #[error(
        "the file has the table {0:?}, not {name:?}: it was made by another version or program; choose another file",
        name = TABLE.name()
    )]
    OtherTable(String),
}

impl From<redb::Error> for StoreError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => Self::NotAStore,
            redb::Error::Io(error) => Self::Io(error),
            redb::Error::Corrupted(reason) => Self::Damaged(reason),
            other => Self::Database(other),
        }
    }
}

/// Entries that are not yet written.
struct Pending {
    entries: Vec<(String, String)>,
    /// When entries were last written.
    since: Instant,
    fault: Option<String>,
}

/// An open store.
pub struct Store {
    database: Database,
    pending: Mutex<Pending>,
}

impl Store {
    /// Opens a store, or creates it. Its pages are checked: a damaged one is refused.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened or is damaged.
    pub fn open(path: &Path, create: bool) -> Result<Self, StoreError> {
        let mut builder = Builder::new();
        builder
            .set_cache_size(CACHE)
            .set_concurrency_mode(ConcurrencyMode::MultiWriter)
            .set_check_integrity_on_open(true);
        let database = if create {
            builder.create(path)
        } else {
            builder.open(path)
        };
        let store = Self {
            database: database.map_err(redb::Error::from)?,
            pending: Mutex::new(Pending {
                entries: Vec::new(),
                since: Instant::now(),
                fault: None,
            }),
        };
        store.check_tables()?;
        if create {
            store.write(&[])?;
        }
        Ok(store)
    }

    /// Refuses a database that has only tables of another version or program.
    fn check_tables(&self) -> Result<(), StoreError> {
        let transaction = self.database.begin_read().map_err(redb::Error::from)?;
        let tables = transaction.list_tables().map_err(redb::Error::from)?;
        let mut names = tables.map(|table| table.name().to_owned()).peekable();
        match names.peek().cloned() {
            Some(first) if names.all(|name| name != TABLE.name()) => {
                Err(StoreError::OtherTable(first))
            }
            _ => Ok(()),
        }
    }

    /// Writes entries, all or none.
    ///
    /// # Errors
    /// [`StoreError`]; the store is unchanged then.
    pub fn write(&self, entries: &[(String, String)]) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(redb::Error::from)?;
        {
            let mut table = transaction.open_table(TABLE).map_err(redb::Error::from)?;
            for (key, value) in entries {
                table
                    .insert(key.as_str(), value.as_str())
                    .map_err(redb::Error::from)?;
            }
        }
        transaction.commit().map_err(redb::Error::from)?;
        Ok(())
    }

    /// Passes all entries to `take`, in the order of their keys, until it fails; returns their number.
    ///
    /// # Errors
    /// [`StoreError`], or the error of `take`.
    pub fn for_each<E: From<StoreError>>(
        &self,
        mut take: impl FnMut(&str, &str) -> Result<(), E>,
    ) -> Result<u64, E> {
        let lift = |error: redb::Error| E::from(StoreError::from(error));
        let transaction = self
            .database
            .begin_read()
            .map_err(|error| lift(error.into()))?;
        let table = match transaction.open_table(TABLE) {
            Ok(table) => table,
            Err(redb::TableError::TableDoesNotExist(_)) => return Err(StoreError::NoTable.into()),
            Err(error) => return Err(lift(error.into())),
        };
        for entry in table.iter().map_err(|error| lift(error.into()))? {
            let (key, value) = entry.map_err(|error| lift(error.into()))?;
            take(key.value(), value.value())?;
        }
        table.len().map_err(|error| lift(error.into()))
    }

    fn find(&self, key: &str) -> Result<Option<String>, redb::Error> {
        let table = self.database.begin_read()?.open_table(TABLE)?;
        Ok(table.get(key)?.map(|value| value.value().to_owned()))
    }

    fn flush(&self, pending: &mut Pending) {
        let entries = std::mem::take(&mut pending.entries);
        pending.since = Instant::now();
        if pending.fault.is_none()
            && !entries.is_empty()
            && let Err(error) = self.write(&entries)
        {
            pending.fault = Some(error.to_string());
        }
    }
}

impl VerdictStore for Store {
    fn get(&self, key: &str) -> Option<String> {
        // An entry that cannot be read is found by a search again.
        self.find(key).ok().flatten()
    }

    fn put(&self, key: String, value: String) {
        let mut pending = self.pending.lock();
        pending.entries.push((key, value));
        if pending.since.elapsed() >= COMMIT_INTERVAL {
            self.flush(&mut pending);
        }
    }

    fn finish(&self) -> io::Result<()> {
        let mut pending = self.pending.lock();
        self.flush(&mut pending);
        pending
            .fault
            .take()
            .map_or(Ok(()), |fault| Err(io::Error::other(fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_without_reviews_of_this_version_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other.redb");
        let later: TableDefinition<&str, &str> = TableDefinition::new("lucena review 2");
        {
            let database = Database::create(&path).expect("a database");
            let transaction = database.begin_write().expect("a transaction");
            transaction.open_table(later).expect("a table");
            transaction.commit().expect("a table");
        }
        for create in [false, true] {
            let error = Store::open(&path, create)
                .err()
                .expect("refused")
                .to_string();
            assert!(error.contains("\"lucena review 2\""), "{error}");
            assert!(error.contains("choose another file"), "{error}");
        }
        let database = Database::open(&path).expect("a database");
        let read = database.begin_read().expect("a transaction");
        let tables: Vec<String> = read
            .list_tables()
            .expect("tables")
            .map(|table| table.name().to_owned())
            .collect();
        assert_eq!(tables, ["lucena review 2"]);
    }

    #[test]
    fn an_entry_that_comes_late_is_written_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("store"), true).expect("a store");
        let put = |key: &str| {
            store.put(key.into(), "text".into());
            store.find(key).expect("a reading").is_some()
        };
        // Another entry has just been written.
        store.pending.lock().since = Instant::now() + COMMIT_INTERVAL;
        assert!(!put("early"));
        let earlier = Instant::now().checked_sub(COMMIT_INTERVAL);
        store.pending.lock().since = earlier.expect("an earlier time");
        assert!(put("late"));
        assert!(store.get("early").is_some());
    }
}
