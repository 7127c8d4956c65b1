import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { author, exportFile, item } from '../management/import/export-file.ts'
import { endAll, run, serve } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let file: string
let storage: string
let count = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-import-'))
})
beforeEach(() => {
  storage = `sqlite:${join(folder, `${++count}.db`)}`
  file = join(folder, `${count}.xml`)
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ann = author('ann', 'ann@old.example', 'Ann')

test('imports a file, reports what it left out, and serves the rest', async () => {
  const report = join(folder, 'report.json')
  writeFileSync(file, exportFile(ann, item({ id: 1, slug: 'kept' }), item({ id: 2, type: 'popup', title: 'Lost' })))
  const done = await run('import', file, '--storage', storage, '--report', report)
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(
    /^2 items of https:\/\/old\.example\n {2}users: 1 created\n {2}posts: 1 created\n {2}name is now "Old site"\n {2}gmt_offset is now 0\nnot carried over as they are:\n {2}1 {2}unknown-type {2}.*: popup \(line \d+ "Lost"\)\nno user is an administrator: make one with site-api user LOGIN --role administrator --storage sqlite:.*\n$/,
  )
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    counts: { posts: { created: 1 } },
    problems: [{ kind: 'unknown-type', what: 'popup', count: 1 }],
  })
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const posts = await (await fetch(`${running.base}/cms/v2/posts`)).json()
  expect(posts).toMatchObject([{ slug: 'kept' }])
  await running.end()
})

test('keeps items of unknown types with --keep-unknown, and prints their declarations', async () => {
  const popup = item({ id: 2, type: 'popup', title: 'Kept', slug: 'kept', meta: [['width', '300']] })
  writeFileSync(file, exportFile(ann, popup))
  const done = await run('import', file, '--storage', storage, '--keep-unknown')
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toContain('  popup: 1 created\n')
  expect(done.out).toMatch(/\nexport const popupType = contentType\(\{\n {2}name: 'popup',\n/)
  const { out } = await run('export', '--storage', storage)
  expect(JSON.parse(out).documents).toMatchObject([{ type: 'popup', status: 'private', meta: { width: '300' } }])
})

test('leads links of the address that --url-from names to paths, while the site has no address', async () => {
  const links = '<a href="https://www.first.example/menu/">Menu</a> <a href="https://old.example/x/">Other</a>'
  writeFileSync(file, exportFile(ann, item({ id: 1, content: links })))
  const wrong = await run('import', file, '--storage', storage, '--url-from', 'first.example')
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringContaining('--url-from must be the address of the old site'),
  })
  await run('import', file, '--storage', storage, '--url-from', 'https://first.example')
  const content = async () => JSON.parse((await run('export', '--storage', storage)).out).posts[0].content
  expect(await content()).toBe('<a href="/menu/">Menu</a> <a href="https://old.example/x/">Other</a>')
  await run('option', 'url', 'https://new.example', '--storage', storage)
  await run('import', file, '--storage', storage, '--update', '--url-from', 'https://first.example')
  expect(await content()).toContain('<a href="https://new.example/menu/">')
})

test('says which icons the documents name, and what draws them', async () => {
  const report = join(folder, 'icons.json')
  const elements = '[{"selected_icon":{"value":"fas fa-star","library":"fa-solid"}},{"i":{"library": "fa-brands"}}]'
  const built = item({ id: 1, slug: 'built', meta: [['_elementor_data', elements]] })
  writeFileSync(file, exportFile(ann, built, item({ id: 2, slug: 'plain' })))
  const { out } = await run('import', file, '--storage', storage, '--report', report)
  // The packages are installed beside the tests.
  expect(out).toContain('\ndocuments name icons of fa-brands, fa-solid: the installed packages draw them\n')
  expect(JSON.parse(readFileSync(report, 'utf8')).icons).toEqual(['fa-brands', 'fa-solid'])
  writeFileSync(file, exportFile(ann, item({ id: 3, meta: [['_elementor_data', '[{"icon":"fa fa-star"}]']] })))
  expect((await run('import', file, '--storage', storage)).out).toContain('icons of fa-brands, fa-regular, fa-solid')
})

test('makes an administrator of a user of the file, and says when there is none of this login', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1 })))
  const unknown = await run('import', file, '--storage', storage, '--administrator', 'bob')
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no user bob to be the administrator'),
  })
  const done = await run('import', file, '--storage', storage, '--administrator', 'ann')
  expect(done).toMatchObject({ code: 0, out: expect.not.stringContaining('no user is an administrator') })
  const { out } = await run('export', '--storage', storage)
  expect(JSON.parse(out).users).toMatchObject([{ login: 'ann', role: 'administrator' }])
})

