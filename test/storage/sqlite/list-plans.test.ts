import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { PostQuery } from '../../../src/contract/storage.ts'
import { postListsOf, queriesOf } from '../../support/post-lists.ts'
import { fillListedSite } from '../fill-listed-site.ts'
import { isSqlite, longTimeout, openFile, temporaryFile } from './file.ts'

/** Up to this number of matches, a list may look them up and sort them. */
const maxSorted = 1000

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/**
 * Lists whose matches are all sorted, however many they are: each post is ranked, or a scan has found before that all
 * rows of a range are at the end of the order.
 */
const sortsAll = /by relevance|^(before|after|between|changed before|changed after), by/

/** The order whose index has the status before the id: the rows of one slug are sorted. */
const sortsWithin = /by slug/

/** Totals that compare one set of posts with another, row by row. */
const comparesSets = /two tags|a category (or|and) a tag|not a category|an author and a tag|word/

/** Totals for which the rows of an index are counted: no counter has them. */
const countsRows = /author|before|after|between/

/** Statements that read, sort or compare without a bound. */
function costsOf(name: string, steps: readonly Step[], { isTotal, total }: { isTotal: boolean; total: number }) {
  const details = steps.map(({ detail }) => detail)
  const scans = details.filter((detail) => /^SCAN (?:[px]\b|d USING)/.test(detail))
  const sorts = steps.filter((step) => sortsRows(step, steps, name)).map(({ detail }) => detail)
  const compares = details.filter((detail) => detail.startsWith('CORRELATED'))
  const counted = details.filter((detail) =>
    /^SEARCH [pd] USING (COVERING )?INDEX (?!posts_sticky|posts_by_format|posts_by_slug)/.test(detail),
  )
  return [
    ...scans,
    ...(isTotal && !comparesSets.test(name) && !countsRows.test(name) ? counted : []),
    ...(total > maxSorted && !sortsAll.test(name) ? sorts : []),
    ...(isTotal && !comparesSets.test(name) ? compares : []),
  ]
}

/** Whether a step sorts rows of an index, and not those that a limit has left. Few posts are sticky. */
function sortsRows({ parent, detail }: Step, steps: readonly Step[], name: string): boolean {
  if (!/TEMP B-TREE FOR .*ORDER BY/.test(detail)) return false
  if (detail.includes('LAST TERM') && sortsWithin.test(name)) return false
  return steps.some(
    (step) => step.parent === parent && /^SEARCH [pd] USING (COVERING )?INDEX (?!posts_sticky)/.test(step.detail),
  )
}

describe.runIf(isSqlite)('every list of posts', () => {
  test('reads an index, sorts no more rows than it may, and takes its total from counters', longTimeout, async () => {
    const file = temporaryFile()
    const executed: string[] = []
    const storage = openFile(file, { onStatement: (text) => executed.push(text) })
    const site = await fillListedSite(storage)
    const lists = postListsOf(site)
    const queries = await queriesOf(storage, lists, site.editor)
    const database = new DatabaseSync(file)
    const stepsOf = (statement: string) =>
      database
        .prepare(`explain query plan ${statement}`)
        // The cast: the columns of a plan.
        .all(...Array.from({ length: statement.split('?').length - 1 }, () => null)) as unknown as Step[]
    const found: string[] = []
    for (const { name } of lists) {
      executed.length = 0
      const { total } = await storage.posts.query(queries.get(name) as PostQuery)
      for (const statement of executed) {
        const isTotal = statement.includes('count') && !statement.includes('order by')
        found.push(...costsOf(name, stepsOf(statement), { isTotal, total }).map((cost) => `${name}: ${cost}`))
      }
    }
    database.close()
    expect(lists.length).toBeGreaterThan(500)
    expect(found).toEqual([])
  })
})
