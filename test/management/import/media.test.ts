/** The files of imported media, fetched from a server on loopback that plays the old site, and read back through the api. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { full } from '../../../src/profiles/full.ts'
import { createHttpClient } from '../../../src/services/http-client/index.ts'
import { bytesOf, fileAt, picture } from '../../features/content/media/pictures.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'
import { author, exportFile, inPieces, item } from './export-file.ts'

let png: Uint8Array
let files: Map<string, Uint8Array>
let asked: string[]
let old: string
let port: number
let closers: (() => Promise<void>)[]

beforeEach(async () => {
  png = await bytesOf(picture(400, 200), 'png')
  files = new Map([['/wp-content/uploads/2023/05/pier.png', png]])
  asked = []
  closers = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.url}`)
    const bytes = files.get(decodeURIComponent(`${request.url}`))
    if (bytes) response.end(bytes)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { port: number }).port
  old = `http://127.0.0.1:${port}/wp-content/uploads`
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
})
afterEach(async () => {
  for (const close of closers.reverse()) await close()
})

async function openSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const outbound = createHttpClient({ allow: (_address, asked) => asked === port })
  const site = await createTestSite({ profile: content, services: { outbound }, ...options })
  closers.push(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return site
}

type Source = NonNullable<NonNullable<Parameters<TestSite['api']['site']['import']>[1]>['media']>

const run = (site: TestSite, media: Source, parts: readonly string[], update = false) =>
  site.api.site.import(inPieces(exportFile(author('ann', 'ann@old.example', 'Ann'), ...parts), 999), { media, update })

const metadata =
  'a:5:{s:5:"width";i:400;s:6:"height";i:200;s:4:"file";s:16:"2023/05/pier.png";s:8:"filesize";i:77;s:5:"sizes";a:1:{s:6:"medium";a:4:{s:4:"file";s:16:"pier-300x150.png";s:5:"width";i:300;s:6:"height";i:150;s:9:"mime-type";s:9:"image/png";}}}'

const medium = (id: number, name: string, more: readonly (readonly [string, string])[] = []) =>
  item({
    ...{ id, type: 'attachment', status: 'inherit', slug: `file-${id}`, title: name },
    more: `<wp:attachment_url>${old}/2023/05/${name}</wp:attachment_url>`,
    meta: [['_wp_attached_file', `2023/05/${name}`], ...more],
  })

const pier = () => medium(5, 'pier.png', [['_wp_attachment_metadata', metadata]])

async function mediaOf(site: TestSite) {
  const { body } = await site.as('ada')('GET', '/cms/v2/media', {
    query: { context: 'edit', orderby: 'id', order: 'asc' },
  })
  return (body as Parsed[]).filter(({ slug }) => /^file-/.test(slug))
}

async function postOf(site: TestSite, slug: string) {
  const { body } = await site.as('ada')('GET', '/cms/v2/posts', { query: { context: 'edit', slug, status: 'any' } })
  return body[0]
}

describe('media that are fetched', () => {
  test('are stored as uploads are: below their month, with sizes, and not fetched again', async () => {
    const site = await openSite()
    const report = await run(site, 'fetch', [pier()])
    expect(report).toMatchObject({ counts: { media: { created: 1 }, files: { created: 1 } }, problems: [] })
    const [found] = await mediaOf(site)
    expect(found).toMatchObject({
      source_url: 'https://quay.example/uploads/2023/05/pier.png',
      mime_type: 'image/png',
      media_details: { width: 400, height: 200, filesize: png.length, sizes: { medium: { width: 300, height: 150 } } },
    })
    expect(new Uint8Array(await (await fileAt(site, found?.['source_url'])).arrayBuffer())).toEqual(png)
    expect((await fileAt(site, found?.['media_details'].sizes.medium.source_url)).status).toBe(200)
    const before = asked.length
    const again = await run(site, 'fetch', [pier()], true)
    expect(again.counts['files']).toEqual({ created: 0, updated: 0, existing: 1 })
    expect(asked).toHaveLength(before)
    expect(await mediaOf(site)).toMatchObject([{ source_url: 'https://quay.example/uploads/2023/05/pier.png' }])
  })

  test('come from the upload where the file is a smaller copy of it', async () => {
    const site = await openSite()
    files.set('/wp-content/uploads/2023/05/big.png', png)
    const scaled =
      'a:4:{s:5:"width";i:2560;s:6:"height";i:1280;s:4:"file";s:22:"2023/05/big-scaled.png";s:14:"original_image";s:7:"big.png";}'
    await run(site, 'fetch', [
      medium(6, 'big-scaled.png', [['_wp_attachment_metadata', scaled]]),
      item({
        id: 7,
        slug: 'shows',
        content: `<img src="${old}/2023/05/big-scaled.png"> <img src="${old}/2023/05/big-300x150.png">`,
      }),
    ])
    expect(asked).toEqual(['/wp-content/uploads/2023/05/big.png'])
    const { content: shown } = await postOf(site, 'shows')
    expect(shown.raw).toBe(
      '<img src="https://quay.example/uploads/2023/05/big.png"> <img src="https://quay.example/uploads/2023/05/big-300x150.png">',
    )
  })

  test('that fail are reported, shown from the old site, and tried by the next import', async () => {
    const site = await openSite()
    files.set('/wp-content/uploads/2023/05/page.png', new TextEncoder().encode('<script>alert(1)</script>'))
    const parts = [medium(4, 'gone.png'), pier(), medium(6, 'page.png')]
    const report = await run(site, 'fetch', parts)
    expect(report.counts['files']).toEqual({ created: 1, updated: 0, existing: 0 })
    expect(report.problems.map(({ kind, what, examples }) => [kind, what, examples[0]?.what])).toEqual(
      expect.arrayContaining([
        ['file-missing', 'The address answered 404.', `${old}/2023/05/gone.png`],
        ['file-missing', expect.stringContaining('not taken'), `${old}/2023/05/page.png`],
      ]),
    )
    expect((await mediaOf(site)).map(({ source_url: address }) => address)).toEqual([
      `${old}/2023/05/gone.png`,
      'https://quay.example/uploads/2023/05/pier.png',
      `${old}/2023/05/page.png`,
    ])
    files.set('/wp-content/uploads/2023/05/gone.png', png)
    await run(site, 'fetch', parts)
    expect(asked.filter((path) => path.endsWith('pier.png'))).toHaveLength(1)
    expect((await mediaOf(site))[0]).toMatchObject({ source_url: 'https://quay.example/uploads/2023/05/gone.png' })
  })

  test('are refused from private addresses that the site does not allow', async () => {
    const site = await openSite({ services: { outbound: createHttpClient() } })
    const { problems } = await run(site, 'fetch', [pier()])
    expect(asked).toEqual([])
    expect(problems).toMatchObject([{ kind: 'file-missing', count: 1 }])
  })

  test('are removed with their records, and those that stay on the old site too', async () => {
    const site = await openSite()
    await run(site, 'fetch', [pier(), medium(6, 'gone.png')])
    const ada = site.as('ada')
    for (const { id, source_url: address } of await mediaOf(site)) {
      const edited = await ada('POST', `/cms/v2/media/${id}/edit`, { body: { src: address, rotation: 90 } })
      expect(edited.status).toBe(address.startsWith(old) ? 404 : 201)
      expect(
        (await ada('POST', `/cms/v2/media/${id}/post-process`, { body: { action: 'create-image-subsizes' } })).status,
      ).toBe(address.startsWith(old) ? 404 : 200)
      expect((await ada('DELETE', `/cms/v2/media/${id}`, { query: { force: true } })).status).toBe(200)
    }
    expect((await fileAt(site, 'https://quay.example/uploads/2023/05/pier.png')).status).toBe(404)
  })
})

describe('references to files of the old site', () => {
  const block = () =>
    `<!-- wp:image {"id":5,"sizeSlug":"medium"} --><figure class="wp-block-image"><img src="${old}/2023/05/pier-300x150.png" class="wp-image-5" srcset="${old}/2023/05/pier.png 400w, ${old}/2023/05/pier-150x150.png 150w"/></figure><!-- /wp:image -->`

  test('lead to the new file, in the size that was there, with the id of the record', async () => {
    const site = await openSite()
    await run(site, 'fetch', [
      item({ id: 1, slug: 'shows', content: block(), excerpt: `${old}/2023/05/pier.png?x=1` }),
      pier(),
    ])
    const [{ id } = {}] = await mediaOf(site)
    const post = await postOf(site, 'shows')
    expect(post.content.raw).toBe(
      `<!-- cms:image {"id":${id},"sizeSlug":"medium"} --><figure class="cms-block-image"><img src="https://quay.example/uploads/2023/05/pier-300x150.png" class="wp-image-${id}" srcset="https://quay.example/uploads/2023/05/pier.png 400w, https://quay.example/uploads/2023/05/pier-150x150.png 150w"/></figure><!-- /cms:image -->`,
    )
    expect(post.excerpt.raw).toBe('https://quay.example/uploads/2023/05/pier.png?x=1')
    await run(site, 'fetch', [])
    expect((await postOf(site, 'shows')).content.raw).toBe(post.content.raw)
  })

  test('lead to the new file inside documents of the builder', async () => {
    const site = await openSite({ profile: full })
    const element = (url: string, id: number | string) => [
      {
        id: 'a1b2c3d',
        elType: 'widget',
        widgetType: 'image',
        elements: [],
        settings: { image: { url, id }, caption: `see ${url}` },
      },
    ]
    const written = JSON.stringify(element(`${old}/2023/05/pier-300x150.png`, 5)).replaceAll('/', '\\/')
    const other = JSON.stringify(element('https://elsewhere.example/pier.png', 5))
    await run(site, 'fetch', [
      item({
        id: 1,
        slug: 'built-before',
        meta: [
          ['_elementor_data', written],
          ['_elementor_edit_mode', 'builder'],
        ],
      }),
      item({
        id: 2,
        slug: 'others',
        meta: [
          ['_elementor_data', other],
          ['_elementor_edit_mode', 'builder'],
        ],
      }),
      pier(),
    ])
    const [{ id } = {}] = await mediaOf(site)
    const built = await postOf(site, 'built-before')
    expect(JSON.parse(built.meta['_builder_data'])).toEqual(
      element('https://quay.example/uploads/2023/05/pier-300x150.png', id),
    )
    // The address is that of another host; the id is that of the record.
    expect((await postOf(site, 'others')).meta['_builder_data']).toBe(other.replace('"id":5}', `"id":${id}}`))
  })

  test('stay where the file could not be stored, and get the id of its record', async () => {
    const site = await openSite()
    await run(site, 'link', [item({ id: 1, slug: 'shows', content: block() }), pier()])
    const [{ id } = {}] = await mediaOf(site)
    expect((await postOf(site, 'shows')).content.raw).toBe(
      block()
        .replaceAll('wp:image', 'cms:image')
        .replaceAll('wp-block-', 'cms-block-')
        .replace('"id":5', `"id":${id}`)
        .replace('wp-image-5', `wp-image-${id}`),
    )
  })
})

test('an id whose medium a later file brings is written beside its address', async () => {
  const site = await openSite()
  const picture = `<img src="${old}/2023/05/pier.png" class="wp-image-5"/>`
  const content = `<!-- wp:image {"id":5} -->${picture}<!-- /wp:image -->[gallery ids="5"]`
  await run(site, 'link', [item({ id: 1, slug: 'shows', content })])
  await run(site, 'link', [pier()])
  const [{ id } = {}] = await mediaOf(site)
  expect((await postOf(site, 'shows')).content.raw).toBe(
    `<!-- cms:image {"id":${id}} -->${picture.replace('-5', `-${id}`)}<!-- /cms:image -->[gallery ids="0"]`,
  )
})

test('links show the file and its sizes from the old site, and fetch nothing', async () => {
  const site = await openSite()
  const report = await run(site, 'link', [pier()])
  expect(report.problems).toEqual([])
  expect(asked).toEqual([])
  expect(await mediaOf(site)).toMatchObject([
    {
      source_url: `${old}/2023/05/pier.png`,
      media_details: { width: 400, filesize: 77, sizes: { medium: { source_url: `${old}/2023/05/pier-300x150.png` } } },
    },
  ])
})

test('a copy of the uploads gives the files by their paths, and one that lacks is reported', async () => {
  const site = await openSite()
  const opened: string[] = []
  const open = (path: string) => {
    opened.push(path)
    return path === '2023/05/pier.png' ? inBytes(png) : undefined
  }
  const report = await run(site, { open }, [pier(), medium(6, 'lost.pdf')])
  expect(opened.sort()).toEqual(['2023/05/lost.pdf', '2023/05/pier.png'])
  expect(report.counts['files']).toMatchObject({ created: 1 })
  expect(report.problems).toMatchObject([
    { kind: 'file-missing', what: 'there is no file 2023/05/lost.pdf in the folder' },
  ])
})

test.each([
  ['uploads/sites/3/', 'sites/3/2023/05/pier.png'],
  ['blogs.dir/3/files/', 'blogs.dir/3/files/2023/05/pier.png'],
])('a copy of the uploads of a network gives the files of the site: %s', async (below, inNetwork) => {
  const one = pier().replace('wp-content/uploads/', `wp-content/${below}`)
  // The first folder is that of all sites, in which another one has a file of the same name; the second that of the site.
  for (const [has, expected] of [
    [[inNetwork, '2023/05/pier.png'], [inNetwork]],
    [['2023/05/pier.png'], [inNetwork, '2023/05/pier.png']],
  ] as const) {
    const site = await openSite()
    const opened: string[] = []
    const open = (path: string) => {
      opened.push(path)
      return has.some((known) => known === path) ? inBytes(png) : undefined
    }
    const report = await run(site, { open }, [one])
    expect(report.problems).toEqual([])
    expect(opened).toEqual(expected)
    expect(await mediaOf(site)).toMatchObject([{ source_url: 'https://quay.example/uploads/2023/05/pier.png' }])
  }
})

async function* inBytes(bytes: Uint8Array) {
  yield bytes
}

test('drawings come along clean, and one that can not be read stays on the old site', async () => {
  const site = await openSite()
  const drawing = '<svg viewBox="0 0 30 10" onload="hit()"><script>hit()</script><path d="M0 0h30v10z"/></svg>'
  files.set('/wp-content/uploads/2023/05/logo.svg', new TextEncoder().encode(drawing))
  files.set('/wp-content/uploads/2023/05/bad.svg', new TextEncoder().encode('<svg><path d="M0'))
  const report = await run(site, 'fetch', [medium(5, 'logo.svg'), medium(6, 'bad.svg')])
  expect(report.counts['files']).toMatchObject({ created: 1 })
  expect(report.problems).toMatchObject([
    { kind: 'file-missing', what: 'The svg file is not well formed, draws nothing, or draws too much.' },
  ])
  const [logo, bad] = await mediaOf(site)
  expect(logo).toMatchObject({
    source_url: 'https://quay.example/uploads/2023/05/logo.svg',
    mime_type: 'image/svg+xml',
    media_details: { width: 30, height: 10 },
  })
  const stored = await fileAt(site, logo?.['source_url'])
  expect(await stored.text()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path d="M0 0h30v10z"></path></svg>',
  )
  expect(bad?.['source_url']).toBe(`${old}/2023/05/bad.svg`)
})

test('tells how many files are done', async () => {
  const site = await openSite()
  const seen: unknown[] = []
  await site.api.site.import(inPieces(exportFile(pier(), medium(6, 'gone.png')), 999), {
    media: 'fetch',
    progress: ({ files: done }) => void (done && seen.push(done)),
  })
  expect(seen).toEqual([
    { done: 1, total: 2 },
    { done: 2, total: 2 },
  ])
})
