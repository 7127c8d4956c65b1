/**
 * Resources for agents: the records of the site that have a text, as Markdown. A page that was built is what its readers see.
 * They are read through the same endpoints as tools, with the rights of the caller.
 */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { Client, Failure } from '../client/index.ts'
import type { JsonSchema, OpenApiDocument } from '../core/describe/openapi/document.ts'
import { toMarkdown } from './markdown/from-html.ts'
import { type ApiTool, responseMembers } from './tools.ts'

/** A kind of content: posts, pages, or a type that the host declares. */
export interface ResourceKind {
  /** The last word of its path, which its addresses begin with. */
  readonly name: string
  readonly list: ApiTool
  readonly get: ApiTool
  /** The meta fields that its records show. */
  readonly metaKeys: readonly string[]
}

/** A request that cannot be answered; the server makes it an error of the protocol. */
export class ResourceError extends Error {
  readonly data: { readonly uri?: string; readonly code: string; readonly status: number }

  constructor(message: string, data: ResourceError['data']) {
    super(message)
    this.data = data
  }
}

interface TextRecord {
  readonly id: number
  readonly slug: string
  readonly link: string
  readonly status: string
  readonly date_gmt: string | null
  readonly modified_gmt: string
  readonly title: { readonly rendered: string }
  readonly content: { readonly rendered: string; readonly protected?: boolean }
}

const scheme = 'site://'
const mimeType = 'text/markdown'
const pageSize = 50

/** Collections whose records have an address, a title and a rendered text, if the host lets agents list and read them. */
export function resourceKindsOf(document: OpenApiDocument, tools: Iterable<ApiTool>): readonly ResourceKind[] {
  const reading = [...tools].filter(({ reads }) => reads)
  return reading.flatMap((list): ResourceKind[] => {
    const get = reading.find(({ path }) => path === `${list.path}/{id}`)
    if (list.totals === undefined || get === undefined) return []
    const members = responseMembers(get, document)
    const metaKeys = Object.keys(members['meta']?.properties ?? {})
    return hasText(members) ? [{ name: list.path.slice(list.path.lastIndexOf('/') + 1), list, get, metaKeys }] : []
  })
}

const hasText = ({ content, link, title }: { readonly [name: string]: JsonSchema }): boolean =>
  link !== undefined && [content, title].every((member) => member?.properties?.['rendered'] !== undefined)

export const resourceTemplates = (kinds: readonly ResourceKind[]): ListResourceTemplatesResult => ({
  resourceTemplates: kinds.map(({ name, get }) => ({
    uriTemplate: `${scheme}${name}/{id}`,
    name,
    title: get.summary,
    description: `A record of ${name} as Markdown, by its id: also one that is not published, if the user may read it.`,
    mimeType,
  })),
})

/** Reads one page of one kind; the cursor names the next page, or the first page of the next kind. */
export async function listResources(
  client: Client,
  kinds: readonly ResourceKind[],
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const [name, page] = cursor === undefined ? [kinds[0]?.name, 1] : pointOf(cursor)
  const at = kinds.findIndex((kind) => kind.name === name)
  const kind = kinds[at]
  if (!kind) {
    if (kinds.length === 0) return { resources: [] }
    throw new ResourceError('The cursor is not one of this server.', { code: 'mcp_invalid_cursor', status: 400 })
  }
  const result = await requestOf(client)('GET', kind.list.path, {
    ...{ page, per_page: pageSize, orderby: 'modified', order: 'desc' },
    _fields: ['id', 'slug', 'link', 'title', 'modified_gmt'],
  })
  if (!result.ok) throw problemOf(result)
  const pages = Number(result.headers.get(kind.list.totals?.totalPages ?? ''))
  const following = kinds[at + 1]
  const next = page < pages ? `${kind.name}:${page + 1}` : following && `${following.name}:1`
  return {
    // The cast: a kind is a collection of such records.
    resources: (result.data as readonly TextRecord[]).map(({ id, slug, link, title, modified_gmt }) => ({
      uri: `${scheme}${kind.name}/${id}`,
      name: slug,
      title: toMarkdown(title.rendered),
      description: link,
      mimeType,
      annotations: { lastModified: `${modified_gmt}Z` },
    })),
    ...(next === undefined ? {} : { nextCursor: next }),
  }
}

export async function readResource(
  client: Client,
  kinds: readonly ResourceKind[],
  uri: string,
): Promise<ReadResourceResult> {
  const [, name, id] = /^site:\/\/([^/]+)\/(\d{1,15})$/.exec(uri) ?? []
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new ResourceError('There is no such resource.', { uri, code: 'mcp_no_resource', status: 404 })
  const result = await requestOf(client)('GET', kind.get.path, { id: Number(id) })
  if (!result.ok) throw problemOf(result, uri)
  // The cast: a kind is a collection of such records.
  return { contents: [{ uri, mimeType, text: textOf(result.data as TextRecord) }] }
}

function textOf({ title, content, link, status, date_gmt, modified_gmt }: TextRecord): string {
  const details = [
    `- Address: ${link}`,
    ...(status === 'publish' ? [] : [`- Status: ${status}`]),
    ...(date_gmt === null ? [] : [`- Published: ${date_gmt}Z`]),
    `- Changed: ${modified_gmt}Z`,
  ]
  const text =
    content.protected === true && content.rendered === ''
      ? '(A password protects this text.)'
      : toMarkdown(content.rendered)
  return `# ${toMarkdown(title.rendered)}\n\n${details.join('\n')}\n\n${text}\n`
}

function pointOf(cursor: string): readonly [name: string, page: number] {
  const [, name = '', page = ''] = /^(.+):([1-9]\d{0,8})$/.exec(cursor) ?? []
  return [name, Number(page)]
}

const problemOf = ({ error: { message, code, status } }: Failure, uri?: string) =>
  new ResourceError(message, { ...(uri === undefined ? {} : { uri }), code, status })

// The cast: the paths come from the document of this api, which the client's types do not know.
const requestOf = (client: Client) =>
  client.request as unknown as (method: string, path: string, args: object) => ReturnType<Client['request']>
