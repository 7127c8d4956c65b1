/**
 * Writes the sitemap: an index, and files with a bounded number of addresses for each type, each taxonomy and the authors.
 * Protected posts are left out. A file takes a fixed number of reads.
 */

import {
  isViewableTaxonomy,
  publicTypesOf,
  typesWithTaxonomy,
  viewableTypes,
} from '../../features/shared/declared-types.ts'
import { authorAddress } from '../../site/addresses/archive-address.ts'
import { addressesOf } from '../../site/permalink.ts'
import { termAddresses } from '../../site/term-address.ts'
import { addressOf, type Visit } from '../visit.ts'
import { element, toXml, type XmlElement } from './xml.ts'

/** Addresses in each file. The format allows 50,000; smaller files are written faster. */
const sitemapWindow = 2000

const space = { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }

interface Address {
  readonly address: string
  /** The time of the last change in GMT. */
  readonly modified?: string
}

const toText = (root: string, name: string, entries: readonly Address[]): string =>
  toXml(
    element(
      root,
      space,
      ...entries.map(
        ({ address, modified }): XmlElement =>
          element(
            name,
            {},
            element('loc', {}, address),
            modified === undefined ? undefined : element('lastmod', {}, `${modified}Z`),
          ),
      ),
    ),
  )

/** Returns undefined when the file does not exist. `name` is the name in the path: `sitemap`, `sitemap-post-2`. */
export async function sitemapText(name: string, visit: Visit): Promise<string | undefined> {
  const sections = sectionsOf(visit)
  if (name === 'sitemap') return toText('sitemapindex', 'sitemap', await indexOf(sections, visit))
  const [, key = '', window = ''] = /^sitemap-([a-z0-9_-]+?)-([1-9]\d{0,5})$/.exec(name) ?? []
  const section = sections.find((one) => one.key === key)
  if (!section) return undefined
  const addresses = await section.read((Number(window) - 1) * sitemapWindow, sitemapWindow)
  return addresses.length === 0 ? undefined : toText('urlset', 'url', addresses)
}

interface Part {
  readonly offset: number
  readonly limit: number
  readonly total?: boolean
}

interface Section {
  readonly key: string
  /** Returns the number of entries in a part, and that of all with `total`. */
  count(part: Part): Promise<{ readonly entries: number; readonly total: number }>
  read(offset: number, limit: number): Promise<readonly Address[]>
}

async function indexOf(sections: readonly Section[], visit: Visit): Promise<Address[]> {
  const files = await Promise.all(sections.map(filesOf))
  return sections.flatMap(({ key }, index) =>
    Array.from({ length: files[index] ?? 0 }, (_, at) => ({
      address: addressOf(visit, `/sitemap-${key}-${at + 1}.xml`),
    })),
  )
}

/** Most sections have one file. That depends on two entries, not on the total, which differs after each new one. */
async function filesOf(section: Section): Promise<number> {
  const [first, second] = await Promise.all([0, sitemapWindow].map((offset) => section.count({ offset, limit: 1 })))
  if (!second?.entries) return first?.entries ?? 0
  const { total } = await section.count({ offset: 0, limit: 0, total: true })
  return Math.ceil(total / sitemapWindow)
}

function sectionsOf(visit: Visit): readonly Section[] {
  const { flat, hierarchical } = viewableTypes(visit.app)
  const types = [...flat.filter((type) => type !== 'attachment'), ...hierarchical]
  const declared = publicTypesOf(visit.app)
  const taxonomies = new Set([
    'category',
    'post_tag',
    ...declared.flatMap(({ published }) => published.taxonomies.map(({ name }) => name)),
  ])
  return [
    ...types.map((type) => postSection(type, hierarchical.includes(type), visit)),
    ...[...taxonomies].filter((name) => isViewableTaxonomy(name, visit.app)).map((name) => termSection(name, visit)),
    authorSection(visit),
  ]
}

const oldestFirst = { by: 'id', descending: false } as const

function postSection(type: string, isNested: boolean, visit: Visit): Section {
  const { storage } = visit
  const query = {
    types: [type],
    statuses: [{ status: 'publish' }],
    withPassword: false,
    order: oldestFirst,
  }
  return {
    key: type,
    async count(part) {
      const { idsPage, total } = await storage.posts.query({ ...query, ...part })
      return { entries: idsPage.length, total }
    },
    async read(offset, limit) {
      const { idsPage } = await storage.posts.query({ ...query, offset, limit })
      const posts = await storage.posts.read(idsPage.map(({ id }) => id))
      const addresses = await addressesOf(posts, visit, isNested ? type : 'page')
      return posts.map(({ modifiedGmt }, index) => ({ address: addresses[index] ?? '', modified: modifiedGmt }))
    },
  }
}

function termSection(taxonomy: string, visit: Visit): Section {
  const { storage } = visit
  const types = typesWithTaxonomy(publicTypesOf(visit.app), taxonomy)
  const usedBy = { types: types.length === 0 ? ['post'] : types, statuses: ['publish'] }
  const query = { taxonomies: [taxonomy], usedBy, order: oldestFirst }
  return {
    key: taxonomy,
    async count(part) {
      const { rows, total } = await storage.terms.query({ ...query, ...part })
      return { entries: rows.length, total }
    },
    async read(offset, limit) {
      const { rows } = await storage.terms.query({ ...query, offset, limit })
      return (await termAddresses(rows, visit)).map((address) => ({ address }))
    },
  }
}

function authorSection({ storage, settings }: Visit): Section {
  const query = { authorsOf: { types: ['post'], statuses: ['publish'] }, order: oldestFirst }
  return {
    key: 'author',
    async count(part) {
      const { rows, total } = await storage.users.query({ ...query, ...part })
      return { entries: rows.length, total }
    },
    async read(offset, limit) {
      const { rows } = await storage.users.query({ ...query, offset, limit })
      return rows.map((user) => ({ address: authorAddress(user, settings) }))
    },
  }
}

export const robotsText = (visit: Visit): string =>
  [
    'User-agent: *',
    `Disallow: ${new URL(visit.settings.apiRoot).pathname}/`,
    `Disallow: ${new URL(visit.settings.home).pathname.replace(/\/+$/, '')}/*?s=`,
    '',
    `Sitemap: ${addressOf(visit, '/sitemap.xml')}`,
    '',
  ].join('\n')