test('changes nothing in a second run, and overwrites rows with --update', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, title: 'Before' })))
  await run('import', file, '--storage', storage)
  writeFileSync(file, exportFile(ann, item({ id: 1, title: 'After' })))
  expect((await run('import', file, '--storage', storage)).out).toContain('posts: 0 created, 1 there already')
  expect((await run('import', file, '--storage', storage, '--update')).out).toContain('posts: 0 created, 1 updated')
  const { out } = await run('export', '--storage', storage)
  expect(JSON.parse(out).posts).toMatchObject([{ title: 'After' }])
})

test('imports a broken file up to the mistake, and prints its position', async () => {
  const whole = exportFile(ann, item({ id: 1 }), item({ id: 2 }))
  writeFileSync(file, whole.slice(0, whole.lastIndexOf('</item>')))
  const done = await run('import', file, '--storage', storage)
  expect(done).toMatchObject({ code: 1 })
  expect(done.out).toMatch(/posts: 1 created\n[\s\S]*stopped at line \d+, byte \d+: .*\n$/)
  expect(done.err).toMatch(
    /^site-api: .*\.xml: line \d+, byte \d+: the file ends inside <item>, which began at line \d+\n$/,
  )
})

const withFile = (address: string) =>
  exportFile(
    ann,
    item({
      ...{ id: 5, type: 'attachment', status: 'inherit', slug: 'pier' },
      more: `<wp:attachment_url>${address}/wp-content/uploads/2023/05/notes.txt</wp:attachment_url>`,
      meta: [['_wp_attached_file', '2023/05/notes.txt']],
    }),
  )

const mediaIn = async (): Promise<{ readonly source_url: string }[]> => {
  const running = await serve('serve', '--port', '0', '--storage', storage, '--profile', 'content')
  const media = await (await fetch(`${running.base}/cms/v2/media`)).json()
  await running.end()
  return media
}

test('stores the files of media that it finds in a copy of the uploads, and nothing from outside of it', async () => {
  const copy = join(folder, `${count}-copy`)
  mkdirSync(join(copy, 'uploads', '2023', '05'), { recursive: true })
  writeFileSync(join(copy, 'uploads', '2023', '05', 'notes.txt'), 'Low tide at six')
  writeFileSync(file, withFile('https://old.example').replace('2023/05/notes.txt</', '../../secret.txt</'))
  writeFileSync(join(copy, 'secret.txt'), 'secret')
  const inner = join(copy, 'uploads')
  const refused = await run('import', file, '--media', 'folder', inner, '--storage', storage)
  expect(refused.out).toContain('files of media could not be stored')
  writeFileSync(file, withFile('https://old.example'))
  const done = await run('import', '--media', 'folder', inner, file, '--storage', storage, '--update')
  expect(done.out).toContain('files: 1 created')
  expect(readFileSync(join(folder, 'uploads', '2023', '05', 'notes.txt'), 'utf8')).toBe('Low tide at six')
  expect(await mediaIn()).toMatchObject([{ source_url: expect.stringMatching(/\/uploads\/2023\/05\/notes\.txt$/) }])
})

test('fetches files from private addresses with --allow-private only', async () => {
  let asked = 0
  const old = createServer((_, response) => {
    asked++
    response.end('Low tide at six')
  })
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
  try {
    const address = `http://127.0.0.1:${(old.address() as { port: number }).port}`
    writeFileSync(file, withFile(address))
    const refused = await run('import', file, '--media', 'fetch', '--storage', storage)
    expect(refused).toMatchObject({ code: 0, out: expect.stringContaining('shown from the old site') })
    expect(asked).toBe(0)
    expect(await mediaIn()).toMatchObject([{ source_url: `${address}/wp-content/uploads/2023/05/notes.txt` }])
    const done = await run('import', file, '--media', 'fetch', '--allow-private', '--storage', storage)
    expect(done.out).toContain('files: 1 created')
    await run('import', file, '--media', 'fetch', '--allow-private', '--storage', storage)
    expect(asked).toBe(1)
  } finally {
    old.close()
  }
})

