/** The site as one agent sees it: calls of allowed routes with the rights of its user, and pages with all that a task needs. */
import type { Client, Failure, Success } from '../../client/index.ts'
import type { BuilderElement } from '../elements.ts'
import { parseElements } from '../elements.ts'
import type { ApiTool } from '../tools.ts'
import type { BuilderKeys, PageKind, SiteRoutes } from './site-routes.ts'
import { TaskError, textOf, type Values } from './task-error.ts'

export interface PageRecord {
  readonly kind: PageKind
  readonly id: number
  readonly title: string
  readonly status: string
  readonly link: string
  readonly content: string
  readonly excerpt: string
  readonly modified: string
  readonly picture: number
  /** The elements of a page of the builder; undefined for other pages. */
  readonly elements: readonly BuilderElement[] | undefined
  /** The tags of the record, and of its document where another route has the elements. */
  readonly tags: { readonly record: string | undefined; readonly document: string | undefined }
}

export interface PageChanges {
  readonly title?: string
  readonly content?: string
  readonly excerpt?: string
  readonly status?: string
  readonly elements?: readonly BuilderElement[]
  /** Further members of the record, such as slug. */
  readonly fields?: Values
}

interface FoundPage {
  readonly kind: PageKind
  readonly id: number
}

type Request = (
  method: string,
  path: string,
  args: object,
  options: {
    readonly signal: AbortSignal
    readonly headers?: { readonly [name: string]: string }
    readonly release?: number
  },
) => ReturnType<Client['request']>

/** A change everywhere may have one for each page; an agent reads no more. */
const mostWarnings = 100

const editing = ['id', 'type', 'slug', 'link', 'title', 'status', 'content', 'excerpt', 'meta', 'modified_gmt']

export class AgentSite {
  readonly routes: SiteRoutes
  readonly #warnings = new Map<string, unknown>()
  readonly #client: Client
  readonly #signal: AbortSignal
  readonly #release: number | undefined

  constructor(routes: SiteRoutes, client: Client, signal: AbortSignal, release?: number) {
    this.#release = release
    this.routes = routes
    this.#client = client
    this.#signal = signal
  }

