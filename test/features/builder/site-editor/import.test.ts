import { type Zippable, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readZip, ZipError } from '../../../../src/services/zip.ts'
import { openSite, refusalOf, root } from './fixture.ts'

const path = `${root}/templates`
const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const header = {
  title: 'Main header',
  type: 'header',
  content: [
    {
      id: 'a1b2c3d',
      elType: 'container',
      settings: {},
      elements: [{ id: 'b1b2c3d', elType: 'widget', widgetType: 'heading', settings: { title: 'Hi' }, elements: [] }],
    },
  ],
  page_settings: { hide_title: 'yes' },
}

async function openImport() {
  const site = await openSite()
  const send = (fileName: unknown, data: unknown) =>
    site.ada('POST', path, {
      body: {
        fileName,
        fileData: data instanceof Uint8Array ? base64(data) : typeof data === 'object' ? base64(bytesOf(data)) : data,
      },
    })
  return { ...site, send }
}

test('imports a template with new element ids', async () => {
  const { send, storage, ada } = await openImport()
  const { status, body } = await send('header.JSON', header)
  expect([status, body.length]).toEqual([200, 1])
  expect(body[0]).toMatchObject({
    ...{ title: 'Main header', type: 'header', status: 'publish', hasPageSettings: true, supportsSiteEditor: true },
    instances: { no_instances: 'No instances' },
  })
  expect((await ada('GET', path)).body).toEqual(body)
  const [entry] = await storage.meta.read('post', [body[0].id], ['_builder_data'])
  const [outer] = JSON.parse(String(entry?.value))
  expect(outer.id).toMatch(/^[0-9a-f]{7}$/)
  expect([outer.id === 'a1b2c3d', outer.elements[0].id === 'b1b2c3d']).toEqual([false, false])
  expect(outer.elements[0].settings).toEqual({ title: 'Hi' })
})

test('imports several templates from an archive and skips invalid files', async () => {
  const { send } = await openImport()
  const files: Zippable = {
    'header.json': bytesOf(header),
    'folder/footer.json': bytesOf({ ...header, type: 'footer', title: '' }),
    'broken.json': bytesOf('{'),
    'strange.json': bytesOf({ ...header, type: 'spaceship' }),
    'deep.json': bytesOf(`${'['.repeat(300)}${']'.repeat(300)}`),
    'readme.txt': bytesOf('hello'),
    '__MACOSX/header.json': bytesOf(header),
    'page.json': [bytesOf({ ...header, type: 'page' }), { level: 0 }],
  }
  const { status, body } = await send('kit.zip', zipSync(files))
  expect(status).toBe(200)
  expect(body.map(({ title, type }: { title: string; type: string }) => [title, type])).toEqual([
    ['Main header', 'header'],
    ['(no title)', 'footer'],
    [undefined, undefined],
  ])
  const { id } = body[2]
  expect(body[2]).toEqual({
    ...{ id, url: 'https://quay.example/?builder_library=main-header-2' },
    ...{ editURL: `https://quay.example/?p=${id}&edit=builder`, supportsSiteEditor: false },
  })
  expect((await send('empty.zip', zipSync({ 'a.json': bytesOf('{') }))).body).toEqual([])
})

test('imports as pending for users who may not publish', async () => {
  const { as, api, ids } = await openImport()
  const capabilities = { edit_theme_options: true, publish_posts: false, unfiltered_html: false }
  await api.site.users.update(ids['user.editor'] as number, { capabilities })
  const content = [
    { id: 'x', elType: 'widget', widgetType: 'html', settings: { html: '<script>1</script><b>x</b>' }, elements: [] },
  ]
  const file = { ...header, title: 'A<script>', content }
  const { body } = await as('edith')('POST', path, { body: { fileName: 'a.json', fileData: base64(bytesOf(file)) } })
  expect([body[0].status, body[0].title]).toEqual(['pending', 'A'])
})

