import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStorage } from 'unstorage'
import folderDriver from 'unstorage/drivers/fs-lite'
import memoryDriver from 'unstorage/drivers/memory'
import { expect, onTestFinished, test } from 'vitest'
import { createMedia, wholeAddress } from '../../src/services/media.ts'
import { type MediaDriver, memoryMedia } from '../../src/services/media-driver.ts'

function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'site-api-media-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'uploads')
}

/** The texts that a host may write over a table. */
function textDriver(): MediaDriver {
  const texts = new Map<string, string>()
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  }
}

function bufferDriver(): MediaDriver {
  const driver = memoryMedia()
  return { ...driver, getItemRaw: async (key) => ((await driver.getItem(key, {})) as Uint8Array | undefined)?.buffer }
}

const bytes = Uint8Array.from([0, 1, 254, 255, 13, 10])

test('creates the folder with the first file and stores the bytes unchanged', async () => {
  const folder = temporaryFolder()
  const media = createMedia({ folder })
  expect(existsSync(folder)).toBe(false)
  expect(await media.write('2024/05/pier.jpg', bytes, 'image/jpeg')).toBe('/uploads/2024/05/pier.jpg')
  expect(new Uint8Array(readFileSync(join(folder, '2024/05/pier.jpg')))).toEqual(bytes)
})

test.each([
  ['a folder', () => createMedia({ folder: temporaryFolder() })],
  ['memory', () => createMedia({ driver: memoryMedia() })],
  ['a driver of unstorage', () => createMedia({ driver: memoryDriver() })],
  ['a driver of unstorage with a folder', () => createMedia({ driver: folderDriver({ base: temporaryFolder() }) })],
  ['a driver for texts alone', () => createMedia({ driver: textDriver() })],
  ['a driver that gives an ArrayBuffer', () => createMedia({ driver: bufferDriver() })],
])('reads, replaces and removes files in %s', async (_, create) => {
  const media = create()
  expect(await media.read('a/b.css')).toBeUndefined()
  await media.write('a/b.css', bytes, 'text/css')
  await media.write('a/b.css', bytes.slice(1), 'text/css')
  expect(new Uint8Array((await media.read('a/b.css')) ?? [])).toEqual(bytes.slice(1))
  await media.remove('a/b.css')
  await media.remove('a/b.css')
  expect(await media.read('a/b.css')).toBeUndefined()
})

test('keeps copies of the bytes in memory', async () => {
  const media = createMedia({ driver: memoryMedia() })
  const written = bytes.slice()
  await media.write('a.css', written, 'text/css')
  written[0] = 9
  const found = await media.read('a.css')
  found?.fill(7)
  expect(await media.read('a.css')).toEqual(bytes)
})

test('reads what unstorage wrote into a folder, and the reverse', async () => {
  const folder = temporaryFolder()
  const before = createStorage({ driver: folderDriver({ base: folder }) })
  await before.setItemRaw('2024:a.css', bytes)
  const media = createMedia({ folder })
  expect(new Uint8Array((await media.read('2024/a.css')) ?? [])).toEqual(bytes)
  await media.write('2024/b.css', bytes, 'text/css')
  expect(new Uint8Array((await before.getItemRaw('2024:b.css')) ?? [])).toEqual(bytes)
})

test('leaves the file of before and no draft when a write fails', async () => {
  const folder = temporaryFolder()
  const media = createMedia({ folder })
  await media.write('a/b.css', bytes, 'text/css')
  await expect(media.write('a', bytes, 'text/css')).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['a'])
  expect(new Uint8Array((await media.read('a/b.css')) ?? [])).toEqual(bytes)
})

test('says that a driver can not write or remove', async () => {
  const media = createMedia({ driver: { getItem: () => null } })
  await expect(media.write('a.css', bytes, 'text/css')).rejects.toThrow('can not write')
  await expect(media.remove('a.css')).rejects.toThrow('can not remove')
})

test.each([
  '../x',
  'a/../../x',
  '/etc/passwd',
  'a//b',
  'a\\b',
  'a:b',
  '.hidden',
  'a/.',
  'a/..',
  'a.',
  '',
  'a\0b',
  'a\u202eb.jpg',
])('refuses the path %j', async (path) => {
  const media = createMedia({ folder: temporaryFolder() })
  await expect(media.write(path, bytes, 'text/css')).rejects.toThrow(TypeError)
  await expect(media.read(path)).rejects.toThrow(TypeError)
  await expect(media.remove(path)).rejects.toThrow(TypeError)
})

test('resolves relative URLs against the site and keeps absolute ones', async () => {
  const media = createMedia({ driver: memoryDriver(), address: 'https://cdn.example/a/' })
  const far = await media.write('b.css', bytes, 'text/css')
  const site = { url: 'https://quay.example' }
  expect(wholeAddress(site, far)).toBe('https://cdn.example/a/b.css')
  expect(wholeAddress(site, '/uploads/b.css')).toBe('https://quay.example/uploads/b.css')
})
