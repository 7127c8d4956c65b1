/** The operations of the OpenAPI document as tools for agents: names, input schemas, annotations. */
import type {
  HttpMethod,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Ref,
  Response,
} from '../core/describe/openapi/document.ts'
import { longToolName, toolName } from './tool-names.ts'

/** A tool, and the operation that it calls. */
export interface ApiTool {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly method: HttpMethod
  readonly path: string
  readonly reads: boolean
  /** A write that creates a record and changes no other. */
  readonly creates: boolean
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** The headers that count the rows of a listing; undefined for all other operations. */
  readonly totals: { readonly total: string; readonly totalPages: string } | undefined
  /** The members that the answer has, or each row of a list. */
  readonly members: readonly string[]
}

interface ObjectSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: string[]
  readonly additionalProperties?: boolean
}

interface Found {
  readonly method: HttpMethod
  readonly path: string
  readonly operation: Operation
}

/** Describe routes, which tools do already; and a batch could call what the host does not allow. */
const leftOut: ReadonlySet<string> = new Set(['site-index', 'namespace-index', 'batch'])

const methods: readonly HttpMethod[] = ['get', 'post', 'put', 'patch', 'delete']

export function toolsOf(document: OpenApiDocument): readonly ApiTool[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): Found[] => {
      const operation = item[method]
      return operation ? [{ method, path, operation }] : []
    }),
  )
  const namespaces = all
    .filter(({ operation }) => operation.tags.includes('namespace-index'))
    .map(({ path }) => path.slice(1))
    .sort((a, b) => b.length - a.length)
  const namespaceOf = (path: string) => namespaces.find((one) => path.startsWith(`/${one}/`)) ?? ''
  const posts = all.find(({ operation }) => operation.tags.includes('posts'))
  const contentNamespace = posts && namespaceOf(posts.path)
  const offered = withoutAliases(all.filter(({ operation }) => !operation.tags.some((tag) => leftOut.has(tag))))
  const isListed = (path: string) =>
    offered.some((one) => one.path === path && one.method === 'get' && isListing(one.operation, document))
  const named = offered.map((found) => {
    const siblings = offered.filter((one) => one !== found && one.path === found.path).map(({ method }) => method)
    const { path } = found
    const hasAliases = all.some((one) => isAlias(one, found))
    const isCollection =
      !path.endsWith('}') && (isListed(path) || offered.some((one) => isItemOf(one.path, path) && one.method === 'get'))
    return {
      found,
      name: toolName({ ...found, namespace: namespaceOf(path), contentNamespace, siblings, isCollection, hasAliases }),
    }
  })
  return named.map(({ found, name }) => {
    const rivals = named.filter((one) => one.name === name)
    return toolOf(found, isShortest(found, rivals) ? name : longToolName(name, found.path), document)
  })
}

const isItemOf = (path: string, collection: string) =>
  path.startsWith(`${collection}/{`) && !path.slice(collection.length + 1).includes('/')

const parameterCount = (path: string) => path.split('{').length

const isShortest = ({ path }: Found, rivals: readonly { readonly found: Found }[]) =>
  rivals.every(({ found }) => found.path === path || parameterCount(found.path) > parameterCount(path))

/** PUT and PATCH are often the same operation as POST: then the first of them is enough. */
const withoutAliases = (all: readonly Found[]): readonly Found[] =>
  all.filter((found, at) => !all.slice(0, at).some((other) => isAlias(found, other)))

const isAlias = (one: Found, other: Found): boolean =>
  one !== other &&
  one.path === other.path &&
  [one, other].every(({ method }) => method !== 'get' && method !== 'delete') &&
  one.operation.summary === other.operation.summary

