//! The JSON output matches docs/explain.schema.json, and every field that the schema names is tested for.

use serde_json::Value;

use crate::common::lucena;

const SCHEMA: &str = include_str!("../../docs/explain.schema.json");

/// What is wrong with a value: the keywords of JSON Schema that the file uses.
fn faults(root: &Value, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let schema = match schema["$ref"].as_str() {
        Some(target) => root
            .pointer(target.trim_start_matches('#'))
            .expect("a definition"),
        None => schema,
    };
    let mut fault = |what: String| found.push(format!("{path}: {what}"));
    if let Some(kind) = schema["type"].as_str() {
        let is_kind = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
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
        let fits = choices.iter().filter(|choice| {
            let mut wrong = Vec::new();
            faults(root, choice, value, path, &mut wrong);
            wrong.is_empty()
        });
        if fits.count() != 1 {
            fault(format!("{value} fits not exactly one choice"));
        }
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
            (Value::Null, Value::Object(other)) => {
                faults(root, &Value::Object(other.clone()), inner, &place, found);
            }
            (Value::Null, _) => {}
            (known, _) => faults(root, known, inner, &place, found),
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        if !schema["items"].is_null() {
            faults(
                root,
                &schema["items"],
                item,
                &format!("{path}/{index}"),
                found,
            );
        }
    }
}

#[test]
fn json_matches_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("a schema");
    for arguments in [
        &["explain", "startpos"][..],
        &["explain", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"],
        &["why-not", "startpos", "f3"],
        &[
            "explain",
            "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5N2/PPPP1PPP/RNBQK2R w KQkq - 3 4",
            "Nxe5",
        ],
        &["explain", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"],
        &["explain", "7k/8/8/8/8/8/6q1/7K w - - 0 1"],
    ] {
        let output = lucena(&[arguments, &["--json", "--nodes", "20000"]].concat());
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut found = Vec::new();
        faults(&schema, &schema, &json, "", &mut found);
        assert!(found.is_empty(), "{arguments:?}: {found:#?}");
    }
}

#[test]
fn the_schema_refuses_what_it_should() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("a schema");
    let output = lucena(&["explain", "startpos", "--json", "--nodes", "2000"]);
    let good: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (field, bad) in [
        ("wdl", Value::from(vec![1, 2])),
        ("score", Value::Null),
        ("claims", Value::from(Vec::<Value>::new())),
        ("more", Value::from(1)),
    ] {
        let mut json = good.clone();
        json[field] = bad;
        let mut found = Vec::new();
        faults(&schema, &schema, &json, "", &mut found);
        assert!(!found.is_empty(), "{field}");
    }
}
