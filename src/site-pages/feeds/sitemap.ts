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

interface Section {
  readonly key: string
  count(): Promise<number>
  read(offset: number, limit: number): Promise<readonly Address[]>
}

async function indexOf(sections: readonly Section[], visit: Visit): Promise<Address[]> {
  const counts = await Promise.all(sections.map((section) => section.count()))
  return sections.flatMap(({ key }, index) => {
    const files = Math.ceil((counts[index] ?? 0) / sitemapWindow)
    return Array.from({ length: files }, (_, at) => ({ address: addressOf(visit, `/sitemap-${key}-${at + 1}.xml`) }))
  })
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
    count: async () => (await storage.posts.query({ ...query, offset: 0, limit: 0, total: true })).total,
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
    count: async () => (await storage.terms.query({ ...query, offset: 0, limit: 0, total: true })).total,
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
    count: async () => (await storage.users.query({ ...query, offset: 0, limit: 0, total: true })).total,
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