function toolOf({ method, path, operation }: Found, name: string, document: OpenApiDocument): ApiTool {
  const { components } = document
  const summary = operation.summary ?? `${method.toUpperCase()} ${path}`
  const isList = isListing(operation, document)
  const totals = totalsOf(operation)
  return {
    name,
    summary,
    description: `${summary}. ${operation.description.replace('Can be part of a batch request.', '').trim()}`,
    method,
    path,
    reads: method === 'get',
    creates: operation.responses['201'] !== undefined,
    inputSchema: inputSchemaOf(operation, document),
    outputSchema: isList ? listSchema(totals !== undefined) : { type: 'object' },
    totals,
    members: membersOf(operation, components.schemas),
  }

  function totalsOf({ responses }: Operation): ApiTool['totals'] {
    const headers = Object.entries((responses['200'] as Response | undefined)?.headers ?? {})
    const nameOf = (component: keyof typeof components.headers) =>
      headers.find(([, header]) => '$ref' in header && header.$ref === `#/components/headers/${component}`)?.[0]
    const [total, totalPages] = [nameOf('Total'), nameOf('TotalPages')]
    return total !== undefined && totalPages !== undefined ? { total, totalPages } : undefined
  }
}

const listSchema = (isPaged: boolean): ObjectSchema => ({
  type: 'object',
  properties: {
    items: { type: 'array' },
    ...(isPaged
      ? {
          total: { type: 'integer', description: 'The number of items on all pages.' },
          total_pages: { type: 'integer', description: 'The number of pages.' },
        }
      : {}),
  },
  required: ['items', ...(isPaged ? ['total', 'total_pages'] : [])],
})

function inputSchemaOf(operation: Operation, document: OpenApiDocument): ObjectSchema {
  const schemas = document.components.schemas
  const parameters = operation.parameters.filter((one): one is Parameter => !('$ref' in one))
  const sent = operation.requestBody?.content['application/json']?.schema
  const body: JsonSchema = sent ? resolved(sent, schemas) : {}
  const members = membersOf(operation, schemas)
  const required = [
    ...parameters.filter((one) => one.required === true).map(({ name }) => name),
    ...(body.required ?? []),
  ]
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(parameters.map((parameter) => [parameter.name, schemaOfParameter(parameter, schemas)])),
      ...body.properties,
      ...(members.length > 0 ? { _fields: fieldsSchema(members) } : {}),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: sent !== undefined && (body.properties === undefined || body.additionalProperties === true),
  }
}

const schemaOfParameter = ({ schema, description }: Parameter, schemas: Schemas): JsonSchema => ({
  ...resolved(schema, schemas),
  ...(description === undefined ? {} : { description }),
})

/** The cheapest way to save an agent tokens. */
const fieldsSchema = (members: readonly string[]): JsonSchema => ({
  type: 'string',
  description: `Only these members of the answer, separated by commas: any of ${members.join(', ')}. Default: all.`,
})

function successSchema({ responses }: Operation, schemas: Schemas): JsonSchema {
  const success = (responses['200'] ?? responses['201']) as Response | Ref | undefined
  const schema = success && 'content' in success ? success.content?.['application/json']?.schema : undefined
  return schema ? resolved(schema, schemas) : {}
}

const isListing = (operation: Operation, { components }: OpenApiDocument): boolean =>
  successSchema(operation, components.schemas).type === 'array'

const membersOf = (operation: Operation, schemas: Schemas): readonly string[] =>
  Object.keys(memberSchemas(operation, schemas))

function memberSchemas(operation: Operation, schemas: Schemas): { readonly [name: string]: JsonSchema } {
  const schema = successSchema(operation, schemas)
  return (schema.items ?? schema).properties ?? {}
}

/** Reads the members of a record in the answer of a tool from the OpenAPI document. */
export function responseMembers({ path, method }: ApiTool, { paths, components }: OpenApiDocument) {
  const operation = paths[path]?.[method]
  return operation ? memberSchemas(operation, components.schemas) : {}
}

interface Schemas {
  readonly [name: string]: JsonSchema
}

const prefix = '#/components/schemas/'

/** Inlines references, which many agents do not follow. A schema that contains itself accepts any value at its second occurrence. */
function resolved(schema: JsonSchema, schemas: Schemas, within: readonly string[] = []): JsonSchema {
  if (schema.$ref === undefined) return withParts(schema, (part) => resolved(part, schemas, within))
  const name = schema.$ref.slice(prefix.length)
  const target = within.includes(name) ? undefined : schemas[name]
  return target ? resolved(target, schemas, [...within, name]) : {}
}

function withParts(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { items, properties, additionalProperties, oneOf, anyOf } = schema
  return {
    ...schema,
    ...(items ? { items: change(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, change(part)])) }
      : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: change(additionalProperties) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(change) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(change) } : {}),
  }
}
