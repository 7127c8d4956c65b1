/** The routes that the host allows an agent, and the kinds of content that they give. */
import type { HttpMethod } from '../../core/describe/openapi/document.ts'
import type { ResourceKind } from '../resources.ts'
import type { ApiTool } from '../tools.ts'

/** Pages, posts, or a type of the host, with the routes that the host allows. */
export interface PageKind {
  /** The last word of its path: `pages`. */
  readonly name: string
  readonly list: ApiTool
  readonly get: ApiTool
  readonly create: ApiTool | undefined
  readonly update: ApiTool | undefined
  readonly remove: ApiTool | undefined
  readonly revisions: ApiTool | undefined
  /** The meta keys of the page builder; undefined where the records do not show them. */
  readonly builder: BuilderKeys | undefined
  /** The kind that routes of documents take; kinds that have routes as content have none. */
  readonly documentKind?: 'template' | 'component'
}

export interface BuilderKeys {
  readonly data: string
  readonly mode: string
}

export class SiteRoutes {
  readonly tools: ReadonlyMap<string, ApiTool>
  readonly kinds: readonly PageKind[]
  /** The first word of block markers, which is the vendor of the namespace of the content. */
  readonly vendor: string
  readonly title: string
  readonly #byPlace = new Map<string, ApiTool>()

  constructor(tools: ReadonlyMap<string, ApiTool>, kinds: readonly ResourceKind[], title: string) {
    this.tools = tools
    this.title = title
    for (const tool of tools.values()) this.#byPlace.set(`${tool.method} ${tool.path}`, tool)
    this.kinds = kinds.map((kind) => this.#pageKind(kind))
    this.vendor = /^\/([a-z]+)\//.exec(kinds[0]?.list.path ?? '')?.[1] ?? 'cms'
  }

  /** An allowed route by its whole path. */
  at(method: HttpMethod, path: string): ApiTool | undefined {
    return this.#byPlace.get(`${method} ${path}`)
  }

  /** An allowed route by the end of its path, whatever its namespace is called. */
  ending(method: HttpMethod, end: string): ApiTool | undefined {
    return [...this.tools.values()].find((tool) => tool.method === method && tool.path.endsWith(end))
  }

  get mayWritePages(): boolean {
    return this.kinds.some(({ update }) => update !== undefined) || this.documents.save !== undefined
  }

  /** Whether an agent may write elements of the page builder. */
  get mayBuildPages(): boolean {
    return (
      this.kinds.some(({ builder, update }) => builder !== undefined && update !== undefined) ||
      this.documents.save !== undefined
    )
  }

  /** Routes of builder documents, which also have the elements of pages whose records do not show them. */
  get documents() {
    return {
      list: this.ending('get', '/v1/documents'),
      get: this.ending('get', '/v1/documents/{id}'),
      save: this.ending('post', '/v1/documents/{id}'),
      restore: this.ending('post', '/v1/documents/{id}/restore'),
    }
  }

  /** Kinds that only the routes of documents have: templates and components. */
  get documentKinds(): readonly PageKind[] {
    const { list, get, save } = this.documents
    if (!list || !get) return []
    const remove = this.ending('delete', '/v1/documents/{id}')
    return (['template', 'component'] as const).map((documentKind) => ({
      ...{ name: `${documentKind}s`, list, get, update: save, remove, documentKind },
      ...{ create: undefined, revisions: undefined, builder: undefined },
    }))
  }

  #pageKind({ name, list, get, metaKeys }: ResourceKind): PageKind {
    const update = this.at('post', get.path)
    return {
      ...{ name, list, get, update },
      create: this.at('post', list.path),
      remove: this.at('delete', get.path),
      revisions: this.at('get', `${list.path}/{parent}/revisions`),
      builder: builderKeys(metaKeys),
    }
  }
}

function builderKeys(keys: readonly string[]): BuilderKeys | undefined {
  const data = keys.find((key) => /^_\w+_data$/.test(key))
  const mode = keys.find((key) => /^_\w+_edit_mode$/.test(key))
  return data === undefined || mode === undefined ? undefined : { data, mode }
}
