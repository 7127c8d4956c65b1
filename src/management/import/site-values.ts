/**
 * Takes what an export file says of its site: title, tagline, language, time zone and front page. An option that the site has stored
 * already stays, and a site with posts or pages takes only the pages that the caller names.
 */

import type { Json, Storage } from '../../contract/storage.ts'
import { settingProblem, typedSetting } from '../../site/setting-rules.ts'
import type { ManagementContext } from '../context.ts'
import { createOptions } from '../options.ts'
import type { FileHead, FileRecord } from './reader.ts'
import type { Warn } from './report.ts'
import { ZoneObserver } from './time-zone.ts'

/** Pages that the caller names by their slugs. A file does not say which page shows the posts. */
export interface NamedPages {
  /** The slug of the page that becomes the front page, on any site. */
  /** The slug of the page that becomes the front page. Default: the page of the file with the address of its site. */
  readonly frontPage?: string
  /** The slug of the page that shows the posts. */
  /** The slug of the page that shows the posts. Default: none. */
  readonly postsPage?: string
}

/** The options that the import has written. */
export type TakenOptions = { readonly [option: string]: Json }

/** A kit says with this field of an item that it is the page of the posts. */
export const postsPageMark = 'kit:posts_page'

export class SiteValues {
  readonly #context: ManagementContext
  readonly #isEmpty: boolean
  readonly #zones = new ZoneObserver()
  #frontPage = 0
  #postsPage = 0

  private constructor(context: ManagementContext, isEmpty: boolean) {
    this.#context = context
    this.#isEmpty = isEmpty
  }

  /** Reads whether the site is empty, before anything is imported. */
  static async open(context: ManagementContext): Promise<SiteValues> {
    const query = { types: ['post', 'page'], order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
    const { idsPage } = await context.storage.posts.query(query)
    return new SiteValues(context, idsPage.length === 0)
  }

  /** The options of a running site are imported by themselves; here it takes the pages that the caller names. */
  static ofRunningSite(context: ManagementContext): SiteValues {
    return new SiteValues(context, false)
  }

  observe({ kind, fields }: FileRecord, { site }: FileHead): void {
    if (kind !== 'item') return
    this.#zones.add(fields['wp:post_date'] ?? '', fields['wp:post_date_gmt'] ?? '')
    const isPage = fields['wp:post_type'] === 'page' && fields['wp:status'] === 'publish'
    // The address of the front page is that of the site.
    if (isPage && site !== '' && isSameAddress(fields['link'] ?? '', site)) {
      this.#frontPage = Number(fields['wp:post_id']) || 0
    }
    if (isPage && fields[postsPageMark] !== undefined) this.#postsPage = Number(fields['wp:post_id']) || 0
  }

  /** `idOf` finds the row that the file calls by a number. */
  async write(
    { title, description, language }: FileHead,
    { idOf, warn, ...pages }: NamedPages & { readonly idOf: (number: number) => number; readonly warn: Warn },
  ): Promise<TakenOptions> {
    const { storage } = this.#context
    const frontPage = this.#frontPage === 0 ? 0 : idOf(this.#frontPage)
    const postsPage = this.#postsPage === 0 ? 0 : idOf(this.#postsPage)
    const found: { [option: string]: Json } = this.#isEmpty
      ? {
          ...(title ? { name: title } : {}),
          ...(description ? { description } : {}),
          ...(language ? { language: language.replaceAll('-', '_') } : {}),
          ...this.#zones.found(language),
          ...(frontPage > 0 ? { page_on_front: frontPage } : {}),
          ...(postsPage > 0 ? { page_for_posts: postsPage } : {}),
        }
      : {}
    const stored = await storage.options.read(Object.keys(found))
    const isOpen = (option: string) => [undefined, null, '', 0].includes(stored[option] as never)
    const open = Object.entries(found).filter(([option]) => isOpen(option))
    const values = { ...Object.fromEntries(open), ...(await this.#namedPages(pages, warn)) }
    if (values['page_on_front'] !== undefined) values['show_on_front'] = 'page'
    const taken = Object.fromEntries(
      Object.entries(values).flatMap(([option, value]) => {
        const typed = typedSetting(option, value)
        if (settingProblem(option, typed) === undefined) return [[option, typed]]
        warn('invalid-setting', option)
        return []
      }),
    )
    if (Object.keys(taken).length > 0) await createOptions(this.#context).write(taken)
    return taken
  }

  async #namedPages({ frontPage, postsPage }: NamedPages, warn: Warn): Promise<{ [option: string]: Json }> {
    const named = { page_on_front: frontPage, page_for_posts: postsPage }
    const found: { [option: string]: Json } = {}
    for (const [option, slug] of Object.entries(named)) {
      if (slug === undefined) continue
      const id = await pageNamed(this.#context.storage, slug)
      if (id === undefined) warn('missing-post', option)
      else found[option] = id
    }
    return found
  }
}

async function pageNamed({ posts }: Storage, slug: string): Promise<number | undefined> {
  const order = { by: 'id', descending: false } as const
  const query = { types: ['page'], statuses: [{ status: 'publish' }], slugs: [slug], order, offset: 0, limit: 1 }
  return (await posts.query(query)).idsPage[0]?.id
}

/** Compares hosts and paths: a site may have moved to https since. */
function isSameAddress(first: string, second: string): boolean {
  const plain = (address: string) =>
    address
      .trim()
      .replace(/^https?:\/\/(?:www\.)?/i, '')
      .replace(/\/+$/, '')
      .toLowerCase()
  return plain(first) === plain(second)
}
