/**
 * The body of the docs page: navigation, an overview, every route of the OpenAPI document, schemas and errors. Without a
 * script it is one long page to read; the script shows one view at a time.
 */
import type { JsonSchema, OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { html, type Markup } from '../html.ts'
import { errorResponseId, routesOf, routeView, type ShownRoute } from './route-view.ts'
import { schemaId, typeView } from './schema-view.ts'

/** A feature. */
interface Group {
  readonly title: string
  readonly routes: readonly ShownRoute[]
}

interface Section {
  readonly title: string
  readonly groups: readonly Group[]
}

export function docsBody(document: OpenApiDocument): Markup {
  const sections = sectionsOf(document)
  const groups = sections.flatMap((section) => section.groups)
  const address = document.servers[0]?.url ?? ''
  return html`<a class="skip" href="#main">Skip to the content</a>
<header>
<button type="button" id="menu" aria-controls="side" hidden>Menu</button>
<h1>${document.info.title}</h1>
<p><a href="${address}/openapi.json">openapi.json</a></p>
<button type="button" id="theme" aria-label="Dark theme" aria-pressed="false" hidden>Dark</button>
<button type="button" id="signed-in" hidden>Sign in</button>
</header>
<div class="columns" id="columns" data-profile="${document.info['x-profile'] ?? ''}">
<div class="side" id="side">
${searchForm}
<nav id="navigation" aria-label="Routes">
<ul><li><a href="#overview">Getting started</a></li></ul>
${sections.map(sectionView)}<h2>Reference</h2>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li></ul>
</nav>
</div>
<main id="main" tabindex="-1">
<p id="unknown" role="status" hidden>No route has this address. Use the search or the list of routes.</p>
${overview(document, groups)}
${groups.flatMap(({ title, routes }) => routes.map((route) => routeView(document, route, title)))}
${schemas(document)}
${errors(document)}
</main>
</div>
${signInDialog(address)}`
}

const searchForm = html`<form id="search" role="search" hidden>
<label for="wanted">Search <kbd>/</kbd></label>
<input id="wanted" type="search" autocomplete="off" spellcheck="false" placeholder="create post, per_page, /posts">
<p role="status"></p>
</form>
<ol id="results" aria-label="Results" hidden></ol>`

const signInDialog = (address: string): Markup => html`<dialog id="sign-in" aria-labelledby="sign-in-title">
<form>
<h2 id="sign-in-title">Sign in</h2>
<p>An application password is not the password of the account: <code>site-api password LOGIN</code> creates one. This page sends it to <code>${address}</code> only, and forgets it when you leave or reload the page.</p>
<label for="login">Login or e-mail address</label>
<input id="login" name="login" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Application password</label>
<input id="password" name="password" type="password" autocomplete="off" required>
<p role="status" class="problem"></p>
<p class="actions"><button type="submit" class="primary">Sign in</button> <button type="button">Cancel</button></p>
</form>
</dialog>`

// ---------------------------------------------------------------- navigation

/** Features in the groups of the document. */
function sectionsOf(document: OpenApiDocument): Section[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) => routesOf(path, item))
  const titles = new Map(document.tags.map((tag) => [tag.name, tag['x-displayName']]))
  return document['x-tagGroups'].map(({ name, tags }) => ({
    title: name,
    groups: tags.map((tag) => ({
      title: titles.get(tag) ?? tag,
      routes: all.filter(({ operation }) => operation.tags.includes(tag)),
    })),
  }))
}

const sectionView = ({ title, groups }: Section, index: number): Markup => html`<h2>${title}</h2>
${groups.map((group, at) => groupView(group, index === 0 && at === 0))}`

const groupView = (
  { title, routes }: Group,
  isFirst: boolean,
): Markup => html`<details${isFirst ? html` open` : undefined}>
<summary>${title} <small>${String(routes.length)}</small></summary>
<ul>${routes.map(linkView)}</ul>
</details>
`

const linkView = ({ path, methods: [method = ''], operation: { operationId, summary = path } }: ShownRoute): Markup =>
  html`<li><a href="#${operationId}"><span class="method" data-method="${method}">${method}</span> <span>${summary}</span></a></li>`

// ---------------------------------------------------------------- other views

function overview(document: OpenApiDocument, groups: readonly Group[]): Markup {
  const address = document.servers[0]?.url ?? ''
  const routes = groups.flatMap((group) => group.routes)
  const first = routes.find(({ path, methods }) => methods.includes('GET') && !path.includes('{'))
  const link = first && html` <a href="#${first.operation.operationId}">Try it on this page</a>, or from a terminal:`
  return html`<article class="view" id="overview" aria-labelledby="overview-title" data-current>
<h2 id="overview-title" tabindex="-1">Getting started</h2>
<p>This page documents all ${String(Object.keys(document.paths).length)} routes of the API and can send requests to it. The root of the API is</p>
<p class="line"><code data-copy>${address}</code></p>
<h3>Send a first request</h3>
<p>${first?.operation.summary ?? 'Public routes'} without signing in.${link}</p>
<p class="line"><code data-copy>curl ${address}${first?.path ?? ''}</code></p>
<h3>Sign in</h3>
<p>Routes that write, and those that show drafts or settings, need a user. Create an application password with <code>site-api password LOGIN</code>, then send it with the login over HTTP Basic:</p>
<p class="line"><code data-copy>curl -u LOGIN ${address}${first?.path ?? ''}</code></p>
<p id="unscripted">Searching and sending requests need JavaScript. Reading does not.</p>
<h3>Conventions</h3>
<ul class="conventions">
${document.info.description.split('\n\n').map((text) => html`<li>${withCode(text)}</li>\n`)}</ul>
</article>`
}

const schemas = ({
  components,
}: OpenApiDocument): Markup => html`<article class="view" id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title" tabindex="-1">Schemas</h2>
<p>Objects that several routes take or return. A member with <code>?</code> may be absent.</p>
${Object.entries(components.schemas).map(schemaView)}</article>`

const schemaView = ([name, schema]: readonly [
  string,
  JsonSchema,
]): Markup => html`<details class="schema" id="${schemaId(name)}">
<summary><h3>${name}</h3></summary>
${schema.description === undefined ? undefined : html`<p>${schema.description}</p>`}<pre tabindex="0"><code>${typeView(schema)}</code></pre>
</details>
`

const errors = (
  document: OpenApiDocument,
): Markup => html`<article class="view" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title" tabindex="-1">Errors</h2>
<p>An error is <code>{ code, message, data: { status } }</code>. The codes that any route may return:</p>
<dl class="answers">${errorResponseViews(document)}</dl>
</article>`

function errorResponseViews({ paths, components: { responses } }: OpenApiDocument): readonly Markup[] {
  const statuses = new Map<string, string>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) statuses.set(response.$ref, status)
    }
  }
  return [...statuses]
    .sort(([, a], [, b]) => a.localeCompare(b))
    .map(([ref, status]) => {
      const { description = '', content = {} } = responses[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}
      const codes = Object.keys(content['application/json']?.examples ?? {})
      const codeList = codes.map((code) => html` <code>${code}</code>`)
      return html`<dt id="${errorResponseId(ref)}">${status === 'default' ? 'others' : status}</dt><dd>${description}${codeList}</dd>\n`
    })
}

/** Renders backticks as code, the only Markdown in the description. */
const withCode = (text: string): readonly Markup[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
