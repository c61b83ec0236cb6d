//! As much of JSON Schema as the files in `docs/` use.

use serde_json::Value;

/// The files that a schema may refer to, by name.
const FILES: [(&str, &str); 5] = [
    (
        "explain.schema.json",
        include_str!("../../docs/explain.schema.json"),
    ),
    (
        "threats.schema.json",
        include_str!("../../docs/threats.schema.json"),
    ),
    (
        "blame.schema.json",
        include_str!("../../docs/blame.schema.json"),
    ),
    (
        "review.schema.json",
        include_str!("../../docs/review.schema.json"),
    ),
    ("openapi.json", include_str!("../../docs/openapi.json")),
];

/// A file of schemas.
pub fn file(name: &str) -> Value {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (_, text) = found.unwrap_or_else(|| panic!("no schema {name}"));
    serde_json::from_str(text).expect("JSON")
}

/// Checks a value against the text of a schema, and returns the first fault.
pub fn check(schema: &str, value: &Value, place: &str) -> Result<(), String> {
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let found = faults(&schema, &schema, value);
    match found.first() {
        None => Ok(()),
        Some(fault) => Err(format!("{place}{fault}")),
    }
}

/// What is wrong with a value: the keywords of JSON Schema that the files use. Names that an object's schema does not list are
/// faults, unless it lists none.
pub fn faults(root: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(root, schema, value, "", &mut found);
    found
}

fn collect(root: &Value, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(target) = schema["$ref"].as_str() {
        let (name, place) = target.split_once('#').unwrap_or((target, ""));
        let other = (!name.is_empty()).then(|| file(name));
        let root = other.as_ref().unwrap_or(root);
        let schema = root.pointer(place).expect("a definition");
        return collect(root, schema, value, path, found);
    }
    let mut fault = |what: String| found.push(format!("{path}: {what}"));
    if let Some(kind) = schema["type"].as_str() {
        let is_kind = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("no such type: {other}"),
        };
        if !is_kind {
            return fault(format!("{value} is no {kind}"));
        }
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        fault(format!("{value} is not among the values"));
    }
    let size = value
        .as_f64()
        .or_else(|| value.as_str().map(|text| text.len() as f64))
        .or_else(|| value.as_array().map(|items| items.len() as f64));
    for (keyword, is_least) in [
        ("minimum", true),
        ("minLength", true),
        ("minItems", true),
        ("maximum", false),
        ("maxLength", false),
        ("maxItems", false),
    ] {
        if let (Some(limit), Some(size)) = (schema[keyword].as_f64(), size)
            && if is_least { size < limit } else { size > limit }
        {
            fault(format!("{keyword} {limit}: {value}"));
        }
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let fits = choices
            .iter()
            .filter(|choice| faults(root, choice, value).is_empty());
        if fits.count() != 1 {
            fault(format!("{value} fits not exactly one choice"));
        }
    }
    if let Some(choices) = schema["anyOf"].as_array()
        && !choices
            .iter()
            .any(|choice| faults(root, choice, value).is_empty())
    {
        fault(format!("{value} fits no choice"));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().expect("a name")).is_none() {
            fault(format!("{name} is missing"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{path}/{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => found.push(format!("{place}: unknown")),
            (Value::Null, Value::Null) if schema["properties"].is_object() => {
                found.push(format!("{place}: unknown"));
            }
            (Value::Null, Value::Object(other)) => {
                collect(root, &Value::Object(other.clone()), inner, &place, found);
            }
            (Value::Null, _) => {}
            (known, _) => collect(root, known, inner, &place, found),
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        if !schema["items"].is_null() {
            let place = format!("{path}/{index}");
            collect(root, &schema["items"], item, &place, found);
        }
    }
}
