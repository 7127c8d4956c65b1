/** SQL of another program is seen where the program counts its transaction, also beside commits of another process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { newSchema, openPostgres, postgresPool } from '../../support/postgres.ts'
import { baseUrl } from '../../support/site.ts'

const project = process.env.TEST_STORAGE
const path = '/cms/v2/posts'

async function openDatabase() {
  if (project === 'postgres') {
    const schema = newSchema()
    const opened = [await openPostgres({ schema }), await openPostgres({ schema })]
    return {
      storages: opened.map(({ storage }) => storage),
      run: async (statements: readonly string[]) =>
        void (await postgresPool().query(
          `begin; set local search_path to ${schema}; ${statements.join('; ')}; commit`,
        )),
      close: async () => void (await opened[0]?.dispose()),
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  const file = join(folder, 'site.db')
  const storages = [sqliteStorage(file), sqliteStorage(file)]
  const program = new DatabaseSync(file)
  return {
    storages,
    run: async (statements: readonly string[]) => program.exec(`begin immediate; ${statements.join('; ')}; commit`),
    close: async () => {
      program.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The statements that docs/certainty.md and docs/storage.md show. */
const countOf = {
  sqlite: "insert into post_changes (type, version) values ('', 1) on conflict do update set version = version + 1",
  postgres: 'update changes set version = version + 1, options = options + 1, position = position + 1',
}

async function openSites() {
  const { storages, run, close } = await openDatabase()
  const apis = storages.map((storage) => createSiteApi({ storage, profile: full, url: baseUrl }))
  onTestFinished(async () => {
    for (const api of apis) await api.close()
    await close()
  })
  // The cast: there are two storages.
  const [writer, reader] = apis as [(typeof apis)[0], (typeof apis)[0]]
  const write = async (to: string, body: object) =>
    (await writer.call<{ id: number }>('POST', to, { ...body }, { as: 'system' })).data
  const read = async (id: number) => {
    const list = await reader.fetch(new Request(`${baseUrl}/api${path}`))
    const one = await reader.fetch(new Request(`${baseUrl}/api${path}/${id}`))
    // The casts: the bodies are a list and a post.
    const [first] = (await list.json()) as { title: { rendered: string } }[]
    const post = (await one.json()) as { title: { rendered: string } }
    return { list: first?.title.rendered, post: post.title.rendered, etag: one.headers.get('etag') }
  }
  return { run, write, read }
}

test.runIf(project === 'sqlite' || project === 'postgres')(
  'a process sees what another program has written and counted between commits of another process',
  async () => {
    const { run, write, read } = await openSites()
    const { id } = await write(path, { title: 'First', status: 'publish' })
    for (let warm = 0; warm < 3; warm++) {
      await write('/cms/v2/tags', { name: `Tag ${warm}` })
      await read(id)
    }
    const count = countOf[project === 'postgres' ? 'postgres' : 'sqlite']
    let etag = (await read(id)).etag
    for (const title of ['After', 'Before', 'Between']) {
      if (title !== 'After') await write('/cms/v2/tags', { name: `${title} 1` })
      await run([`update posts set title = '${title}', version = version + 1 where id = ${id}`, count])
      if (title !== 'Before') await write('/cms/v2/tags', { name: `${title} 2` })
      const seen = await read(id)
      expect(seen).toMatchObject({ list: title, post: title })
      expect(seen.etag).not.toBe(etag)
      etag = seen.etag
      expect(await read(id)).toEqual(seen)
    }
  },
)
