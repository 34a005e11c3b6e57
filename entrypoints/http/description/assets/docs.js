"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function resolved(api, schema) {
  if (!schema || !schema.$ref) return schema || {};
  return api.components.schemas[schema.$ref.split("/").pop()] || {};
}

function kindOf(schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.anyOf) return schema.anyOf.map(kindOf).filter((kind) => kind !== "null").join(" | ");
  if (schema.type === "array") return `list of ${kindOf(schema.items) || "anything"}`;
  return schema.format || schema.type || "anything";
}

function table(rows) {
  const lines = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  return element("table", {}, element("tbody", {}, ...lines));
}

function section(title, ...content) {
  return [element("h3", {}, title), ...content];
}

function parameters(operation) {
  const known = operation.parameters || [];
  if (!known.length) return [];
  const rows = known.map((one) => [
    one.name + (one.required ? " *" : ""),
    `${one.in}, ${kindOf(one.schema)}`,
    one.description || "",
  ]);
  return section("Parameters", table(rows));
}

function fields(api, schema) {
  const whole = resolved(api, schema);
  const required = whole.required || [];
  return table(
    Object.entries(whole.properties || {}).map(([name, one]) => [
      name + (required.includes(name) ? " *" : ""),
      kindOf(one),
      one.description || "",
    ]),
  );
}

function body(api, operation) {
  const content = operation.requestBody && operation.requestBody.content["application/json"];
  if (!content) return [];
  const example = (resolved(api, content.schema).examples || [])[0];
  const shown = example ? [element("pre", {}, JSON.stringify(example, null, 2))] : [];
  return [
    ...section(`Body: ${kindOf(content.schema)}`, fields(api, content.schema)),
    ...(shown.length ? section("Example", ...shown) : []),
  ];
}

function answers(api, operation) {
  const rows = Object.entries(operation.responses).map(([status, answer]) => {
    const content = Object.values(answer.content || {})[0];
    return [status, content ? kindOf(content.schema) : "no body", answer.description || ""];
  });
  const hoped = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const content = hoped && Object.values(hoped[1].content || {})[0];
  const shape = content && content.schema ? section(`Answer: ${kindOf(content.schema)}`, fields(api, content.schema)) : [];
  return [...section("Answers", table(rows)), ...shape];
}

function operationOf(api, path, method, operation) {
  const content = element("div", {});
  const made = element(
    "details",
    { className: "operation" },
    element(
      "summary",
      {},
      element("span", { className: "method" }, method.toUpperCase()),
      element("span", { className: "path" }, path),
      element("span", { className: "said" }, operation.summary || ""),
    ),
    content,
  );
  made.dataset.words = `${method} ${path} ${operation.summary} ${operation.operationId}`.toLowerCase();
  made.addEventListener("toggle", () => {
    if (!made.open || content.childElementCount) return;
    if (operation.description) content.append(element("p", {}, operation.description));
    content.append(...parameters(operation), ...body(api, operation), ...answers(api, operation));
  });
  return made;
}

function show(api) {
  document.getElementById("title").textContent = `${api.info.title} ${api.info.version}`;
  document.getElementById("summary").textContent = api.info.summary || "";
  const groups = new Map();
  for (const [path, operations] of Object.entries(api.paths)) {
    for (const method of METHODS.filter((one) => operations[one])) {
      const tag = (operations[method].tags || ["other"])[0];
      if (!groups.has(tag)) groups.set(tag, element("section", {}, element("h2", {}, tag)));
      groups.get(tag).append(operationOf(api, path, method, operations[method]));
    }
  }
  document.getElementById("operations").replaceChildren(...groups.values());
}

function search(event) {
  const wanted = event.target.value.toLowerCase();
  for (const group of document.querySelectorAll("section")) {
    const all = [...group.querySelectorAll("details")];
    for (const one of all) one.hidden = !one.dataset.words.includes(wanted);
    group.hidden = all.every((one) => one.hidden);
  }
}

document.getElementById("search").addEventListener("input", search);
fetch("/openapi.json")
  .then((answer) => answer.json())
  .then(show)
  .catch((error) => {
    document.getElementById("operations").textContent = `The description cannot be read: ${error}`;
  });
