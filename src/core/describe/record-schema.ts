/**
 * The response to OPTIONS: the index entry of a route, and the schema of a record as clients of the interface know it. The members follow
 * from the declared response, what may be sent from the arguments of the write. Loaded with the first such request; it imports types only, so that it shares no chunk of the package.
 */

import type { Names } from '../../names/word-map.ts'
import type { Settings } from '../../site/settings.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { Arg, Args, SchemaNode } from '../declare/args.ts'
import type { ResponseSchema } from '../declare/response-schema.ts'
import type { Route } from '../routing/route.ts'

type Properties = { readonly [name: string]: SchemaNode }

/** The functions that the schema of a record is made with. */
interface SchemaParts {
  readonly argEntries: (args: Args, app: AppContext) => { [name: string]: SchemaNode }
  readonly publicSchema: (arg: Arg, names: Names) => SchemaNode
}

const draft = 'http://json-schema.org/draft-04/schema#'
const allContexts = ['view', 'edit', 'embed']

/** From the declared response of the route's GET, else of its first endpoint. */
export function recordSchema(route: Route, settings: Settings, app: AppContext, parts: SchemaParts) {
  const { endpoints } = route
  const { 200: ok, 201: created } = (endpoints.find(({ writes }) => !writes) ?? endpoints[0])?.endpoint.responses ?? {}
  const response = ok ?? created
  if (!response || response.contentType) return undefined
  const node = recordNode(response, app, parts)
  if (node.record === undefined) return { $schema: draft, ...node }
  const writing = endpoints.find(({ endpoint }) => endpoint.methods.includes('POST'))
  const sent = writing ? parts.argEntries(writing.endpoint.args, app) : {}
  for (const { name } of route.pattern.parameters) delete sent[app.names.toPublic(name)]
  const written = writing?.endpoint.responses?.[201]
  const members = { ...(written ? recordNode(written, app, parts).properties : {}), ...node.properties }
  const isReadOnly = node.readonly ?? true
  const properties = membersOf(members, sent, { context: node.context ?? allContexts, isReadOnly })
  // The name of a type may be the first word of one: that of its revisions.
  const title = node.record.split('-').map((word) => app.names.toPublic(word))
  const links = targetLinks(node, settings.apiRoot + recordPath(route), app)
  return { $schema: draft, title: title.join('-'), type: 'object', properties, ...(links.length > 0 ? { links } : {}) }
}

/** A list describes the records below it. */
const recordPath = ({ pattern }: Route) =>
  pattern.parameters.length > 0 ? pattern.readable : `${pattern.readable}/{id}`

/** Lists the links of actions, each with the members that it opens. */
function targetLinks({ properties: { _links: links } = {} }: SchemaNode, href: string, { names }: AppContext) {
  return Object.entries(links?.properties ?? {}).flatMap(([rel, { target }]) => {
    if (!target) return []
    const properties = Object.fromEntries(Object.entries(target).map(([name, node]) => [names.toPublic(name), node]))
    return [{ rel, href, targetSchema: { type: 'object', properties } }]
  })
}

/** The item of a list, or of a list that is an object. */
function recordNode(response: ResponseSchema, { names }: AppContext, { publicSchema }: SchemaParts): SchemaNode {
  const node = names.isEmpty ? response.node : publicSchema(response, names)
  const { items, additionalProperties, properties } = node
  return items ?? (properties === undefined && typeof additionalProperties === 'object' ? additionalProperties : node)
}

/** The contexts of the members of an object, and whether those that no argument writes are read-only. */
interface Inherited {
  readonly context: readonly string[]
  readonly isReadOnly: boolean
}

/** Links and embedded records are no fields of a record. */
const membersOf = (members: Properties, sent: Properties, inherited: Inherited): Properties =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name !== '_links' && name !== '_embedded')
      .map(([name, member]) => [name, memberSchema(member, sent[name], inherited)]),
  )

function memberSchema(member: SchemaNode, sent: SchemaNode | undefined, inherited: Inherited): SchemaNode {
  const context = member.context ?? sent?.context ?? inherited.context
  const { required, properties: sentMembers = {}, ...written } = sent ?? {}
  const shown = shownNode(member)
  const inner = { ...inherited, context }
  const properties = shown.properties && { ...sentMembers, ...membersOf(shown.properties, sentMembers, inner) }
  return {
    ...(sent ? written : shown),
    ...(sent || !inherited.isReadOnly ? {} : { readonly: true }),
    ...(required ? { required } : {}),
    ...(properties ? { properties } : {}),
    ...(context.length > 0 ? { context } : {}),
  }
}

/** One type in place of alternatives. Interface: an object without members is sent as an empty list. */
function shownNode(node: SchemaNode): SchemaNode {
  const { anyOf = [], const: value, required: _, ...rest } = node
  if (value !== undefined) return { ...rest, type: typeof value as 'string' }
  if (rest.maxItems === 0) return { ...withoutLimit(rest), type: 'object' }
  if (anyOf.length === 0) return rest
  const forms = anyOf.map(shownNode)
  const object = forms.findLast(({ type }) => type === 'object')
  return { ...rest, ...(object ?? { type: [...new Set(forms.flatMap(({ type = [] }) => type))] as 'string'[] }) }
}

const withoutLimit = ({ maxItems: _, ...rest }: SchemaNode): SchemaNode => rest
