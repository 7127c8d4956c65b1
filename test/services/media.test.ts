import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import memoryDriver from 'unstorage/drivers/memory'
import { expect, onTestFinished, test } from 'vitest'
import { createMedia, wholeAddress } from '../../src/services/media.ts'

function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'site-api-media-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'uploads')
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
  ['a driver', () => createMedia({ driver: memoryDriver() })],
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
  'ä.jpg',
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
