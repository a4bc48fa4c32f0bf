/** A page of the three APIs: each document's endpoints, read from its OpenAPI in the browser. It asks nobody else. */
export const API_PAGE: string = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mailflow: APIs</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
summary { cursor: pointer; font-family: ui-monospace, monospace; padding: .25rem 0; }
summary b { display: inline-block; min-width: 4.5rem; }
pre { overflow-x: auto; border: 1px solid; padding: .5rem; border-radius: .25rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1rem .75rem .1rem 0; vertical-align: top; }
</style>
<h1>APIs of this simulator</h1>
<nav id="nav" aria-label="Documents"></nav>
<main id="main"><p>Loading …</p></main>
<script>
"use strict";
const DOCUMENTS = ["/v4/openapi.json", "/v3/openapi.json", "/_sim/openapi.json"];
const el = (name, text, ...children) => {
  const node = document.createElement(name);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
};
const typeOf = (schema) =>
  (schema.enum || []).join(" | ") || [schema.type].flat().join(" | ") || (schema.anyOf || schema.oneOf || []).map(typeOf).join(" | ");
const row = (name, where, required, schema, description) => {
  const tr = el("tr");
  for (const text of [name + (required ? "" : "?"), where, typeOf(schema), description || schema.description || ""]) tr.append(el("td", text));
  return tr;
};
const show = (base, path, method, operation) => {
  const details = el("details");
  const summary = el("summary");
  summary.append(el("b", method.toUpperCase()), base + path + " – " + (operation.summary || ""));
  details.append(summary);
  const table = el("table");
  for (const each of operation.parameters || []) table.append(row(each.name, each.in, each.required, each.schema, each.description));
  const body = operation.requestBody && operation.requestBody.content["application/json"].schema;
  const required = (body && body.required) || [];
  for (const [name, schema] of Object.entries((body && body.properties) || {})) table.append(row(name, "body", required.includes(name), schema));
  if (table.children.length) details.append(table);
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (answer.$ref) continue;
    details.append(el("p", status + ": " + answer.description));
    const content = Object.entries(answer.content || {})[0];
    if (content) details.append(el("pre", content[0] + "\\n" + JSON.stringify(content[1].schema, null, 2)));
  }
  return details;
};
Promise.all(DOCUMENTS.map((url) => fetch(url).then((answer) => answer.json()))).then((all) => {
  const main = document.getElementById("main");
  main.replaceChildren();
  all.forEach((doc, index) => {
    const base = doc.servers[0].url;
    const heading = el("h2", doc.info.title + " (" + base + ")");
    heading.id = "doc" + index;
    const link = el("a", base);
    link.href = "#doc" + index;
    document.getElementById("nav").append(link, " ");
    const source = el("a", "OpenAPI");
    source.href = DOCUMENTS[index];
    main.append(heading, el("p", "", source));
    for (const [path, item] of Object.entries(doc.paths))
      for (const [method, operation] of Object.entries(item)) main.append(show(base, path, method, operation));
  });
}, (error) => { document.getElementById("main").textContent = "The documents cannot be read: " + error.message; });
</script>
</html>
`;