test('rejects files without templates', async () => {
  const { send, ada } = await openImport()
  const wrong: [unknown, unknown][] = [
    [undefined, header],
    ['', header],
    [['a.json'], header],
    ['a.json', undefined],
    ['a.json', ''],
    ['a.json', 5],
    ['a.json', 'data:application/json;base64,e30='],
    ['a.json', '%%%'],
    ['a.php', header],
    ['a.json.exe', header],
    ['a.json', bytesOf('{')],
    ['a.json', bytesOf('null')],
    ['a.json', new Uint8Array([0xff, 0xfe, 0xfd])],
    ['a.json', []],
    ['a.json', { ...header, content: {} }],
    ['a.json', { ...header, content: undefined }],
    ['a.json', { ...header, type: 'spaceship' }],
    ['a.json', { ...header, type: ['header'] }],
    ['a.json', bytesOf(`{"type":"header","content":${'['.repeat(300)}${']'.repeat(300)}}`)],
    ['a.json', bytesOf('{"type":"header","content":[],"__proto__":{}}')],
    ['a.zip', header],
    ['a.zip', new Uint8Array(100)],
    ['a.json', zipSync({ 'a.json': bytesOf(header) })],
  ]
  for (const [name, data] of wrong) {
    expect([name, ...refusalOf(await send(name, data))]).toEqual([name, 400, 'file'])
  }
  expect((await ada('GET', path)).body).toEqual([])
})

const zipOf = (name: string, text = '{}') => zipSync({ [name]: bytesOf(text) })

test('rejects path traversal, links and encrypted files in an archive', async () => {
  const { send } = await openImport()
  for (const name of ['../a.json', '/a.json', 'a/../../b.json', 'C:a.json', 'a\\b.json']) {
    expect([name, ...refusalOf(await send('a.zip', zipOf(name)))]).toEqual([name, 400, 'file'])
  }
  const link = zipSync({ 'a.json': [bytesOf('/etc/passwd'), { os: 3, attrs: 0o120777 * 65_536 }] })
  expect(refusalOf(await send('a.zip', link))).toEqual([400, 'file'])
  const secret = zipOf('a.json')
  const directory = Buffer.from(secret).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  secret[directory + 8] = 1
  expect(() => readZip(secret)).toThrow(ZipError)
})

test('rejects a zip bomb before unpacking it, whatever sizes it declares', async () => {
  const { send } = await openImport()
  const bomb = zipOf('a.json', ' '.repeat(5_000_000))
  expect(refusalOf(await send('a.zip', bomb))).toEqual([400, 'file'])
  const directory = Buffer.from(bomb).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  new DataView(bomb.buffer).setUint32(directory + 24, 10, true)
  const limits = { files: 10, fileBytes: 1_000_000, totalBytes: 2_000_000, ratio: 200 }
  expect(() => readZip(bomb, limits)).toThrow('too large')
  const large = 'x'.repeat(600)
  const several = zipSync({ a: [bytesOf(large), { level: 0 }], b: [bytesOf(large), { level: 0 }] })
  expect(() => readZip(several, { ...limits, totalBytes: 1000 })).toThrow('too large')
  expect(() => readZip(several, { ...limits, fileBytes: 500 })).toThrow('too large')
  expect(() => readZip(several, { ...limits, files: 1 })).toThrow('more than 1')
  expect(readZip(several, limits).map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['a', 600],
    ['b', 600],
  ])
})

test('truncated or modified archives only cause an error', () => {
  const whole = zipSync({ 'a.json': bytesOf({ a: 'x'.repeat(2000) }), 'b/c.json': bytesOf('{}') })
  for (let at = 0; at < whole.length; at++) {
    const changed = whole.slice()
    changed[at] = (changed[at] as number) ^ 0xff
    for (const bytes of [whole.slice(0, at), changed]) {
      try {
        readZip(bytes)
      } catch (error) {
        expect([at, error]).toEqual([at, expect.any(ZipError)])
      }
    }
  }
})

test('refuses a file that is too large with a code, before decoding it', async () => {
  const { send } = await openImport()
  const tooLarge = [413, 'file_too_large']
  expect(refusalOf(await send('a.json', 'A'.repeat(2_000_001)))).toEqual(tooLarge)
  const values = { ...header, content: Array.from({ length: 100_001 }, () => 1) }
  expect(refusalOf(await send('a.json', values))).toEqual(tooLarge)
})
