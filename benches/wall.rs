//! Times of board and TT operations, for comparing two states while working on them: `cargo bench --bench wall`, with
//! `-- --save-baseline NAME` and `-- --baseline NAME`. What counts in the end are instructions (`count`) and the bench.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lucena::chess::GenType;

fn board(criterion: &mut Criterion) {
    let cases = common::cases();
    let mut group = criterion.benchmark_group("board");
    group.throughput(Throughput::Elements(common::moves(&cases)));
    group.bench_function("make", |b| b.iter(|| common::make(black_box(&cases))));
    group.bench_function("see", |b| b.iter(|| common::see(black_box(&cases))));
    group.bench_function("is_legal", |b| {
        b.iter(|| common::is_legal(black_box(&cases)));
    });
    group.bench_function("gives_check", |b| {
        b.iter(|| common::gives_check(black_box(&cases)));
    });
    group.throughput(Throughput::Elements(cases.len() as u64));
    for (name, gen_type) in [
        ("generate all", GenType::All),
        ("generate noisy", GenType::Noisy),
        ("generate quiet", GenType::Quiet),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| common::generate(black_box(&cases), gen_type));
        });
    }
    group.finish();
}

fn table(criterion: &mut Criterion) {
    let keys = common::keys();
    let table = common::table(&keys);
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("probe", |b| {
        b.iter(|| common::probe(black_box(&table), &keys));
    });
    group.bench_function("store", |b| {
        b.iter(|| common::store(black_box(&table), &keys));
    });
    group.finish();
}

criterion_group!(benches, board, table);
criterion_main!(benches);
