/** A site of a given size in a temporary SQLite file, for the parts that measure with a storage. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blankPost, blankTerm } from '../src/contract/fields/blank.ts'
import type { PostValues, Storage } from '../src/contract/storage.ts'
import { sqliteStorage } from '../src/storage/sqlite.ts'

export const siteUrl = 'https://quay.example'

const paragraph =
  'The harbour lay quiet in the morning light, and the boats came in one after the other with what the night had left.'

/** Writes about 2 kB of blocks, the size of a short article. */
const contentOf = (seed: number) =>
  Array.from(
    { length: 12 },
    (_, at) => `<!-- cms:paragraph -->\n<p>${paragraph} (${seed}.${at})</p>\n<!-- /cms:paragraph -->`,
  ).join('\n\n')

const two = (number: number) => String(number).padStart(2, '0')

/** The columns that are alike in all measured posts. `date`: `YYYY-MM-DDTHH:MM:SS`. */
const { title: _title, content: _content, ...plain } = blankPost

export const plainColumns = (date: string) => ({
  ...plain,
  date,
  dateGmt: date,
  modified: date,
  modifiedGmt: date,
  commentStatus: 'open',
  pingStatus: 'open',
})

export function postValues(seed: number): PostValues {
  const date = `2024-${two(1 + (seed % 12))}-${two(1 + (seed % 28))}T${two(seed % 24)}:${two(seed % 60)}:00`
  return {
    type: 'post',
    status: 'publish',
    slug: `harbour-notes-${seed}`,
    title: `Harbour notes ${seed}`,
    content: contentOf(seed),
    author: 1,
    ...plainColumns(date),
  }
}

export interface Content {
  readonly storage: Storage
  readonly file: string
  readonly ids: readonly number[]
  dispose(): void
}

export async function createContent(posts: number): Promise<Content> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-bench-'))
  const file = join(folder, 'site.db')
  const storage = sqliteStorage(file)
  const ids = await storage.posts.insert(Array.from({ length: posts }, (_, seed) => postValues(seed)))
  const terms = await storage.terms.insert(
    ['Boats', 'Weather', 'People'].map((name, at) => ({
      ...blankTerm,
      taxonomy: at === 0 ? 'category' : 'post_tag',
      name,
      slug: name.toLowerCase(),
    })),
  )
  await storage.terms.assign([
    ...ids.map((post) => ({ post, taxonomy: 'category', terms: terms.slice(0, 1) })),
    ...ids.map((post) => ({ post, taxonomy: 'post_tag', terms: terms.slice(1) })),
  ])
  return { storage, file, ids, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}
