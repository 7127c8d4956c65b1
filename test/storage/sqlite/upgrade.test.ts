/** A site whose file has schema version 17, first written by version 0.1, served by this version. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { checkSqlite } from '../../../src/storage/sqlite.ts'
import { passwordOf } from '../../support/small-site.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

const authorization = `Basic ${Buffer.from(`ada:${passwordOf('ada')}`).toString('base64')}`

function storedSite(): string {
  const file = temporaryFile()
  const database = new DatabaseSync(file)
  database.exec(readFileSync(new URL('site-17.sql', import.meta.url), 'utf8'))
  database.close()
  return file
}

function serve(file: string) {
  const services = { media: createMedia({ driver: memoryMedia() }) }
  const clock = () => Date.parse('2026-03-02T12:00:00Z')
  const api = createSiteApi({ storage: openFile(file), profile: d2, url: 'https://quay.example', clock, services })
  return async (method: string, path: string, body?: object) => {
    const response = await api.fetch(
      new Request(`https://quay.example/api${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    )
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
  }
}

describe.runIf(isSqlite)('a file of schema version 17', () => {
  test('keeps its posts, users, passwords, revisions and terms, and takes writes', async () => {
    const request = serve(storedSite())
    const list = await request('GET', '/cms/v2/posts?per_page=100&_fields=id,slug,title')
    const titles = list.body.map(({ title }: { title: { rendered: string } }) => title.rendered)
    expect(titles).toContain('Hello again')
    expect(titles).toContain('Made in version 0.1')
    const hello = await request('GET', '/cms/v2/posts/5?context=edit')
    expect(hello.body).toMatchObject({ slug: 'hello', content: { raw: '<p>Changed in version 0.1</p>' } })
    expect((await request('GET', '/cms/v2/posts/5/revisions')).body).toHaveLength(4)
    expect((await request('GET', '/cms/v2/users/me')).body).toMatchObject({ id: 1, name: 'Ada Admin' })
    expect(await request('POST', '/cms/v2/posts', { title: 'Made today', status: 'publish' })).toMatchObject({
      status: 201,
      body: { slug: 'made-today', id: 32 },
    })
    expect(await request('POST', '/cms/v2/posts/25', { title: 'Changed today' })).toMatchObject({ status: 200 })
    expect((await request('DELETE', '/cms/v2/posts/6?force=true')).body).toMatchObject({ deleted: true })
  })

  test('has the counters and the schema of this version', async () => {
    const file = storedSite()
    await openFile(file).open?.()
    expect(checkSqlite(file)).toEqual({ repaired: [], problems: [] })
  })
})
