/** `api.site.posts`, `pages` and `types`: records of content types for the code of the host, by the rules of their routes. */
import type { AppContext } from '../core/declare/app-context.ts'
import { isApiError, noRoute } from '../core/declare/errors.ts'
import type { ExtensionOptions, Feature } from '../core/declare/feature.ts'
import type { CallArguments, CallOptions, CallResult } from '../core/pipeline/in-process.ts'
import { publicTypesOf } from '../features/shared/declared-types.ts'
import type { SiteManagement } from '../management/index.ts'

/** A record as its route answers it in the edit context. */
export interface SiteRecord {
  readonly id: number
  readonly slug: string
  readonly status: string
  readonly meta?: { readonly [key: string]: unknown }
  readonly [member: string]: unknown
}

/** The members of a record, as its route takes them: `title`, `content`, `status`, `author`, `categories`, `meta` and so on. */
export interface SiteRecordValues {
  readonly title?: string
  readonly content?: string
  readonly excerpt?: string
  readonly slug?: string
  readonly status?: string
  readonly author?: number
  readonly meta?: { readonly [key: string]: unknown }
  readonly [member: string]: unknown
}

/** `as` names the user who acts. Default: 'system', which has all capabilities. */
type ActingOptions = Pick<CallOptions, 'as'>

/** Records of one type. Each call follows the rules of the route, with its events and hooks, and rejects with its ApiError. */
export interface SiteRecords {
  /**
   * Creates a record: a draft, unless the values have a status.
   *
   * ```ts
   * const { id } = await api.site.posts.create({ title: 'High tide', status: 'publish', author: 3 })
   * ```
   */
  create(values: SiteRecordValues, options?: ActingOptions): Promise<SiteRecord>
  /** Changes the members that are given. */
  update(id: number, changes: SiteRecordValues, options?: ActingOptions): Promise<SiteRecord>
  /** Moves the record to the trash, or removes it for good with `force`. */
  remove(id: number, options?: ActingOptions & { readonly force?: boolean }): Promise<void>
  /** Finds a record of any status; with a slug, none in the trash. */
  find(
    by: { readonly id: number } | { readonly slug: string },
    options?: ActingOptions,
  ): Promise<SiteRecord | undefined>
  /** Lists one page of the records of all statuses but the trash: 100, unless the arguments of the list say otherwise. */
  list(args?: { readonly [name: string]: unknown }, options?: ActingOptions): Promise<readonly SiteRecord[]>
}

/** The members of `api.site` for content types. */
export interface SiteContent {
  readonly posts: SiteRecords
  readonly pages: SiteRecords
  /** Each type of the profile by the last part of its route, types of your own too: `api.site.types['recipes']`. */
  readonly types: { readonly [restBase: string]: SiteRecords }
}

type Call = (method: string, path: string, args?: CallArguments, options?: CallOptions) => Promise<CallResult>

export function createSiteContent(app: AppContext, call: Call): SiteContent {
  const recordsOf = (restBase: string) => createRecords(app.names.toPublic(`/cms/v2/${restBase}`), call)
  // Files have other statuses; `api.site.media` manages them.
  const types = publicTypesOf(app).filter(({ name }) => name !== 'attachment')
  return {
    posts: recordsOf('posts'),
    pages: recordsOf('pages'),
    types: Object.fromEntries(types.map(({ published: { restBase } }) => [restBase, recordsOf(restBase)])),
  }
}

function createRecords(route: string, call: Call): SiteRecords {
  const run = async <T = SiteRecord>(
    method: string,
    path: string,
    args: CallArguments,
    { as = 'system' }: ActingOptions = {},
  ): Promise<T> =>
    // The cast: the routes answer records and lists of them.
    (await call(method, path, args, { as })).data as T
  const list: SiteRecords['list'] = (args = {}, options) =>
    run<readonly SiteRecord[]>('GET', route, { context: 'edit', status: 'any', per_page: 100, ...args }, options)
  return {
    list,
    create: (values, options) => run('POST', route, values, options),
    update: (id, changes, options) => run('POST', `${route}/${id}`, changes, options),
    async remove(id, { force = false, ...options } = {}) {
      await run('DELETE', `${route}/${id}`, { force }, options)
    },
    async find(by, options) {
      if ('slug' in by) return (await list({ slug: [by.slug], per_page: 1 }, options))[0]
      try {
        return await run('GET', `${route}/${by.id}`, { context: 'edit' }, options)
      } catch (error) {
        // A profile without the route has no such records to look for.
        if (isApiError(error) && error.status === 404 && error.code !== noRoute().code) return undefined
        throw error
      }
    },
  }
}

/** A feature may add to the members that are there without it: `media`. */
export function siteWith(management: SiteManagement, extensions: { readonly [name: string]: unknown }): object {
  const media = { ...management.media, ...(extensions['media'] as object | undefined) }
  return { ...management, ...extensions, media }
}

export function extensionsOf(
  features: readonly Feature[],
  parts: ExtensionOptions,
): { readonly [name: string]: unknown } {
  const makers = features.flatMap(({ siteExtensions = {} }) => Object.entries(siteExtensions))
  return Object.fromEntries(makers.map(([name, make]) => [name, make(parts)]))
}
