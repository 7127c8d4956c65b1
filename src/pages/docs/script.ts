/** Made from `browser/` by `npx node docs/page-script.ts`; not written by hand. */
export const docsScript = `
"use strict";
(() => {
  function element(name, attributes = {}, ...children) {
    const created = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === true) created.setAttribute(key, "");
      else if (typeof value === "string") created.setAttribute(key, value);
    }
    created.append(...children);
    return created;
  }
  function findElement(within, selector) {
    const first = within.querySelector(selector);
    if (!first) throw new Error(\`the page has no \${selector}\`);
    return first;
  }

  function attemptOf(values) {
    const { base: base2, method, path, fields, credentials } = values;
    const fieldsIn = (place) => fields.filter((field) => field.place === place);
    const pairs = fieldsIn("query").flatMap(
      ({ name, kind, value }) => pairsOf(name, kind === "json" ? parsed(value) : value)
    );
    const query = [...pairs, values.query.trim().replace(/^[?&]+/, "")].filter((pair) => pair !== "");
    const body = method === "GET" ? void 0 : bodyOf(fieldsIn("body"), values.body.trim());
    return {
      method,
      url: base2 + filledPath(path, fieldsIn("path")) + (query.length > 0 ? \`?\${query.join("&")}\` : ""),
      headers: {
        ...Object.fromEntries(fieldsIn("header").map(({ name, value }) => [name, value])),
        ...credentials ? { Authorization: basic(credentials) } : {},
        ...body ? { "Content-Type": body.type } : {}
      },
      ...body ? { body: body.text } : {}
    };
  }
  var filledPath = (path, fields) => path.replace(/\\{(\\w+)\\}/g, (placeholder, name) => {
    const value = fields.find((field) => field.name === name)?.value;
    return value === void 0 ? placeholder : encodeURIComponent(value);
  });
  function pairsOf(name, value) {
    if (Array.isArray(value)) return value.flatMap((item, index) => pairsOf(\`\${name}[\${index}]\`, item));
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([key, member]) => pairsOf(\`\${name}[\${key}]\`, member));
    }
    return [\`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value)).replaceAll("%2C", ",")}\`];
  }
  function bodyOf(fields, typed) {
    if (fields.length === 0 && typed === "") return void 0;
    const more = typed === "" ? {} : parsed(typed);
    if (fields.length === 0) {
      return isJson(typed) ? { type: "application/json", text: typed } : { type: "text/plain", text: typed };
    }
    const members = Object.fromEntries(fields.map((field) => [field.name, memberOf(field)]));
    const all = typeof more === "object" && more !== null && !Array.isArray(more) ? { ...members, ...more } : members;
    return { type: "application/json", text: JSON.stringify(all) };
  }
  function memberOf({ kind, value }) {
    switch (kind) {
      case "integer":
      case "number":
        return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
      case "boolean":
        return value === "true" ? true : value === "false" ? false : value;
      case "list":
        return value.trim().startsWith("[") ? parsed(value) : value.split(",").map((item) => item.trim()).filter((item) => item !== "");
      case "json":
        return parsed(value);
      default:
        return value;
    }
  }
  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  var isJson = (text) => typeof parsed(text) !== "string" || text.startsWith('"');
  function basic({ login, password }) {
    const bytes = new TextEncoder().encode(\`\${login}:\${password}\`);
    return \`Basic \${btoa(String.fromCharCode(...bytes))}\`;
  }
  function curlOf({ method, url, headers, body }, login) {
    const otherHeaders = Object.entries(headers).filter(([name]) => name !== "Authorization");
    const parts = [
      "curl",
      ...method === "GET" ? [] : ["-X", method],
      ...login === void 0 ? [] : ["-u", quoted(login)],
      ...otherHeaders.flatMap(([name, value]) => ["-H", quoted(\`\${name}: \${value}\`)]),
      ...body === void 0 ? [] : ["--data-raw", quoted(body)],
      .../[[\\]{}]/.test(url) ? ["-g"] : [],
      quoted(url)
    ];
    return parts.join(" ");
  }
  var quoted = (text) => \`'\${text.replaceAll("'", "'\\\\''")}'\`;
  function prettyBody(text, contentType) {
    if (!/[/+]json\\b/.test(contentType)) return text;
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  function matches(text, wanted) {
    const lower = text.toLowerCase();
    return wanted.toLowerCase().split(/\\s+/).every((word) => lower.includes(word));
  }

  function createSearch() {
    const form = findElement(document, "#search");
    const input = findElement(form, "input");
    const count = findElement(form, "[role=status]");
    const groups = [...document.querySelectorAll("section.group")].map((group) => ({
      group,
      link: document.querySelector(\`nav a[href="#\${group.id}"]\`)?.parentElement,
      routes: [...group.querySelectorAll("details.route")].map((route) => ({
        route,
        text: \`\${group.id} \${route.dataset.search ?? ""}\`
      }))
    }));
    const forAll = findElement(document, "#for-all");
    form.hidden = false;
    const update = () => {
      const wanted = input.value.trim();
      let shown = 0;
      for (const { group, link, routes } of groups) {
        for (const { route, text } of routes) route.hidden = !matches(text, wanted);
        const visible = routes.filter(({ route }) => !route.hidden).length;
        group.hidden = visible === 0;
        if (link) link.hidden = visible === 0;
        shown += visible;
      }
      forAll.hidden = wanted !== "";
      count.textContent = wanted === "" ? "" : shown === 1 ? "1 entry" : \`\${shown} entries\`;
    };
    input.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  function createSignIn(base2) {
    let credentials;
    const section = findElement(document, "#sign-in");
    const form = findElement(section, "form");
    const [login, password] = ["login", "password"].map((name) => findElement(form, \`[name=\${name}]\`));
    const status = findElement(section, "[role=status]");
    const signOut = element("button", { type: "button", hidden: true }, "Sign out");
    findElement(form, "button").after(signOut);
    section.hidden = false;
    const show = (text, isIn) => {
      status.textContent = text;
      signOut.hidden = !isIn;
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const entered = { login: login?.value ?? "", password: password?.value ?? "" };
      status.textContent = "Signing in…";
      const refusal = await refusalOf(base2, entered);
      if (refusal !== void 0) {
        show(credentials ? \`\${refusal} Requests are still sent as \${credentials.login}.\` : refusal, Boolean(credentials));
        return;
      }
      credentials = entered;
      if (password) password.value = "";
      show(\`Requests are sent as \${entered.login}, until this page is left.\`, true);
    });
    signOut.addEventListener("click", () => {
      credentials = void 0;
      show("Requests are sent as a visitor.", false);
      login?.focus();
    });
    return { credentials: () => credentials };
  }
  async function refusalOf(base2, entered) {
    try {
      const headers = { Authorization: basic(entered) };
      const response = await fetch(\`\${base2}/?_fields=name\`, { headers, credentials: "omit", cache: "no-store" });
      if (response.ok) return void 0;
      const { message } = await response.json();
      return message ?? \`The answer was \${response.status}.\`;
    } catch {
      return "The service can not be reached.";
    }
  }

  var globals = [
    ["_fields", "author,title.rendered"],
    ["_embed", "1, or relations"],
    ["_envelope", "1"]
  ];
  var maxShownCharacters = 2e5;
  function addTryIt(route, context) {
    const { path = "" } = route.dataset;
    const inputs = {
      entries: [],
      query: element("input", { type: "text", autocomplete: "off", spellcheck: "false" }),
      body: element("textarea", { rows: "4", spellcheck: "false" }),
      method: element("select", {}, ...methodsOf(route).map((name) => element("option", {}, name))),
      send: element("button", { type: "submit", class: "primary" }, "Send")
    };
    const result = createResult();
    const form = createForm(route, inputs, result.region);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      return submit(path, context, inputs, result);
    });
    findElement(route, ".inside").append(form);
  }
  var methodsOf = ({ dataset: { methods = "" } }) => methods.split(" ");
  function createForm(route, inputs, region) {
    const { body = "" } = route.dataset;
    const { query, body: typed, method, send } = inputs;
    const names = methodsOf(route);
    const title = \`\${route.id}-try\`;
    const own = ownFields(route, inputs.entries);
    const shared = sharedFields(route, inputs.entries);
    return element(
      "form",
      { class: "try", novalidate: true, "aria-labelledby": title },
      element("h4", { id: title }, "Try it"),
      ...names.every((name) => name === "GET") ? [] : [element("p", { class: "warning" }, "It is carried out on this site.")],
      element(
        "div",
        { class: "fields" },
        ...names.length > 1 ? [labelled(route, method, "Method")] : [],
        ...own,
        ...body === "" ? [] : [labelled(route, typed, body === "more" ? "More of the body" : "Body", "JSON")]
      ),
      element(
        "details",
        { class: "more" },
        element("summary", {}, "What every route takes"),
        ...shared,
        labelled(route, query, "More of the query", "a=1&b=2")
      ),
      element("p", { class: "actions" }, send),
      region
    );
  }
  function ownFields(route, entries) {
    return [...route.querySelectorAll("tr[data-name]")].map((row) => {
      const { name = "", place = "query", kind = "text", options, required } = row.dataset;
      const control = controlFor(kind, options, required !== void 0);
      entries.push([{ name, place, kind }, control]);
      return labelled(route, control, name, hintOf(kind, place, required !== void 0));
    });
  }
  function sharedFields(route, entries) {
    return globals.map(([name, hint]) => {
      const control = element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
      entries.push([{ name, place: "query", kind: "text" }, control]);
      return labelled(route, control, name, hint);
    });
  }
  function labelled(route, control, label, hint = "") {
    control.id = \`\${route.id}-\${label}\`;
    const note = hint === "" ? [] : [element("span", { class: "hint", id: \`\${control.id}-hint\` }, hint)];
    if (hint !== "") control.setAttribute("aria-describedby", \`\${control.id}-hint\`);
    return element("div", { class: "field" }, element("label", { for: control.id }, label), ...note, control);
  }
  async function submit(path, context, { entries, query, body, method, send }, result) {
    const fields = entries.flatMap(
      ([declared, control]) => control.value === "" ? [] : [{ ...declared, value: control.value }]
    );
    const missing = entries.find(([{ place }, control]) => place === "path" && control.value === "");
    if (missing) {
      result.say(\`\${missing[0].name} is missing: it stands in the path.\`);
      missing[1].focus();
      return;
    }
    const credentials = context.credentials();
    const { base: base2 } = context;
    const attempt = attemptOf({
      base: base2,
      method: method.value,
      path,
      fields,
      query: query.value,
      body: body.value,
      credentials
    });
    send.disabled = true;
    await result.show(attempt, credentials?.login);
    send.disabled = false;
    send.focus();
  }
  function controlFor(kind, options, isRequired) {
    const choices = kind === "boolean" ? ["true", "false"] : options && kind !== "list" ? JSON.parse(options) : [];
    const shared = { "aria-required": isRequired ? "true" : void 0 };
    if (choices.length > 0) {
      const unset = element("option", { value: "" }, "(left out)");
      return element("select", shared, unset, ...choices.map((choice) => element("option", {}, choice)));
    }
    if (kind === "json") return element("textarea", { ...shared, rows: "2", spellcheck: "false" });
    const inputmode = kind === "integer" ? "numeric" : void 0;
    return element("input", { ...shared, type: "text", autocomplete: "off", spellcheck: "false", inputmode });
  }
  function hintOf(kind, place, isRequired) {
    const words = [
      isRequired ? "required" : "",
      place === "header" ? "header" : "",
      kind === "list" ? "separated by commas" : kind === "json" ? "JSON, or a text" : ""
    ];
    return words.filter((word) => word !== "").join(", ");
  }
  function createResult() {
    const status = element("p", { role: "status", class: "status" });
    const rest = element("div", {});
    const region = element("div", { class: "result" }, status, rest);
    const say = (text) => {
      status.textContent = text;
      rest.replaceChildren();
    };
    async function show(attempt, login) {
      say("Sent…");
      const line = curlOf(attempt, login);
      const began = performance.now();
      try {
        const { url, ...init } = attempt;
        const response = await fetch(url, { ...init, credentials: "omit", cache: "no-store", redirect: "follow" });
        const text = await response.text();
        const ms = Math.round(performance.now() - began);
        status.textContent = \`\${response.status} \${response.statusText}\`.trim();
        status.dataset.kind = response.ok ? "good" : "bad";
        rest.replaceChildren(
          element("p", { class: "hint" }, \`\${ms} ms, \${new TextEncoder().encode(text).length} bytes\`),
          block("As a line for a terminal", line, { isCopied: true }),
          block("Headers", [...response.headers].map(([name, value]) => \`\${name}: \${value}\`).join("\\n")),
          block("Body", shortened(prettyBody(text, response.headers.get("content-type") ?? "")) || "(none)")
        );
      } catch {
        status.textContent = "There was no answer: the service can not be reached from here.";
        status.dataset.kind = "bad";
        rest.replaceChildren(block("As a line for a terminal", line, { isCopied: true }));
      }
    }
    return { region, say, show };
  }
  var shortened = (text) => text.length > maxShownCharacters ? \`\${text.slice(0, maxShownCharacters)}
… and \${text.length - maxShownCharacters} more characters\` : text;
  function block(title, text, { isCopied = false } = {}) {
    const shown = element("pre", { tabindex: "0", role: "region", "aria-label": title }, element("code", {}, text));
    return element("div", { class: "block" }, element("h5", {}, title), ...isCopied ? copyButton(text) : [], shown);
  }
  function copyButton(text) {
    if (!navigator.clipboard) return [];
    const button = element("button", { type: "button", class: "copy" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    });
    return [button];
  }

  var base = location.origin + location.pathname.replace(/\\/docs\\/*$/i, "").replace(/\\/+$/, "");
  var tryItContext = { base, ...createSignIn(base) };
  createSearch();
  findElement(document, "#unscripted").hidden = true;
  var prepared = /* @__PURE__ */ new WeakSet();
  function prepare(route) {
    if (!(route instanceof HTMLDetailsElement) || !route.open || !route.matches(".route") || prepared.has(route)) return;
    prepared.add(route);
    addTryIt(route, tryItContext);
  }
  document.addEventListener("toggle", ({ target }) => target instanceof Element && prepare(target), true);
  for (const route of document.querySelectorAll("details.route[open]")) prepare(route);
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    if (!(target instanceof HTMLDetailsElement)) return;
    target.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", openTarget);
  openTarget();
})();
`
