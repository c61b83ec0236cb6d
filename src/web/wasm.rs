//! The engine in a Worker of a page: the functions that JavaScript calls. Requests and answers are JSON, the same as those
//! of `lucena serve`. There are no threads: a search blocks its Worker, and to stop it early the page ends the Worker.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use js_sys::Function;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::engine::level::GameView;
use crate::engine::level::player::RATINGS;
use crate::engine::{Engine, Listener};
use crate::web::api::review::{self, ReviewEvent};
use crate::web::api::{self, About, ApiError, ApiLimits, ErrorKind, Evaluator, GameRequest};
use crate::web::api::{LevelPlayer, LevelRequest, QuestionRequest, Reporter, SearchRequest, Stop};

/// MiB of the transposition table.
const HASH: usize = 16;
/// Bytes of a PGN text.
const MAX_BODY: usize = 4 << 20;
/// Games of a review.
const MAX_GAMES: usize = 500;

static EVALUATOR: LazyLock<Evaluator> = LazyLock::new(Evaluator::new);

thread_local! {
    static ENGINE: RefCell<(Engine, LevelPlayer)> =
        RefCell::new((Engine::new(), LevelPlayer::new(|| js_sys::Math::random().to_bits())));
}

#[wasm_bindgen]
extern "C" {
    /// Sends a text from the Worker to the page.
    #[wasm_bindgen(js_name = postMessage)]
    fn post_message(text: &str);
}

/// Sets the opening book (a Polyglot file) and the tables (`PACK` in `tablebase/embedded.rs`); call it first.
#[wasm_bindgen]
pub fn set_data(book: Vec<u8>, tables: Vec<u8>) {
    #[cfg(target_family = "wasm")]
    crate::engine::embedded::set(book, tables);
    #[cfg(not(target_family = "wasm"))]
    drop((book, tables));
}

/// Answers a request that needs no events: `about`, `position`, `eval`, `explain`, `why-not`, `threats`,
/// `level`.
///
/// # Errors
/// An error as the server sends it.
#[wasm_bindgen]
pub fn answer(method: &str, request: &str) -> Result<String, JsValue> {
    let found = match method {
        "about" => json(&about()),
        "position" => read(request).and_then(|game: GameRequest| json(&api::position(&game)?)),
        "eval" => read(request).and_then(|game: GameRequest| json(&EVALUATOR.answer(&game)?)),
        "explain" => read(request)
            .and_then(|asked: QuestionRequest| json(&api::explain(&asked, &Stop::default())?)),
        "why-not" => read(request)
            .and_then(|asked: QuestionRequest| json(&api::why_not(&asked, &Stop::default())?)),
        "threats" => read(request)
            .and_then(|asked: QuestionRequest| json(&api::threats(&asked, &Stop::default())?)),
        "level" => read(request).and_then(|asked: LevelRequest| json(&api::level(&asked)?)),
        _ => Err(ApiError::new(ErrorKind::Invalid, "no such method")),
    };
    found.map_err(|error| JsValue::from_str(&error_text(error)))
}

/// Searches; its reports go to the page as messages.
///
/// # Errors
/// An error as the server sends it.
#[wasm_bindgen]
pub fn search(request: &str) -> Result<(), JsValue> {
    start(request).map_err(|error| JsValue::from_str(&error_text(error)))
}

/// Reviews the games of a PGN text; `send` is called with the JSON of each event.
///
/// # Errors
/// An error as the server sends it.
#[wasm_bindgen]
pub fn review(pgn: &[u8], nodes: Option<u32>, send: &Function) -> Result<(), JsValue> {
    let games = review::limit(nodes.map(u64::from)).and_then(|limit| {
        let games = review::split(pgn, MAX_GAMES)?;
        Ok((limit, games))
    });
    let (limit, games) = games.map_err(|error| JsValue::from_str(&error_text(error)))?;
    review::review_games(
        &games,
        limit,
        &Stop::default(),
        &mut |event: ReviewEvent| {
            let text = serde_json::to_string(&event).unwrap_or_default();
            send.call1(&JsValue::NULL, &JsValue::from_str(&text))
                .is_ok()
        },
    );
    Ok(())
}

fn about() -> About {
    About::new(ApiLimits {
        max_body: MAX_BODY,
        max_nodes: api::MAX_NODES,
        max_review_nodes: review::MAX_NODES,
        max_games: MAX_GAMES,
        max_hash: HASH,
        max_multipv: api::MAX_MULTI_PV,
        min_elo: Some(RATINGS[0]),
        max_elo: Some(RATINGS[1]),
    })
}

fn start(request: &str) -> Result<(), ApiError> {
    let request: SearchRequest = read(request)?;
    let read = request.game()?;
    let position = *read.game.position();
    let limits = request.limits.limits(position.turn())?;
    let (lines, level) = (request.lines()?, request.level(&limits)?);
    let view = GameView::with_moves(read.game, &read.moves);
    ENGINE.with_borrow_mut(|(engine, player)| {
        engine.set_hash(request.hash(HASH, HASH)?);
        engine.set_multi_pv(lines);
        engine.own_book().set_on(request.book);
        let reporter = Reporter::new(request.id, position, |report| {
            post_message(&serde_json::to_string(&report).unwrap_or_default());
        });
        let reporter = Arc::new(reporter);
        let listener: Arc<dyn Listener> = Arc::clone(&reporter) as Arc<dyn Listener>;
        let signal = engine.signal();
        let ticket = signal.issue();
        let found = match level {
            Some(rating) => player.go(engine, rating, &view, limits, ticket, &listener),
            None => engine.go(view.game(), limits, ticket, &listener),
        };
        signal.finish(ticket);
        reporter.finish(found);
        Ok(())
    })
}

fn read<T: DeserializeOwned>(request: &str) -> Result<T, ApiError> {
    serde_json::from_str(request).map_err(|error| ApiError::of_json("", &error))
}

fn json(found: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(found).map_err(|error| ApiError::new(ErrorKind::Failed, error))
}

fn error_text(error: ApiError) -> String {
    serde_json::to_string(&api::ErrorBody { error }).unwrap_or_default()
}