  /** Lists what the writes of the task could not use, and what checks have found in pages that they publish; each once. */
  get warnings(): readonly unknown[] {
    return [...this.#warnings.values()]
  }

  #note(warnings: readonly unknown[]): void {
    for (const warning of warnings)
      if (this.#warnings.size < mostWarnings) this.#warnings.set(JSON.stringify(warning), warning)
  }

  /** Returns the site as it would be with a release, which keeps the changes of writes. */
  inRelease(release: number): AgentSite {
    return new AgentSite(this.routes, this.#client, this.#signal, release)
  }

  /** Throws a TaskError with the code of the service. */
  async call(tool: ApiTool | undefined, args: Values, ifMatch?: string): Promise<Success> {
    if (!tool) {
      const message =
        'The host of this site does not allow that: it names the routes of agents in its options read and write.'
      throw new TaskError('mcp_not_allowed', message, 403)
    }
    const result = await this.#send(tool, withWarnings(tool, args), ifMatch)
    if (result.ok) {
      this.#note(warningsIn(result.data))
      return result
    }
    if (result.status === 428 && ifMatch === undefined) {
      const tag = await this.#tagOf(tool, args)
      if (tag !== undefined) return this.call(tool, args, tag)
    }
    throw refusalOf(result)
  }

  /** Tries a write: its status, and what it would change. */
  async try(tool: ApiTool, args: Values): Promise<Success> {
    const result = await this.#send(tool, args, await this.#tagOf(tool, args), { dryRun: true })
    if (!result.ok) throw refusalOf(result)
    return result
  }

  #send(tool: ApiTool, args: Values, ifMatch: string | undefined, options: { readonly dryRun?: true } = {}) {
    // The cast: method and path come from the document of this api, which the client's types do not know.
    const request = this.#client.request as unknown as Request
    const headers = ifMatch === undefined ? {} : { merge: ifMatch }
    const named = this.#release === undefined ? {} : { release: this.#release }
    return request(tool.method.toUpperCase(), tool.path, args, {
      signal: this.#signal,
      ...headers,
      ...named,
      ...options,
    })
  }

  /** Tells the steps of a call with each verdict; nothing is carried out. */
  async explain({ method, path }: ApiTool, args: Values): Promise<object> {
    // The cast: see `#send`.
    const explain = this.#client.explain as unknown as Request
    const result = await explain(method.toUpperCase(), path, args, { signal: this.#signal })
    if (!result.ok) throw refusalOf(result)
    return { ...(result.data as object) }
  }

  /** Hosts may require that a write names the state of the record: it is read for tools that did not read it before. */
  async #tagOf({ path }: ApiTool, args: Values): Promise<string | undefined> {
    const inPath = Object.fromEntries(Object.entries(args).filter(([name]) => path.includes(`{${name}}`)))
    return (await this.tried(this.routes.at('get', path), inPath))?.headers.get('etag') ?? undefined
  }

  /** Undefined where the service refuses the caller or has no such record. */
  async tried(tool: ApiTool | undefined, args: Values): Promise<Success | undefined> {
    if (!tool) return undefined
    return this.call(tool, args).catch((error: unknown) => {
      if (error instanceof TaskError && [400, 401, 403, 404, 410].includes(error.status)) return undefined
      throw error
    })
  }

  /** The members that editors see, or those that everybody sees. */
  async list(kind: PageKind, args: Values): Promise<Success> {
    const found = await this.tried(kind.list, { context: 'edit', status: 'any', ...args })
    return found ?? this.call(kind.list, { ...args, context: 'view' })
  }

  /** Finds the page that an agent named by its id, slug or address. */
  async find(page: unknown): Promise<FoundPage> {
    const text = String(page).trim()
    const [, kindName, digits] = /^(?:(?:site:\/\/)?([\w-]+)\/)?(\d{1,15})$/.exec(text) ?? []
    const kinds = this.routes.kinds.filter(({ name }) => kindName === undefined || name === kindName)
    const found = digits === undefined ? await this.#findBySlug(text) : await this.#findById(kinds, Number(digits))
    if (found) return found
    const message = `There is no page ${text} that you may read: the tool find lists pages with their ids.`
    throw new TaskError('mcp_no_page', message, 404)
  }

  async #findById(kinds: readonly PageKind[], id: number): Promise<FoundPage | undefined> {
    for (const kind of kinds) if (await this.tried(kind.get, { id, _fields: 'id' })) return { kind, id }
    const found = await this.tried(this.routes.documents.get, { id, _fields: 'kind' })
    const { kind: documentKind } = (found?.data ?? {}) as Values
    const kind = this.routes.documentKinds.find((one) => one.documentKind === documentKind)
    return kind && { kind, id }
  }

  async #findBySlug(text: string): Promise<FoundPage | undefined> {
    const slug = slugOf(text)
    for (const kind of slug === '' ? [] : this.routes.kinds) {
      const { data } = await this.list(kind, { slug: [slug], _fields: 'id,link', per_page: 20 })
      // The cast: a list of such records.
      const found = data as readonly { readonly id: number; readonly link: string }[]
      const exact = found.find(({ link }) => link === text) ?? found[0]
      if (exact) return { kind, id: exact.id }
    }
    return undefined
  }

  /** Reads a page as its editors do. */
  async page(page: unknown): Promise<PageRecord> {
    return this.pageOf(await this.find(page))
  }

  async pageOf({ kind, id }: FoundPage): Promise<PageRecord> {
    if (kind.documentKind) {
      const { data, headers } = await this.call(kind.get, { id })
      return documentRecord(kind, data as Values, headers.get('etag') ?? undefined)
    }
    const { data, headers } = await this.call(kind.get, { id, context: 'edit', _fields: editing.join(',') })
    const record = recordOf(kind, data as Values)
    const tagged = { ...record, tags: { record: headers.get('etag') ?? undefined, document: undefined } }
    return record.elements || kind.builder ? tagged : this.withDocument(tagged)
  }

  /** Adds the elements that only the routes of documents show. */
  async withDocument(record: PageRecord): Promise<PageRecord> {
    if (!isDocument(record.kind)) return record
    const found = await this.tried(this.routes.documents.get, { id: record.id })
    const { elements } = found ? documentRecord(record.kind, found.data as Values, undefined) : { elements: undefined }
    return { ...record, elements, tags: { ...record.tags, document: found?.headers.get('etag') ?? undefined } }
  }

  /** Writes what differs, merged with what another user has changed since it was read. */
  async save({ kind, id, tags, elements: old }: PageRecord, changes: PageChanges): Promise<void> {
    const { elements, fields, ...texts } = changes
    // A page of elements that gets another text leaves the builder.
    const leaves = old !== undefined && elements === undefined && texts.content !== undefined
    const meta = kind.builder && (elements || leaves) ? { meta: metaOf(kind.builder, elements) } : {}
    const own = { ...texts, ...fields, ...meta }
    if (elements && !kind.builder) {
      await this.call(this.routes.documents.save, { id, elements }, tags.document)
      if (Object.keys(own).length > 0) await this.call(kind.update, { id, ...own, _fields: 'id' })
      return
    }
    const isVersioned = ['title', 'content', 'excerpt', 'meta'].some((name) => name in own)
    const tag = isVersioned ? await this.#keepFirstVersion(kind, id, tags.record) : tags.record
    await this.call(kind.update, { id, ...own, _fields: 'id' }, tag)
  }

