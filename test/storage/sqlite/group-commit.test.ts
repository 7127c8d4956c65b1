/** Transactions that share a commit: how many commits there are, who is answered when, and what a failure undoes. */
import { readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { findPosts, postValues } from '../../../src/testing/content.ts'
import { createTestSite } from '../../support/site.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

/** Those in the write-ahead log: frames that end a transaction name the size of the file. */
function commitsIn(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits++
  return commits
}

/** Another connection, which sees committed rows only. */
function otherConnection(file: string) {
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  const slugs = database.prepare('select slug from posts order by id')
  return { database, slugs: () => slugs.all().map(({ slug }) => slug) }
}

/** The storage has no search index, whose batches would be further commits. */
async function openSite() {
  const file = temporaryFile()
  const storage = openFile(file, { searchIndex: false })
  await storage.open?.()
  return { file, storage, ...otherConnection(file) }
}

type Work<T> = (transaction: Storage) => T | Promise<T>

/** A transaction that may share its commit. */
async function together<T>(storage: Storage, work: Work<T>): Promise<T> {
  return (await storage.atomic?.(work, { groupCommit: true })) as T
}

const insert = (storage: Storage, slug: string) =>
  together(storage, async (transaction) => (await transaction.posts.insert([postValues({ slug })]))[0])

describe.runIf(isSqlite)('transactions that arrive together', () => {
  test('share one commit, before which none is answered', async () => {
    const { file, storage, slugs } = await openSite()
    const before = commitsIn(file)
    const writes = ['a', 'b', 'c'].map(async (slug) => {
      const id = await insert(storage, slug)
      return [id, slugs().includes(slug)]
    })
    expect(slugs()).toEqual([])
    expect(await findPosts(storage)).toEqual([])
    expect(await Promise.all(writes)).toEqual([1, 2, 3].map((id) => [id, true]))
    expect(commitsIn(file) - before).toBe(1)
  })

  test('have commits of their own unless they ask to share one', async () => {
    const { file, storage } = await openSite()
    const before = commitsIn(file)
    const write = (slug: string) => storage.atomic?.((inside) => inside.posts.insert([postValues({ slug })]))
    await Promise.all(['a', 'b'].map(write))
    expect(commitsIn(file) - before).toBe(2)
  })

  test('begin another commit after the one before', async () => {
    const { file, storage, slugs } = await openSite()
    const before = commitsIn(file)
    await insert(storage, 'a')
    await insert(storage, 'b')
    expect(commitsIn(file) - before).toBe(2)
    expect(slugs()).toEqual(['a', 'b'])
  })

  test('are undone alone when they fail, and told so after the commit', async () => {
    const { file, storage, slugs } = await openSite()
    const before = commitsIn(file)
    const refusal = new Error('no')
    const fails = together(storage, async (transaction) => {
      await transaction.posts.insert([postValues({ slug: 'refused' })])
      throw refusal
    })
    const told = fails.catch((error: unknown) => [error, slugs()])
    const writes = [insert(storage, 'a'), told, insert(storage, 'b')]
    await expect(insert(storage, 'a')).rejects.toMatchObject({ code: 'storage_conflict' })
    expect(await Promise.all(writes)).toEqual([expect.any(Number), [refusal, ['a', 'b']], expect.any(Number)])
    expect(commitsIn(file) - before).toBe(1)
  })

  test('see what those before them have written', async () => {
    const { storage } = await openSite()
    const writing = insert(storage, 'a')
    const taken = together(storage, (transaction) => transaction.posts.takenSlugs('post', ['a', 'b']))
    expect(await taken).toEqual(['a'])
    await writing
  })

  test('take turns where they wait, and a write without a transaction waits for them', async () => {
    const { storage, slugs } = await openSite()
    const order: string[] = []
    const step = Promise.withResolvers<void>()
    const slow = together(storage, async (transaction) => {
      order.push('slow begins')
      await step.promise
      await transaction.posts.insert([postValues({ slug: 'slow' })])
      order.push('slow ends')
    })
    const next = together(storage, async (transaction) => {
      order.push('next')
      await transaction.posts.insert([postValues({ slug: 'next' })])
    })
    const plain = Promise.resolve(storage.posts.insert([postValues({ slug: 'plain' })]))
    // The turn that ends the group passes while one of its members waits.
    await new Promise((resolve) => setImmediate(resolve))
    const late = insert(storage, 'late')
    expect(order).toEqual(['slow begins'])
    step.resolve()
    await Promise.all([slow, next, plain, late])
    expect(order).toEqual(['slow begins', 'slow ends', 'next'])
    expect(slugs()).toEqual(['slow', 'next', 'plain', 'late'])
  })

  test('are at most 32 to a commit', async () => {
    const { file, storage, slugs } = await openSite()
    const before = commitsIn(file)
    const names = Array.from({ length: 33 }, (_, at) => `p${at}`)
    await Promise.all(names.map((slug) => insert(storage, slug)))
    expect(commitsIn(file) - before).toBe(2)
    expect(slugs()).toEqual(names)
  })

  test('all wait for the lock of another process, then share a commit', async () => {
    const { file, storage, database, slugs } = await openSite()
    const before = commitsIn(file)
    database.exec('begin immediate')
    const writes = ['a', 'b', 'c'].map((slug) => insert(storage, slug))
    await new Promise((resolve) => setImmediate(resolve))
    database.exec('rollback')
    await Promise.all(writes)
    expect(slugs()).toEqual(['a', 'b', 'c'])
    expect(commitsIn(file) - before).toBe(1)
  })

  test('all fail with a commit that fails', async () => {
    const { file, storage } = await openSite()
    await insert(storage, 'kept')
    const refused = together(storage, () => {
      throw new Error('of its own')
    })
    const writes = [insert(storage, 'a'), refused, insert(storage, 'b')]
    // The commit notices that the file is gone.
    rmSync(file)
    const outcomes = await Promise.allSettled(writes)
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
    expect(codes).toEqual(Array(3).fill('storage_unavailable'))
    await expect(insert(storage, 'c')).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('are waited for when the storage is closed', async () => {
    const { storage, slugs } = await openSite()
    const writes = [insert(storage, 'a'), insert(storage, 'b')]
    await storage.close?.()
    await Promise.all(writes)
    expect(slugs()).toEqual(['a', 'b'])
    await expect(insert(storage, 'c')).rejects.toThrow('closed')
  })
})

describe.runIf(isSqlite)('requests that create posts at once', () => {
  test('share a commit: a refused one leaves nothing, and events come after it', async () => {
    const file = temporaryFile()
    const site = await createTestSite({ storage: () => openFile(file) })
    onTestFinished(() => site.dispose())
    const { slugs } = otherConnection(file)
    const edith = await site.api.site.users.find({ login: 'edith' })
    const seen: unknown[] = []
    site.api.on('post.created', ({ post }) => void seen.push([post.slug, slugs().includes(post.slug)]))
    const create = (title: string, more = {}) =>
      site.api
        .call<{ slug: string }>('POST', '/cms/v2/posts', { title, status: 'publish', ...more }, { as: edith?.id })
        .then(({ data }) => data.slug)
        .catch(({ code }) => code)
    // The first write of a process makes the indexes of its collections.
    await create('Before')
    await site.api.site.runDue()
    seen.length = 0
    const before = commitsIn(file)
    const creates = [create('First'), create('Refused', { author: 9999 }), create('First'), create('Second')]
    expect(await Promise.all(creates)).toEqual(['first', 'rest_invalid_author', 'first-2', 'second'])
    expect(seen).toEqual(
      slugs()
        .slice(-3)
        .map((slug) => [slug, true]),
    )
    expect(commitsIn(file) - before).toBe(1)
  })
})
