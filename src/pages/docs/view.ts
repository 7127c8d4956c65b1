/** The body of the docs page: every route of the OpenAPI document. It is readable without a script. */
import type { JsonSchema, OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { html, type Markup } from '../html.ts'
import { errorResponseId, routesOf, routeView, type ShownRoute } from './route-view.ts'
import { schemaId, typeView } from './schema-view.ts'

interface Group {
  readonly name: string
  readonly id: string
  readonly routes: readonly ShownRoute[]
}

export function docsBody(document: OpenApiDocument): Markup {
  const groups = groupsOf(document)
  const address = document.servers[0]?.url ?? ''
  return html`<a class="skip" href="#main">Skip to the routes</a>
<header>
<h1>${document.info.title}</h1>
<p><code>${address}</code> <a href="${address}/openapi.json">openapi.json</a></p>
</header>
<div class="columns">
<div class="side">
<form id="search" role="search" hidden>
<label for="wanted">Search</label>
<input id="wanted" type="search" autocomplete="off" spellcheck="false" placeholder="posts, per_page">
<p role="status"></p>
</form>
<section id="sign-in" aria-labelledby="sign-in-title" hidden>
<h2 id="sign-in-title">Sign in</h2>
<form>
<label for="login">Login</label>
<input id="login" name="login" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label for="password">Application password</label>
<input id="password" name="password" type="password" autocomplete="off" required>
<button type="submit">Sign in</button>
</form>
<p role="status">Requests are sent as a visitor.</p>
</section>
<nav aria-label="Features">
<ul>
${groups.map(({ id, name, routes }) => html`<li><a href="#${id}">${name}</a> <small>${String(routes.length)}</small></li>\n`)}<li><a href="#forms">Forms</a></li>
<li><a href="#refusals">Refusals</a></li>
</ul>
</nav>
</div>
<main id="main" tabindex="-1">
<section class="aside" id="for-all" aria-labelledby="about">
<h2 id="about">What holds for all routes</h2>
${document.info.description.split('\n\n').map((text) => html`<p>${withCode(text)}</p>\n`)}<p id="unscripted">Without a script this page can be read. To search and to try routes it needs one.</p>
</section>
${groups.map((group) => groupView(document, group))}<section class="aside" aria-labelledby="forms">
<h2 id="forms">Forms</h2>
${Object.entries(document.components.schemas).map(schemaSection)}</section>
<section class="aside" aria-labelledby="refusals">
<h2 id="refusals">Refusals</h2>
<dl class="answers">${errorResponseViews(document)}</dl>
</section>
</main>
</div>`
}

function groupsOf(document: OpenApiDocument): Group[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) => routesOf(path, item))
  return document.tags.map(({ name }) => ({
    name,
    id: `group-${name}`,
    routes: all.filter(({ operation }) => operation.tags.includes(name)),
  }))
}

const groupView = (
  document: OpenApiDocument,
  { name, id, routes }: Group,
): Markup => html`<section class="group" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${name}</h2>
${routes.map((route) => routeView(document, route))}</section>
`

const schemaSection = ([name, schema]: readonly [
  string,
  JsonSchema,
]): Markup => html`<details class="form" id="${schemaId(name)}">
<summary><h3>${name}</h3></summary>
${schema.description === undefined ? undefined : html`<p>${schema.description}</p>`}<pre tabindex="0"><code>${typeView(schema)}</code></pre>
</details>
`

function errorResponseViews({ paths, components: { responses } }: OpenApiDocument): readonly Markup[] {
  const statuses = new Map<string, string>()
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if ('$ref' in response) statuses.set(response.$ref, status)
      }
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
