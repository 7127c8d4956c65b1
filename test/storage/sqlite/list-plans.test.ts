import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { PostQuery } from '../../../src/contract/storage.ts'
import { postValues } from '../../../src/testing/content.ts'
import { postListsOf, queriesOf } from '../../support/post-lists.ts'
import { fillListedSite } from '../fill-listed-site.ts'
import { isSqlite, longTimeout, openFile, temporaryFile } from './file.ts'

/** Lists whose total is that of a counter, or less what an index has of exclusions. */
const counted = /^(no filter|a category|a tag|an author|two authors|without an id|without 20 ids|not sticky), by/

/** The sizes of what indexes find, the total, the page; by relevance, the best may be found before all. */
const mostStatements = (name: string) => (name.includes('relevance') ? 5 : 3)

describe.runIf(isSqlite)('every list of posts', () => {
  test('takes few statements, which read an index, and its total from counters', longTimeout, async () => {
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
        .all(...Array.from({ length: statement.split('?').length - 1 }, () => null))
        .map(({ detail }) => String(detail))
    const found: string[] = []
    const [post = 0] = await storage.posts.insert([postValues({ slug: 'changed' })])
    for (const [at, { name }] of lists.entries()) {
      // No total is kept.
      await storage.posts.update([{ id: post, changes: { template: `template-${at}` } }])
      executed.length = 0
      await storage.posts.query(queries.get(name) as PostQuery)
      const statements = executed.filter((text) => !/post_changes/.test(text))
      if (statements.length > mostStatements(name)) found.push(`${name}: ${statements.length} statements`)
      const steps = statements.flatMap(stepsOf)
      found.push(...steps.filter((step) => /^SCAN (?:[pux]\b|d USING)/.test(step)).map((step) => `${name}: ${step}`))
      const total = statements.find((text) => text.startsWith('select 0 ')) ?? ''
      if (counted.test(name) && !/_counts/.test(total)) found.push(`${name}: ${total}`)
    }
    database.close()
    expect(lists.length).toBeGreaterThan(500)
    expect(found).toEqual([])
  })
})