test.each([
  [2, '--media must be fetch, link or folder DIR, not all', ['import', 'x.xml', '--media', 'all']],
  [2, '--media folder needs the folder', ['import', 'x.xml', '--media', 'folder']],
  [1, 'there is no folder no/such', ['import', 'x.xml', '--media', 'folder', 'no/such']],
  [2, '--user is missing', ['import', '--storage', 'STORAGE', 'https://old.example/']],
  [
    2,
    'comes from --password-file FILE or from --password-env',
    ['import', '--storage', 'STORAGE', 'https://old.example/', '--user', 'ann'],
  ],
  [
    1,
    'NO_SUCH holds no password',
    ['import', '--storage', 'STORAGE', 'https://old.example/', '--user', 'ann', '--password-env', 'NO_SUCH'],
  ],
  [
    1,
    'there is no file no/such',
    ['import', '--storage', 'STORAGE', 'https://old.example/', '--user', 'ann', '--password-file', 'no/such'],
  ],
  [2, '--url-from must be the address', ['import', 'x.xml', '--storage', 'STORAGE', '--url-from', 'old.example']],
  [2, '--dry-run is for files', ['import', 'https://a.example', '--storage', 'STORAGE', '--dry-run']],
  [2, '--user is for the address of a site', ['import', '--storage', 'STORAGE', 'x.xml', '--user', 'ann']],
  [2, 'y.xml is one argument too many', ['import', 'x.xml', 'y.xml', '--media', 'link']],
  [2, 'usage: site-api import EXPORT.xml', ['import']],
  [2, '--storage is missing', ['import', 'x.xml']],
  [2, 'memory ends with this command', ['import', 'x.xml', '--storage', 'memory']],
  [1, 'there is no file', ['import', 'no/such.xml', '--storage', 'sqlite:x.db']],
  [1, 'this is a folder', ['import', '.', '--storage', 'STORAGE']],
])('exits with %i: %s', async (code, message, args) => {
  const done = await run(...args.map((one) => (one === 'STORAGE' ? storage : one)))
  expect(done).toMatchObject({ code, out: '' })
  expect(done.err).toMatch(/^site-api: [^\n]*\n$/)
  expect(done.err).toContain(message)
})

test('leads links of another address of the old site to this one', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, content: '<a href="https://www.old.example/tide/">Tide</a>' })))
  expect(await run('import', file, '--storage', storage, '--url-from', 'https://www.old.example')).toMatchObject({
    code: 0,
  })
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const [post] = (await (await fetch(`${running.base}/cms/v2/posts`)).json()) as { content: { rendered: string } }[]
  expect(post?.content.rendered).not.toContain('old.example')
  await running.end()
})

test('serves the words of a preset', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, content: '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->' })))
  await run('import', file, '--storage', storage)
  const running = await serve('serve', '--port', '0', '--storage', storage, '--names', 'wordpress')
  const response = await fetch(`${running.base}/wp/v2/posts`)
  expect(response.headers.get('x-wp-total')).toBe('1')
  expect(response.headers.get('link')).toContain('rel="https://api.w.org/"')
  expect(await response.json()).toMatchObject([{ content: { rendered: '<p class="wp-block-paragraph">a</p>' } }])
  await running.end()
})

test('writes a site as a kit, which another site takes over', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, type: 'page', slug: 'pier', title: 'Pier' })))
  await run('import', file, '--storage', storage)
  const kit = join(folder, 'kit.zip')
  expect(await run('export', '--storage', storage, '--kit', kit)).toEqual({ code: 0, out: '', err: '' })
  const copy = `sqlite:${join(folder, 'copy.db')}`
  const tried = await run('import', kit, '--storage', copy, '--dry-run')
  expect(tried.out).toMatch(/nothing was written; would change .*posts/)
  expect(tried.out).toContain('pages: 1 created')
  expect((await run('import', kit, '--storage', copy)).out).toContain('pages: 1 created')
  const design = join(folder, 'design.zip')
  await run('export', '--storage', storage, '--kit', design, '--design')
  expect((await run('import', design, '--storage', copy)).out).not.toContain('pages')
  for (const [options, message] of [
    [['--design'], '--design needs --kit FILE.zip'],
    [['--kit', kit, '--ids'], 'a kit has no ids'],
    [['--kit', join(folder, 'no', 'kit.zip')], 'no such file'],
  ] as const) {
    const refused = await run('export', '--storage', storage, ...options)
    expect([refused.out, refused.err.includes(message)]).toEqual(['', true])
  }
})
