/** One method of one route as an operation: arguments, responses, errors, permission. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { AppContext } from '../../declare/app-context.ts'
import type { Arg } from '../../declare/args.ts'
import type { EndpointExample } from '../../declare/documentation.ts'
import type { Method } from '../../declare/endpoint.ts'
import type { ResponseSchema } from '../../declare/response-schema.ts'
import { publicSchema } from '../../request/argument-names.ts'
import type { RoutedEndpoint } from '../../routing/route.ts'
import type {
  Example,
  Header,
  HttpMethod,
  JsonSchema,
  MediaType,
  Operation,
  Parameter,
  Ref,
  RequestBody,
  Response,
  Responses,
} from './document.ts'
import { error, type RefusalName, refusalsOf } from './error-responses.ts'
import { bodyExample, type FindExample, responseExample } from './examples.ts'
import { operationId } from './operation-id.ts'
import { patternOf, schemaOf, withoutGaps } from './schema.ts'
import type { SharedSchemas } from './shared-schemas.ts'

export interface OperationParts {
  readonly app: AppContext
  readonly shared: SharedSchemas
  readonly findExample: FindExample
}

export const scheme = 'applicationPassword'

/** `path` is the document's path, where parameters may have other names than in the route. */
export function operationOf(routed: RoutedEndpoint, method: Method, path: string, parts: OperationParts): Operation {
  const { endpoint } = routed
  const { toPublic } = parts.app.names
  const who = toPublic(endpoint.permission.who)
  const id = operationId(method, path)
  const example = parts.findExample(routed)
  return withoutGaps<Operation>({
    tags: [toPublic(routed.feature)],
    operationId: id,
    summary: endpoint.summary && toPublic(endpoint.summary),
    description: descriptionOf(routed, who),
    parameters: [
      ...pathParameters(routed, path, parts, example),
      ...(takesQuery(method) ? queryParameters(routed, parts, example) : []),
      ...(hasTag(routed) ? [parameterRef(routed.writes ? 'IfMatch' : 'IfNoneMatch')] : []),
      ...(routed.writes ? [parameterRef('IdempotencyKey')] : []),
      ...['Fields', 'Embed', 'Envelope', 'Prefer'].map(parameterRef),
    ],
    requestBody: bodyOf(routed, { method, id, example }, parts),
    responses: { ...refusalsOf(refusalNames(routed, parts)), ...successes(routed, parts, example) },
    security: isPublic(routed) ? [{}, { [scheme]: [] }] : [{ [scheme]: [] }],
    'x-who': who,
    'x-batch': endpoint.batch || undefined,
  })
}

export const httpMethod = (method: Method) => method.toLowerCase() as HttpMethod

const isPublic = ({ endpoint: { permission } }: RoutedEndpoint) => /^anyone\b/.test(permission.who)

const takesQuery = (method: Method) => method === 'GET' || method === 'DELETE'

function descriptionOf({ endpoint }: RoutedEndpoint, who: string): string {
  const sentences = [
    `Who may call it: ${who}.`,
    endpoint.batch ? 'Can be part of a batch request.' : '',
    hasUnlisted(endpoint.args) ? 'It accepts further arguments that are not listed.' : '',
  ]
  return sentences.filter((one) => one !== '').join(' ')
}

const hasUnlisted = (args: RoutedEndpoint['endpoint']['args']) => Object.values(args).some(({ unlisted }) => unlisted)

