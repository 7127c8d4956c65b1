/** One route of the docs page: its arguments, answers and refusals. Methods that do the same are shown together. */
import type {
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

/** Where an argument stands, and what is known of it. */
interface Argument {
  readonly name: string
  readonly place: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export function resolved<T extends object>(document: OpenApiDocument, one: T | Ref): T {
  if (!('$ref' in one) || typeof one.$ref !== 'string') return one as T
  // The cast: the document refers to nothing but its own components.
  const place = document.components as unknown as { readonly [kind: string]: { readonly [name: string]: T } }
  const [, , kind = '', name = ''] = one.$ref.split('/')
  return place[kind]?.[name] as T
}

export function routeView(document: OpenApiDocument, { path, methods, operation }: ShownRoute): Markup {
  const args = argumentsOf(document, operation)
  const words = [...methods, path, operation.summary ?? '', ...args.map(({ name }) => name)].join(' ')
  const badges = methods.map((method) => html`<span class="method" data-method="${method}">${method}</span> `)
  return html`<details class="route" id="${operation.operationId}" data-methods="${methods.join(' ')}" data-path="${path}" data-body="${bodyKind(document, operation)}" data-search="${words}">
<summary><h3>${badges}<code>${brokenPath(path)}</code></h3> <span class="words">${operation.summary ?? ''}</span></summary>
<div class="inside">
<p>${operation.description}</p>
${args.length > 0 ? argumentTable(args) : html`<p>It lists no arguments of its own.</p>`}
<h4>Answers</h4>
<dl class="answers">${Object.entries(operation.responses).map(([status, one]) => answerView(status, one))}</dl>
<p class="refusals">Refusals: ${refusalLinks(operation)}</p>
</div>
</details>
`
}

/** A long path may break behind its slashes. */
const brokenPath = (path: string): readonly Markup[] => path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)

/** `all`: a body of no fixed form. `more`: members beside the ones that are listed. */
function bodyKind(document: OpenApiDocument, { requestBody }: Operation): string {
  if (!requestBody) return ''
  const { properties, additionalProperties } = bodySchema(document, requestBody)
  if (!properties) return 'all'
  return additionalProperties === true ? 'more' : ''
}

function bodySchema(document: OpenApiDocument, { content }: RequestBody): JsonSchema {
  const schema = content['application/json']?.schema
  // The cast: a reference of ours has nothing beside it.
  return schema ? resolved<JsonSchema>(document, schema as JsonSchema | Ref) : {}
}

function argumentsOf(document: OpenApiDocument, { parameters, requestBody }: Operation): readonly Argument[] {
  const own = parameters.map((one) => resolved<Parameter>(document, one)).filter(({ name }) => !name.startsWith('_'))
  const { properties = {}, required = [] } = requestBody ? bodySchema(document, requestBody) : {}
  return [
    ...own.map(({ name, in: place, required: isRequired = false, description = '', schema }) => ({
      ...{ name, place, required: isRequired, description, schema },
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      ...{ name, place: 'body', required: required.includes(name), description: schema.description ?? '', schema },
    })),
  ]
}

const argumentTable = (
  args: readonly Argument[],
): Markup => html`<div class="scroll" tabindex="0" role="region" aria-label="Arguments"><table>
<thead><tr><th scope="col">Argument</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">What it says</th></tr></thead>
<tbody>
${args.map(argumentRow)}</tbody>
</table></div>
`

function argumentRow({ name, place, required, description, schema }: Argument): Markup {
  const options = schema.enum
    ? html` data-options="${JSON.stringify(schema.enum.filter((one) => one !== null))}"`
    : undefined
  const mark = required ? html` data-required` : undefined
  const more = bounds(schema)
  return html`<tr data-name="${name}" data-place="${place}" data-kind="${kindOf(schema)}"${options}${mark}><th scope="row"><code>${name}</code>${required ? html` <b class="required">required</b>` : undefined}</th><td>${place}</td><td><code class="type">${typeView(schema)}</code></td><td>${description}${more === '' ? undefined : html` <span class="bounds">${more}</span>`}</td></tr>
`
}

function answerView(status: string, one: Response | Ref): Markup {
  if ('$ref' in one) return html``
  const { description, headers = {}, content = {} } = one
  const names = Object.keys(headers)
  const bodies = Object.entries(content).map(([type, { schema }]) => {
    if (schema === undefined) return html`<p>${type}</p>`
    return html`${type === 'application/json' ? undefined : html`<p>${type}</p>`}<pre tabindex="0"><code>${typeView(schema)}</code></pre>`
  })
  return html`<dt>${status === '2XX' ? '2xx' : status}</dt><dd>${description}${names.length > 0 ? html` <span class="bounds">Headers: ${names.join(', ')}</span>` : undefined}${bodies}</dd>`
}

function refusalLinks({ responses }: Operation): readonly Markup[] {
  const refused = Object.entries(responses).filter(([status, one]) => '$ref' in one && status !== 'default')
  return refused.map(([status, one]) => html`<a href="#${refusalId((one as Ref).$ref)}">${status}</a> `)
}

export const refusalId = (ref: string) => `refusal-${ref.slice(ref.lastIndexOf('/') + 1)}`
