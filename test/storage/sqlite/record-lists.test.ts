/** Lists of records over HTTP: what SQLite reads for them. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'
import { isSqlite, openFile, planOf, temporaryFile } from './file.ts'

async function openSite() {
  const file = temporaryFile()
  const executed: string[] = []
  const site = await createTestSite({
    profile: full,
    storage: () => openFile(file, { onStatement: (text) => executed.push(text) }),
  })
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  await site.api.site.runDue()
  return {
    ...site,
    ada,
    executed,
    file,
    /** Returns the steps of the statements that a request runs on the records of a collection. */
    async steps(collection: string, run: () => Promise<unknown>): Promise<string[]> {
      executed.length = 0
      await run()
      return executed
        .filter((text) => text.startsWith('select') && text.includes(`collection = '${collection}'`))
        .flatMap((text) => planOf(file, text))
    },
    /** The statements on the records of a collection that sort or scan. */
    async costly(collection: string, path: string): Promise<string[]> {
      executed.length = 0
      const { status, body } = await ada('GET', path)
      expect([path, status, body.code]).toEqual([path, 200, undefined])
      // The replies to the comments of a page are few.
      const onRecords = executed.filter(
        (text) => text.includes(`collection = '${collection}'`) && !text.includes('"parent"'),
      )
      expect(onRecords).not.toEqual([])
      return onRecords.flatMap((text) => {
        const steps = planOf(file, text).filter((step) => /TEMP B-TREE|^SCAN (?!json_each)/.test(step))
        return steps.length > 0 ? [`${path}: ${steps.join('; ')} ${text}`] : []
      })
    },
  }
}

describe.runIf(isSqlite)('long lists of records', () => {
  test('of form submissions are read along an index, which counts them too', async () => {
    const { api, ids, costly } = await openSite()
    const post = ids['post.hello'] ?? 0
    for (let at = 0; at < 5; at++) {
      await api.site.submissions.add({
        ...{ postId: post, elementId: '476d0ce', formName: 'Contact', referer: 'https://quay.example/ferry/' },
        fields: [{ id: 'name', type: 'text', label: 'Name', value: `Bob ${at}` }],
      })
    }
    const found: string[] = []
    for (const status of ['all', 'unread', 'read', 'trash']) {
      for (const filter of ['', `&form=${post}_476d0ce`]) {
        for (const order of ['asc', 'desc']) {
          const query = `status=${status}&order=${order}&order_by=created_at${filter}`
          found.push(...(await costly('form_submissions', `/builder/v1/form-submissions?${query}`)))
        }
      }
    }
    expect(found).toEqual([])
  })

  test('of comments are read along an index, which counts them too', async () => {
    const { ada, ids, costly } = await openSite()
    for (const content of ['One', 'Two', 'Three']) {
      await ada('POST', '/cms/v2/comments', { body: { post: ids['post.hello'], content } })
    }
    const found: string[] = []
    for (const status of ['approve', 'hold', 'spam', 'trash']) {
      for (const order of ['asc', 'desc']) {
        found.push(...(await costly('comments', `/cms/v2/comments?context=edit&status=${status}&order=${order}`)))
      }
    }
    found.push(...(await costly('comments', `/cms/v2/comments?context=edit&post=${ids['post.hello']}`)))
    expect(found).toEqual([])
  })

  test('of the comments of an author are counted along an index that has their status', async () => {
    const { ids, ada, steps } = await openSite()
    await ada('POST', '/cms/v2/comments', { body: { post: ids['post.hello'], content: 'One' } })
    const of = (filter: string) => steps('comments', () => ada('GET', `/cms/v2/comments?${filter}`))
    const alongAuthor = /records_by:comments:author,type,status,date .*(?:<expr>=\? AND ){2}<expr>=\?/
    expect((await of(`author=${ids['user.admin']}`)).filter((step) => alongAuthor.test(step))).toHaveLength(2)
    const alongAddress = /records_by:comments:author_email,type,status,date .*(?:<expr>=\? AND ){2}<expr>=\?/
    expect((await of('author_email=vera@mail.example')).filter((step) => alongAddress.test(step))).toHaveLength(2)
  })

  test('of an author are not walked for a new comment, nor those that are held', async () => {
    const { api, as, ids, steps } = await openSite()
    await api.site.options.write({ anonymous_comments: true })
    const say = (login: string | null, content: string) => () =>
      as(login)('POST', '/cms/v2/comments', {
        body: { post: ids['post.hello'], content, author_name: 'Vera', author_email: 'vera@mail.example' },
      })
    await say(null, 'One')()
    const repeated = /records_by:comments:content_digest,post,author,date .*<expr>=\? AND <expr>=\?/
    const approved = /records_by:comments:author(?:_email)?,type,status,date .*(?:<expr>=\? AND ){2}<expr>=\?/
    for (const login of [null, 'sam']) {
      const found = await steps('comments', say(login, 'Two'))
      expect(found.some((step) => repeated.test(step))).toBe(true)
      const at = found.findIndex((step) => approved.test(step))
      expect(at).toBeGreaterThanOrEqual(0)
      // The first one ends the search: nothing is sorted.
      expect(found[at + 1] ?? '').not.toMatch(/TEMP B-TREE/)
      expect(found.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([])
    }
  })

  test('of comments with a word find the posts that a visitor may not read without the files of the site', async () => {
    const { visitor, executed, file } = await openSite()
    await visitor('GET', '/cms/v2/comments?search=tide')
    const ofLocked = executed.filter((text) => text.includes("password = '' then 0") && text.startsWith('select'))
    expect(ofLocked).not.toEqual([])
    const steps = ofLocked.flatMap((text) => planOf(file, text)).filter((step) => step.includes('posts_unusual'))
    expect(steps).not.toEqual([])
    for (const step of steps) expect(step).toMatch(/type=\? AND status=\? AND <expr>=\?/)
  })

  test('of comments with given ids read only these', async () => {
    const { ada, ids, costly } = await openSite()
    const made: number[] = []
    for (const content of ['One', 'Two', 'Three']) {
      made.push((await ada('POST', '/cms/v2/comments', { body: { post: ids['post.hello'], content } })).body.id)
    }
    const found = await costly('comments', `/cms/v2/comments?include=${made[1]}`)
    expect(found.filter((text) => !/^[^ ]+: +select count/.test(text))).toEqual([])
  })
})
