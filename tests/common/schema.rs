//! JSON against JSON Schema.

use serde_json::Value;

/// Checks a value against the parts of JSON Schema that our schemas use, and returns the first fault.
pub fn check(schema: &str, value: &Value, place: &str) -> Result<(), String> {
    let whole: Value = serde_json::from_str(schema).expect("JSON");
    check_part(&whole, &whole, value, place)
}

fn check_part(whole: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let check =
        |schema: &Value, value: &Value, place: &str| check_part(whole, schema, value, place);
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let part = whole.pointer(name.trim_start_matches('#'));
        return check(part.expect("a definition"), value, place);
    }
    if let Some(all) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = all.iter().any(|schema| check(schema, value, place).is_ok());
        return fits.then_some(()).ok_or(format!("{place}: {value}"));
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        return allowed
            .contains(value)
            .then_some(())
            .ok_or(format!("{place}: {value}"));
    }
    let is_type = match schema["type"].as_str().unwrap_or("") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => return Err(format!("{place}: the schema has the type {other:?}")),
    };
    if !is_type {
        return Err(format!("{place}: {value} is no {}", schema["type"]));
    }
    if let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object())
    {
        for name in schema["required"].as_array().into_iter().flatten() {
            let name = name.as_str().unwrap_or("");
            object.get(name).ok_or(format!("{place}: no {name}"))?;
        }
        for (name, value) in object {
            let inner = properties
                .get(name)
                .ok_or(format!("{place}: {name} is not in the schema"))?;
            check(inner, value, &format!("{place}.{name}"))?;
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        for value in values {
            check(items, value, &format!("{place}[]"))?;
        }
    }
    Ok(())
}
