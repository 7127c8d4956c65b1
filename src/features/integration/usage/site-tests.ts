/** Tests of a site: references that lead nowhere, and records that nothing uses. */
import type { Context } from '../../../core/declare/context.ts'
import type { SiteTest } from '../../guidance/site-health/model.ts'
import { brokenReferences, orphanKinds, orphansOf } from './read.ts'
import { ensureGraph } from './rebuild.ts'

const mostCounted = 100

const counted = (count: number) => (count < mostCounted ? `${count}` : `${mostCounted} or more`)

const prepared = async ({ storage, app }: Context) => {
  await ensureGraph(storage, app.references)
  return storage
}

export const usageTests: readonly SiteTest[] = [
  {
    name: 'broken-references',
    run: async (context) => {
      const { length } = await brokenReferences(await prepared(context), mostCounted)
      if (length === 0) {
        const description = 'Pages, templates, menus and settings name records that are there.'
        return { label: 'No reference leads nowhere.', status: 'good', description }
      }
      return {
        label: `References that lead to records that are not there: ${counted(length)}.`,
        status: 'recommended',
        description: 'GET site-api/v1/usage/broken lists them, each with its record and its place: change them there.',
      }
    },
  },
  {
    name: 'unused-records',
    run: async (context) => {
      const storage = await prepared(context)
      const counts = await Promise.all(
        orphanKinds.map(async (kind) => ({ kind, count: (await orphansOf(storage, kind, mostCounted)).length })),
      )
      const unused = counts.filter(({ count }) => count > 0)
      if (unused.length === 0) {
        const description = 'Something names each medium, template, component, class and variable.'
        return { label: 'Nothing is unused.', status: 'good', description }
      }
      return {
        label: `Records that nothing uses: ${unused.map(({ kind, count }) => `${kind} ${counted(count)}`).join(', ')}.`,
        status: 'good',
        description: 'GET site-api/v1/usage/orphans?kind=media lists them. Remove those that nobody misses.',
      }
    },
  },
]