  /** Saves a page without versions as it is, which makes one: the change that follows can be taken back. Returns the new tag. */
  async #keepFirstVersion(
    { revisions, update }: PageKind,
    id: number,
    tag: string | undefined,
  ): Promise<string | undefined> {
    const found = await this.tried(revisions, { parent: id, per_page: 1, _fields: 'id' })
    if (!Array.isArray(found?.data) || found.data.length > 0) return tag
    const { headers } = await this.call(update, { id, _fields: 'id' }, tag)
    return headers.get('etag') ?? undefined
  }

  async create(
    kind: PageKind,
    changes: PageChanges,
  ): Promise<{ readonly id: number; readonly link: string; readonly status: string }> {
    const { elements, fields, ...texts } = changes
    const meta = elements && kind.builder ? { meta: metaOf(kind.builder, elements) } : {}
    const { data } = await this.call(kind.create, { ...texts, ...fields, ...meta, _fields: 'id,link,status' })
    // The cast: the members that were asked for.
    const made = data as { readonly id: number; readonly link: string; readonly status: string }
    if (elements && !kind.builder) await this.call(this.routes.documents.save, { id: made.id, elements })
    return made
  }

  /** Whether pages of a kind can be made of elements. */
  mayBuild({ builder, name }: PageKind): boolean {
    return builder !== undefined || (isDocument({ name }) && this.routes.documents.save !== undefined)
  }
}

const metaOf = ({ data, mode }: BuilderKeys, elements: readonly BuilderElement[] | undefined) =>
  elements ? { [mode]: 'builder', [data]: JSON.stringify(elements) } : { [mode]: '' }

/** The last part of a path or address. */
function slugOf(text: string): string {
  const path = text.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/[?#].*$/, '')
  return (
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  )
}

/** Whether the routes of documents have pages of this kind. */
const isDocument = ({ name }: Pick<PageKind, 'name'>): boolean => name === 'pages' || name === 'posts'

function documentRecord(kind: PageKind, data: Values, tag: string | undefined): PageRecord {
  const { elements, is_built: isBuilt } = data
  return {
    ...recordOf(kind, data),
    title: textOf(data['title']),
    // The cast: a document has a list of elements.
    elements: isBuilt === true ? (elements as readonly BuilderElement[]) : undefined,
    tags: { record: tag, document: tag },
  }
}

const rawOf = (value: unknown): string => {
  const { raw, rendered } = (value ?? {}) as Values
  return textOf(raw ?? rendered)
}

export function recordOf(kind: PageKind, data: Values): PageRecord {
  const meta = (data['meta'] ?? {}) as Values
  const { builder } = kind
  const isBuilt = builder !== undefined && meta[builder.mode] === 'builder'
  return {
    kind,
    id: Number(data['id']),
    title: rawOf(data['title']),
    status: textOf(data['status']),
    link: textOf(data['link']),
    content: rawOf(data['content']),
    excerpt: rawOf(data['excerpt']),
    modified: textOf(data['modified_gmt']),
    picture: Number(data['featured_media'] ?? 0),
    elements: isBuilt ? parseElements(meta[builder.data]) : undefined,
    tags: { record: undefined, document: undefined },
  }
}

function refusalOf({ error: { code, message, status, data } }: Failure): TaskError {
  // The cast: the data of an error of the service.
  const { params } = data as { readonly params?: Values }
  return new TaskError(code, withWayOut(message, status, code), status, params)
}

/** Adds the way out of a refusal to its message, where the message does not say it. */
function withWayOut(message: string, status: number, code: string): string {
  if (status === 401) return `${message} Connect with the application password of a user.`
  if (status === 403) return `${message} The user of this connection lacks the right: ask for a user who has it.`
  if (status === 412 || code === 'rest_merge_conflict') return `${message} Read the page anew and repeat the change.`
  return message
}

/** The response to a write has its warnings, whatever members are asked for. */
const withWarnings = ({ method }: ApiTool, args: Values): Values =>
  method !== 'get' && typeof args['_fields'] === 'string' ? { ...args, _fields: `${args['_fields']},_warnings` } : args

function warningsIn(data: unknown): readonly unknown[] {
  const { _warnings: warnings } = Object(data) as { readonly _warnings?: unknown }
  return Array.isArray(warnings) ? warnings : []
}
