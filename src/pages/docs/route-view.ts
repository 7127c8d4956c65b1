/** One route of the docs page: its arguments, responses and errors. Methods with the same operation share an entry. */
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

interface Argument {
  readonly name: string
  readonly location: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

function resolved<T extends object>(document: OpenApiDocument, value: T | Ref): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  // The cast: the document refers to its own components only.
  const components = document.components as unknown as { readonly [kind: string]: { readonly [name: string]: T } }
  const [, , kind = '', name = ''] = value.$ref.split('/')
  return components[kind]?.[name] as T
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
<dl class="answers">${Object.entries(operation.responses).map(([status, response]) => responseView(status, response))}</dl>
<p class="refusals">Refusals: ${errorLinks(operation)}</p>
</div>
</details>
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
  return [
    ...own.map(({ name, in: location, required: isRequired = false, description = '', schema }) => ({
      name,
      location,
      required: isRequired,
      description,
      schema,
    })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      location: 'body',
      required: required.includes(name),
      description: schema.description ?? '',
      schema,
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

function argumentRow({ name, location, required, description, schema }: Argument): Markup {
  const options = schema.enum
    ? html` data-options="${JSON.stringify(schema.enum.filter((value) => value !== null))}"`
    : undefined
  const requiredAttribute = required ? html` data-required` : undefined
  const limits = bounds(schema)
  return html`<tr data-name="${name}" data-place="${location}" data-kind="${kindOf(schema)}"${options}${requiredAttribute}><th scope="row"><code>${name}</code>${required ? html` <b class="required">required</b>` : undefined}</th><td>${location}</td><td><code class="type">${typeView(schema)}</code></td><td>${description}${limits === '' ? undefined : html` <span class="bounds">${limits}</span>`}</td></tr>
`
}

function responseView(status: string, response: Response | Ref): Markup {
  if ('$ref' in response) return html``
  const { description, headers = {}, content = {} } = response
  const names = Object.keys(headers)
  const bodies = Object.entries(content).map(([type, { schema }]) => {
    if (schema === undefined) return html`<p>${type}</p>`
    return html`${type === 'application/json' ? undefined : html`<p>${type}</p>`}<pre tabindex="0"><code>${typeView(schema)}</code></pre>`
  })
  return html`<dt>${status === '2XX' ? '2xx' : status}</dt><dd>${description}${names.length > 0 ? html` <span class="bounds">Headers: ${names.join(', ')}</span>` : undefined}${bodies}</dd>`
}

function errorLinks({ responses }: Operation): readonly Markup[] {
  const errors = Object.entries(responses).filter(([status, response]) => '$ref' in response && status !== 'default')
  return errors.map(([status, response]) => html`<a href="#${errorResponseId((response as Ref).$ref)}">${status}</a> `)
}

export const errorResponseId = (ref: string) => `refusal-${ref.slice(ref.lastIndexOf('/') + 1)}`