const parameterRef = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` })

interface Listed {
  readonly name: string
  readonly arg: Arg
}

/** Path arguments are included even when the index does not list them. */
function argumentsOf({ endpoint, route }: RoutedEndpoint, { app: { names } }: OperationParts): readonly Listed[] {
  const inPath = new Set(route.pattern.parameters.map(({ name }) => name))
  return Object.entries(endpoint.args)
    .map(([name, arg]) => ({ name: names.toPublic(name), arg }))
    .filter(({ name, arg }) => !arg.unlisted && !inPath.has(name))
}

/** The index shows only the object. */
function formsOf({ orText }: Arg, schema: JsonSchema): JsonSchema {
  if (!orText) return schema
  const { description, ...form } = schema
  return withoutGaps<JsonSchema>({ description, anyOf: [form, { type: 'string' }] })
}

function schemaOfArg(arg: Arg, { app: { names } }: OperationParts): JsonSchema {
  const node = names.isEmpty ? arg.node : publicSchema(arg, names)
  const schema = formsOf(arg, schemaOf(node, { word: names.toPublic }))
  if (!arg.publishedDefault) return schema
  // An absent argument has another meaning than the published default, so it is not the schema's default.
  const { default: shown, description = '', ...rest } = schema
  const said = shown === null ? '' : `The site index shows the default ${JSON.stringify(shown)}.`
  return { ...rest, description: `${description} ${said}`.trim() }
}

function pathParameters(
  { route, endpoint, names }: RoutedEndpoint,
  path: string,
  parts: OperationParts,
  example: EndpointExample | undefined,
): Parameter[] {
  const shown = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const declared = new Map(Object.entries(endpoint.args).map(([name, arg]) => [names.toPublic(name), arg]))
  return route.pattern.parameters.map(({ name, pattern }, place) => {
    const arg = declared.get(name)
    const { description, ...schema } = arg ? schemaOfArg(arg, parts) : { description: undefined, type: 'string' }
    const whole = { ...schema, pattern: patternOf(`^${pattern}$`) }
    return withoutGaps<Parameter>({
      name: shown[place] ?? name,
      in: 'path',
      description,
      required: true,
      schema: whole,
      example: example?.args?.[name],
    })
  })
}

const queryParameters = (
  routed: RoutedEndpoint,
  parts: OperationParts,
  example: EndpointExample | undefined,
): Parameter[] =>
  argumentsOf(routed, parts).map(({ name, arg }) => {
    const { description, ...schema } = schemaOfArg(arg, parts)
    const required = arg.node.required || undefined
    return withoutGaps<Parameter>({
      ...{ name, in: 'query', description, required },
      ...serializationOf(schema),
      schema,
      example: example?.args?.[name],
    })
  })

/** The last of repeated names counts, so lists are sent as `a=1,2`. */
function serializationOf(schema: JsonSchema) {
  if (isList(schema)) return { style: 'form', explode: false } as const
  return schema.type === 'object' ? ({ style: 'deepObject', explode: true } as const) : undefined
}

const isList = ({ type, oneOf = [] }: JsonSchema): boolean =>
  type === 'array' || (Array.isArray(type) && type.includes('array')) || oneOf.some(isList)

/** A free-form body is offered where the endpoint accepts one, or has unlisted arguments. */
function bodyOf(
  routed: RoutedEndpoint,
  {
    method,
    id,
    example,
  }: { readonly method: Method; readonly id: string; readonly example?: EndpointExample | undefined },
  parts: OperationParts,
): RequestBody | undefined {
  const { takesAnyBody = false, args } = routed.endpoint
  if (method === 'GET') return undefined
  const listed = takesQuery(method) ? [] : argumentsOf(routed, parts)
  if (listed.length === 0 && !takesAnyBody && !hasUnlisted(args)) return undefined
  const schema =
    listed.length > 0 ? parts.shared.body(routed, `${id}Body`, () => bodySchema(routed, listed, parts)) : freeForm
  const isRequired = listed.some(({ arg }) => arg.node.required)
  const encoding = Object.fromEntries(
    listed.flatMap(({ name, arg }) => {
      const written = serializationOf(schemaOf(arg.node, { word: parts.app.names.toPublic }))
      return written ? [[name, written] as const] : []
    }),
  )
  const recorded = bodyExample(
    example,
    listed.map(({ name }) => name),
  )
  const form: MediaType = { schema, ...(Object.keys(encoding).length > 0 ? { encoding } : {}) }
  return withoutGaps<RequestBody>({
    required: isRequired || undefined,
    content: {
      'application/json': {
        schema: takesAnyBody ? {} : schema,
        ...(recorded ? { examples: { recorded } } : {}),
      },
      'application/x-www-form-urlencoded': form,
      ...(takesAnyBody ? { '*/*': {} } : {}),
    },
  })
}

const freeForm: JsonSchema = { type: 'object' }

function bodySchema({ endpoint }: RoutedEndpoint, listed: readonly Listed[], parts: OperationParts): JsonSchema {
  const required = listed.filter(({ arg }) => arg.node.required).map(({ name }) => name)
  return withoutGaps<JsonSchema>({
    type: 'object',
    properties: Object.fromEntries(listed.map(({ name, arg }) => [name, schemaOfArg(arg, parts)])),
    required: required.length > 0 ? required : undefined,
    // `true` is the default of JSON Schema; stated for readers.
    additionalProperties: hasUnlisted(endpoint.args) || undefined,
  })
}

function successes(routed: RoutedEndpoint, parts: OperationParts, example: EndpointExample | undefined): Responses {
  const { responses } = routed.endpoint
  const unchanged: Responses =
    hasTag(routed) && !routed.writes ? { '304': { description: 'The record has not changed.' } } : {}
  const headers = headersOf(routed, parts)
  if (!responses) return { '2XX': withoutGaps({ description: 'Success.', headers }), ...unchanged }
  const described = Object.entries(responses).map(([status, form]) => [
    status,
    responseOf(form, { status, example: responseExample(example, status) }, routed, parts),
  ])
  return { ...Object.fromEntries(described), ...unchanged }
}

function responseOf(
  form: ResponseSchema,
  { status, example }: { readonly status: string; readonly example: Example | undefined },
  routed: RoutedEndpoint,
  parts: OperationParts,
): Response {
  const { names } = parts.app
  const description = form.node.description ?? form.node.title ?? statusWords[status] ?? 'The response.'
  const headers = Number(status) < 300 ? headersOf(routed, parts) : undefined
  if (status === '204') return withoutGaps({ description: names.toPublic(description), headers })
  const { contentType = 'application/json', alsoAs } = form
  const schema = parts.shared.answer(form, routed)
  // Errors before the handler have the common schema, whatever the status.
  const content = {
    [contentType]: {
      schema: Number(status) < 400 ? schema : { anyOf: [schema, error] },
      ...(example && contentType === 'application/json' ? { examples: { recorded: example } } : {}),
    },
    ...(alsoAs === undefined ? {} : { [alsoAs]: { schema: { type: 'string' } } }),
  }
  return withoutGaps({ description: names.toPublic(description), headers, content })
}

const statusWords: { readonly [status: string]: string } = lookupTable({
  '200': 'Success.',
  '201': 'The record was created.',
  '202': 'The request was accepted and runs later.',
  '204': 'Success, without a body.',
})

/** The headers of a success, by public name. */
export const headers = {
  Total: { name: 'X-CMS-Total', description: 'The number of records on all pages.', schema: { type: 'integer' } },
  TotalPages: { name: 'X-CMS-TotalPages', description: 'The number of pages.', schema: { type: 'integer' } },
  Link: {
    name: 'Link',
    description: 'The previous and the next page (rel prev and next), and the site index.',
    schema: { type: 'string' },
  },
  ETag: {
    name: 'ETag',
    description: 'The version of the record, for If-None-Match and If-Match.',
    schema: { type: 'string' },
  },
  Allow: {
    name: 'Allow',
    description: 'The methods that the caller may use on this record.',
    schema: { type: 'string' },
  },
  CacheTag: {
    name: 'Cache-Tag',
    description:
      'What the response to a visitor is made from, separated by commas: the event `tags.changed` names the tags that a change touches. A cache in front of the site takes the header off.',
    schema: { type: 'string' },
  },
} as const satisfies { readonly [name: string]: Header & { readonly name: string } }

const hasTag = ({ endpoint }: RoutedEndpoint): boolean => (endpoint.etag ?? endpoint.stored) !== undefined

function headersOf(routed: RoutedEndpoint, { app: { names, tagHeader } }: OperationParts): Response['headers'] {
  const { endpoint, writes } = routed
  const sent: (keyof typeof headers)[] = [
    ...(endpoint.paged ? (['Total', 'TotalPages', 'Link'] as const) : []),
    ...(hasTag(routed) && !writes ? (['ETag'] as const) : []),
    ...(endpoint.resource && !writes ? (['Allow'] as const) : []),
    ...(tagHeader !== undefined && endpoint.cacheable && !writes ? (['CacheTag'] as const) : []),
  ]
  if (sent.length === 0) return undefined
  return Object.fromEntries(
    sent.map((key) => [
      key === 'CacheTag' ? tagHeader : names.toPublic(headers[key].name),
      { $ref: `#/components/headers/${key}` },
    ]),
  )
}

function refusalNames(routed: RoutedEndpoint, { app }: OperationParts): RefusalName[] {
  const { endpoint, writes, route } = routed
  const mayMiss = endpoint.resource !== undefined || route.pattern.parameters.length > 0
  const takesArguments = writes || Object.keys(endpoint.args).length > 0
  const isConditional = writes && hasTag(routed)
  return [
    ...(takesArguments ? (['BadArguments'] as const) : []),
    ...(endpoint.permission.who === 'anyone'
      ? (['WrongCredentials'] as const)
      : (['SignInNeeded', 'Forbidden'] as const)),
    ...(mayMiss ? (['NotFound'] as const) : []),
    ...(writes ? (['Conflict', 'BodyTooLarge'] as const) : []),
    'QueryTooLong',
    ...(writes ? (['UnreadableBody'] as const) : []),
    ...(isConditional ? (['Changed'] as const) : []),
    ...(writes && endpoint.etag && app.conditionalWrites === 'required' ? (['ConditionNeeded'] as const) : []),
    ...(writes ? (['KeyReused'] as const) : []),
    'Failure',
    'Unavailable',
    'Refusal',
  ]
}
