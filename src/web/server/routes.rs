//! Every route of the server, in one table.

use std::borrow::Cow;

use crate::base::text::shortened;
use crate::web::api::ApiError;

/// Carries the token; every route takes it.
pub const TOKEN: &str = "token";

/// The method of a route; `HEAD` is served like `GET`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

impl Method {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// What answers a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handler {
    About,
    Position,
    Eval,
    Explain,
    WhyNot,
    Threats,
    Review,
    ReviewPgn,
    Level,
    Engine,
}

/// A path with its method and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    pub method: Method,
    pub path: &'static str,
    /// The query parameters that it takes; any other is refused.
    pub parameters: &'static [&'static str],
    pub(super) handler: Handler,
}

const fn get(path: &'static str, parameters: &'static [&'static str], handler: Handler) -> Route {
    Route {
        method: Method::Get,
        path,
        parameters,
        handler,
    }
}

/// The routes below `/api/`; everything else is a file of the page.
pub const ROUTES: [Route; 10] = [
    get("/api/about", &[], Handler::About),
    get("/api/position", &["fen", "moves"], Handler::Position),
    get("/api/eval", &["fen", "moves"], Handler::Eval),
    get(
        "/api/explain",
        &["fen", "moves", "move", "against", "nodes"],
        Handler::Explain,
    ),
    get(
        "/api/why-not",
        &["fen", "moves", "move", "nodes"],
        Handler::WhyNot,
    ),
    get("/api/threats", &["fen", "moves", "nodes"], Handler::Threats),
    get("/api/review", &["fen", "moves", "nodes"], Handler::Review),
    Route {
        method: Method::Post,
        path: "/api/review",
        parameters: &["nodes"],
        handler: Handler::ReviewPgn,
    },
    get("/api/level", &["fen", "moves", "elo"], Handler::Level),
    get("/api/engine", &[], Handler::Engine),
];

/// The parameters of a request.
#[derive(Clone, Debug, Default)]
pub struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads the query of a request for a route.
    ///
    /// # Errors
    /// [`ApiError`] names a parameter that the route does not take, or that is given twice.
    pub fn read(route: &Route, query: &str) -> Result<Self, ApiError> {
        let mut found: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if name == TOKEN {
                continue;
            }
            if !route.parameters.contains(&&*name) {
                let name = shortened(&name, 32);
                let known = if route.parameters.is_empty() {
                    "it takes none".to_owned()
                } else {
                    format!("it takes {}", route.parameters.join(", "))
                };
                let message = format!("{} has no parameter {name:?}: {known}", route.path);
                return Err(ApiError::in_field(&name, message));
            }
            if found.iter().any(|(known, _)| *known == name) {
                return Err(ApiError::in_field(&name, format!("{name} is given twice")));
            }
            found.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(found))
    }

    /// The text of a parameter; an empty one counts as missing.
    pub fn text(&self, name: &str) -> Option<String> {
        let found = self.0.iter().find(|(known, _)| known == name);
        let found = found.map(|(_, value)| value.clone());
        found.filter(|value| !value.trim().is_empty())
    }

    /// The number of a parameter.
    ///
    /// # Errors
    /// [`ApiError`] if it is not a number.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, ApiError> {
        let parse = |text: String| {
            let found = text.trim().parse();
            found.map_err(|_| ApiError::in_field(name, "must be a whole number"))
        };
        self.text(name).map(parse).transpose()
    }
}

/// The value of a parameter of a query, whatever the route takes.
pub fn parameter<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let found = form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    found.map(|(_, value)| value)
}
