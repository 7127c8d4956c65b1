/** One route of the docs page: its arguments, responses and errors. Methods with the same operation share an entry. */
import type {
  Example,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  PathItem,
  Ref,
  RequestBody,
  Response,
} from '../../core/describe/openapi/document.ts'
import { html, type Markup } from '../html.ts'
import { bounds, kindOf, typeView } from './schema-view.ts'

export interface ShownRoute {
  readonly path: string
  readonly methods: readonly string[]
  readonly operation: Operation
}

export function routesOf(path: string, item: PathItem): ShownRoute[] {
  const groups = new Map<string, { path: string; methods: string[]; operation: Operation }>()
  for (const [method, operation] of Object.entries(item)) {
    const key = JSON.stringify({ ...operation, operationId: undefined })
    const group = groups.get(key) ?? { path, methods: [], operation }
    group.methods.push(method.toUpperCase())
    groups.set(key, group)
  }
  return [...groups.values()]
}

interface Argument {
  readonly name: string
  readonly location: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

function resolved<T extends object>(document: OpenApiDocument, value: T | Ref): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  // The cast: the document refers to its own components only.
  const components = document.components as unknown as { readonly [kind: string]: { readonly [name: string]: T } }
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return components[kind]?.[name] as T
}

/** `group` is the title of the feature. */
export function routeView(document: OpenApiDocument, { path, methods, operation }: ShownRoute, group: string): Markup {
  const args = argumentsOf(document, operation)
  const { operationId: id, summary = path } = operation
  const badges = methods.map((method) => html`<span class="method" data-method="${method}">${method}</span> `)
  const wholeBody = wholeBodyExample(operation)
  const bodyAttribute = wholeBody === undefined ? undefined : html` data-example-body="${JSON.stringify(wholeBody)}"`
  return html`<article class="view route" id="${id}" aria-labelledby="${id}-title" data-methods="${methods.join(' ')}" data-path="${path}" data-summary="${summary}" data-group="${group}" data-body="${bodyKind(document, operation)}"${bodyAttribute}>
<div class="intro">
<p class="crumb">${group}</p>
<h2 id="${id}-title" tabindex="-1">${summary}</h2>
<p class="line">${badges}<code data-copy><span class="base">${document.servers[0]?.url ?? ''}</span>${brokenPath(path)}</code></p>
<p class="who">${operation.description}</p>
</div>
<section aria-labelledby="${id}-arguments">
<h3 id="${id}-arguments">Arguments</h3>
${args.length > 0 ? argumentTable(args) : html`<p>This route has no arguments of its own.</p>`}
</section>
<section aria-labelledby="${id}-responses">
<h3 id="${id}-responses">Responses</h3>
<dl class="answers">${Object.entries(operation.responses).map(([status, response]) => responseView(status, response))}</dl>
<p class="refusals">Errors: ${errorLinks(operation)}</p>
</section>
</article>
`
}

/** Allows line breaks after the slashes of a path. */
const brokenPath = (path: string): readonly Markup[] => path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)

/** `all`: a body without a schema of members. `more`: undeclared members are allowed. */
function bodyKind(document: OpenApiDocument, { requestBody }: Operation): string {
  if (!requestBody) return ''
  const { properties, additionalProperties } = bodySchema(document, requestBody)
  if (!properties) return 'all'
  return additionalProperties === true ? 'more' : ''
}

function bodySchema(document: OpenApiDocument, { content }: RequestBody): JsonSchema {
  const schema = content['application/json']?.schema
  // The cast: references in the document have no sibling members.
  return schema ? resolved<JsonSchema>(document, schema as JsonSchema | Ref) : {}
}

function argumentsOf(document: OpenApiDocument, { parameters, requestBody }: Operation): readonly Argument[] {
  const own = parameters
    .map((parameter) => resolved<Parameter>(document, parameter))
    .filter(({ name }) => !name.startsWith('_'))
  const { properties = {}, required = [] } = requestBody ? bodySchema(document, requestBody) : {}
  const sent = membersOf(requestBody && bodyExampleOf(requestBody))
  return [
    ...own.map(({ name, in: location, required: isRequired = false, description = '', schema, example }) => ({
      ...{ name, location, required: isRequired, description, schema, example },
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      location: 'body',
      required: required.includes(name),
      description: schema.description ?? '',
      schema,
      example: sent[name],
    })),
  ]
}

const bodyExampleOf = ({ content }: RequestBody): unknown => content['application/json']?.examples?.recorded?.value

/** Returns the example of a body that has no fields. */
function wholeBodyExample({ requestBody }: Operation): unknown {
  const example = requestBody && bodyExampleOf(requestBody)
  return Array.isArray(example) ? example : undefined
}

const membersOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const argumentTable = (args: readonly Argument[]): Markup => html`<table>
<thead><tr><th scope="col">Argument</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>
${args.map(argumentRow)}</tbody>
</table>
`

function argumentRow({ name, location, required, description, schema, example }: Argument): Markup {
  const options = schema.enum
    ? html` data-options="${JSON.stringify(schema.enum.filter((value) => value !== null))}"`
    : undefined
  const requiredAttribute = required ? html` data-required` : undefined
  const exampleAttribute = example === undefined ? undefined : html` data-example="${JSON.stringify(example)}"`
  const limits = bounds(schema)
  return html`<tr data-name="${name}" data-place="${location}" data-kind="${kindOf(schema)}"${options}${requiredAttribute}${exampleAttribute}><th scope="row"><code>${name}</code>${required ? html` <b class="required">required</b>` : undefined}</th><td>${location}</td><td><code class="type">${typeView(schema)}</code></td><td><span class="meaning">${description}</span>${limits === '' ? undefined : html` <span class="bounds">${limits}</span>`}</td></tr>
`
}

function responseView(status: string, response: Response | Ref): Markup {
  if ('$ref' in response) return html``
  const { description, headers = {}, content = {} } = response
  const names = Object.keys(headers)
  const bodies = Object.entries(content).map(([type, { schema, examples = {} }]) => {
    if (schema === undefined) return html`<p>${type}</p>`
    const shown = Object.values(examples).map((example) => exampleView(status, example))
    return html`${type === 'application/json' ? undefined : html`<p>${type}</p>`}<pre tabindex="0"><code>${typeView(schema)}</code></pre>${shown}`
  })
  return html`<dt>${status === '2XX' ? '2xx' : status}</dt><dd>${description}${names.length > 0 ? html` <span class="bounds">Headers: ${names.join(', ')}</span>` : undefined}${bodies}</dd>`
}

/** The script shows it beside the form, before a request is sent. */
const exampleView = (status: string, { summary = '', value }: Example): Markup =>
  html`<details class="example" data-status="${status}"><summary>Example${summary === '' ? '' : `: ${summary}`}</summary><pre tabindex="0"><code>${JSON.stringify(value, null, 1)}</code></pre></details>`

function errorLinks({ responses }: Operation): readonly Markup[] {
  const errors = Object.entries(responses).filter(([status, response]) => '$ref' in response && status !== 'default')
  return errors.map(([status, response]) => html`<a href="#${errorResponseId((response as Ref).$ref)}">${status}</a> `)
}

export const errorResponseId = (ref: string) => `error-${ref.slice(ref.lastIndexOf('/') + 1)}`
