/** A storage closes its file while it is idle. */
import { existsSync, renameSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { idleStorage } from '../../../src/storage/idle.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { addPost, findPosts } from '../../../src/testing/content.ts'
import { isSqlite, openFile, temporaryFile } from './file.ts'

const turn = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The last connection removes the log. */
async function closed(file: string): Promise<void> {
  while (existsSync(`${file}-wal`)) await turn(1)
}

const openIdle = (file: string) => openFile(file, {}, (storage) => idleStorage(storage, { idleMs: 5 }))

describe.runIf(isSqlite)('a SQLite storage with a limit of idleness', () => {
  test('closes its file, and opens it again for a read and for a write', async () => {
    const file = temporaryFile()
    const storage = openIdle(file)
    const post = await addPost(storage)
    await closed(file)
    expect(await findPosts(storage)).toEqual([post])
    await closed(file)
    const next = await addPost(storage)
    await closed(file)
    expect(await findPosts(storage)).toEqual([post, next])
  })

  test('sees what others wrote meanwhile, and its token tells', async () => {
    const file = temporaryFile()
    const storage = openIdle(file)
    await addPost(storage)
    const tokens = [storage.changes?.()]
    for (const count of [1, 2, 3]) {
      await closed(file)
      const other = sqliteStorage(file)
      await addPost(other)
      await other.close?.()
      tokens.push(storage.changes?.())
      expect(await findPosts(storage)).toHaveLength(count + 1)
    }
    expect(new Set(tokens).size).toBe(4)
  })

  test('stays open while a transaction runs', async () => {
    const [file, witnessFile] = [temporaryFile(), temporaryFile()]
    const storage = openIdle(file)
    const witness = openIdle(witnessFile)
    await storage.atomic?.(async (transaction) => {
      await addPost(transaction)
      // Opened later and used once: when it is closed, the limit of the other one has passed too.
      await addPost(witness)
      await closed(witnessFile)
      expect(existsSync(`${file}-wal`)).toBe(true)
      await addPost(transaction)
    })
    expect(await findPosts(storage)).toHaveLength(2)
  })

  test('refuses to make a file anew that is gone, and one that took its place', async () => {
    const file = temporaryFile()
    const storage = openIdle(file)
    await addPost(storage)
    await closed(file)
    renameSync(file, `${file}.moved`)
    await expect(async () => addPost(storage)).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(existsSync(file)).toBe(false)
    const other = sqliteStorage(file)
    await addPost(other)
    await other.close?.()
    await expect(async () => findPosts(storage)).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(async () => addPost(storage)).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('can be closed for good while its file is closed', async () => {
    const file = temporaryFile()
    const storage = idleStorage(sqliteStorage(file), { idleMs: 5 })
    await addPost(storage)
    await closed(file)
    await storage.close?.()
    await expect(async () => findPosts(storage)).rejects.toThrow('closed')
  })
})
