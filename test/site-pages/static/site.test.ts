/** The files of a site show what the running site shows, under every address that visitors may open. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { crawl } from './crawler.ts'
import { createSampleSite, fileServer, mapDriver, type SampleSite, server } from './sample.ts'

const url = 'https://www.example.com'

let site: SampleSite
const tagsOf = (file: string, name: string) =>
  site
    .textOf(file)
    .match(new RegExp(`<${name}\\b[^>]*>`, 'g'))
    ?.join('\n') ?? ''
beforeAll(async () => {
  site = await createSampleSite()
})
afterAll(() => site.dispose())
beforeEach(() => site.files.clear())

/** Feeds are files in the folder of their address. */
const withoutIndex = (text: string) => text.replace(/\/index\.xml(?="|$)/g, '/')

/** The files leave these addresses to the running site, as `docs/static.md` says. */
const needsServer = ({ pathname, search }: URL) =>
  /^\/api\b/.test(pathname) || search !== '' || pathname === '/subscribers-only/'

describe.each(['relative', 'absolute'] as const)('with %s links', (links) => {
  test('a crawl of the files finds the pages, texts and files of a crawl of the server', async () => {
    const report = await site.write({ links })
    expect(report.broken).toEqual([])
    const running = await crawl(server, site.get, needsServer)
    const written = await crawl(url, fileServer(site), needsServer)
    const paths = [...running.keys()]
    expect(paths.length).toBeGreaterThan(100)
    expect([...written.keys()].map(withoutIndex).sort()).toEqual(paths.sort())
    for (const [path, page] of written) {
      const same = running.get(withoutIndex(path))
      expect([path, page.status, withoutIndex(page.shown.replaceAll(`${url}/`, `${server}/`))]).toEqual([
        path,
        same?.status,
        same?.shown,
      ])
    }
  })
})

test('each file is what the server answers at its address, also where no page links it', async () => {
  await site.write()
  const answer = fileServer(site)
  const pages = [...site.files.keys()].filter((file) => /index\.(?:html|xml)$/.test(file))
  expect(pages).toContain('2023/02/17/index.html')
  expect(pages).toContain('oat-biscuits/embed/index.html')
  for (const file of pages) {
    const path = `/${file.replace(/index\.(?:html|xml)$/, '')}`
    const [running, written] = [
      await crawl(server, site.get, () => true, [path]),
      await crawl(url, answer, () => true, [`/${file}`]),
    ]
    expect(withoutIndex(written.get(`/${file}`)?.shown ?? '').replaceAll(`${url}/`, `${server}/`)).toBe(
      running.get(path)?.shown,
    )
  }
})

test('redirects are written in the forms of three hosts', async () => {
  await site.write({ url: 'https://www.example.com/letter' })
  expect(site.textOf('_redirects')).toContain('/letter/feed/ /letter/feed/index.xml 301\n')
  expect(JSON.parse(site.textOf('vercel.json')).redirects).toContainEqual({
    source: '/letter/feed/',
    destination: '/letter/feed/index.xml',
    statusCode: 301,
  })
  expect(site.textOf('redirects.nginx.conf')).toContain(
    'location = "/letter/feed/" { return 301 "/letter/feed/index.xml"; }\n',
  )
})

test('what needs the server is linked there: forms, comments, the search, the API and protected pages', async () => {
  const { onServer } = await site.write()
  expect(onServer).toEqual(['/subscribers-only/'])
  expect(tagsOf('write/index.html', 'form')).toMatch(/<form[^>]* action="https:\/\/cms\.example\.com\/write\/"/)
  expect(tagsOf('404.html', 'form')).toMatch(/<form[^>]* action="https:\/\/cms\.example\.com\/"/)
  expect(tagsOf('journal/index.html', 'a')).toContain('href="https://cms.example.com/subscribers-only/"')
  expect(tagsOf('index.html', 'link')).toContain('href="https://cms.example.com/api/"')
})

test('the page of missing addresses works under each path', async () => {
  await site.write({ url: 'https://www.example.com/letter' })
  expect(tagsOf('404.html', 'link')).toMatch(/<link rel="stylesheet" href="\/letter\/_pages\/theme\.[0-9a-f]+\.css"/)
})

test('a home below a path is the top of the folder', async () => {
  const main = site
  site = await createSampleSite({ url: `${server}/letter` })
  try {
    await site.write()
    expect(tagsOf('index.html', 'link')).toContain('href="https://cms.example.com/letter/api/"')
    expect(tagsOf('about/index.html', 'link')).toContain('<link rel="canonical" href="https://www.example.com/about/">')
    expect(site.textOf('_redirects')).toContain('/feed/ /feed/index.xml 301\n')
    expect(tagsOf('write/index.html', 'form')).toContain('action="https://cms.example.com/letter/write/"')
  } finally {
    await site.dispose()
    site = main
  }
})

test('a wrong option is a TypeError, and nothing is written', async () => {
  await expect(site.write({ url: 'example' })).rejects.toThrow(TypeError)
  await expect(site.write({ links: 'short' as 'relative' })).rejects.toThrow('links must be "relative" or "absolute"')
  expect(site.files.size).toBe(0)
})

// The next ones change the site.

test('a second run writes what has changed, and removes what is gone', async () => {
  const { site: managed } = site.api
  await site.write()
  expect(await site.write()).toMatchObject({ written: 0, removed: 0 })
  const find = async (slug: string) => {
    const { data } = await site.api.call<{ id: number }[]>('GET', '/cms/v2/posts', { slug })
    return data[0]?.id as number
  }
  const ada = (await managed.users.find({ login: 'ada' }))?.id as number
  await site.api.call('POST', `/cms/v2/posts/${await find('oat-biscuits')}`, { slug: 'biscuits' }, { as: ada })
  await site.api.call('DELETE', `/cms/v2/posts/${await find('plum-jam')}`, {}, { as: ada })
  const report = await site.write()
  expect(report.written).toBeGreaterThan(4)
  expect(report.written).toBeLessThan(60)
  const files = [...site.files.keys()]
  expect(files.filter((file) => /^(?:plum-jam|oat-biscuits)\//.test(file))).toEqual([])
  expect(files).toContain('biscuits/index.html')
  expect(site.textOf('_redirects')).toContain('/oat-biscuits/ /biscuits/ 301\n')
  expect(fileServer(site)('/plum-jam/').status).toBe(404)
})

test('names and links of an author take the place of no other file, and break no line of redirects', async () => {
  const ada = (await site.api.site.users.find({ login: 'ada' }))?.id as number
  await site.write()
  const [upload = ''] = [...site.files.keys()].filter((file) => file.endsWith('.jpg'))
  const before = [...site.files.keys()].filter((file) => file.endsWith('.jpg')).length
  const links = ['/robots.txt?x=1', '/sitemap.xml?x=%0d%0a', `/${upload}?v=2`, '/?x=%0A/../..', '//cms.example.com//x/']
  const content = links.map((href) => `<a href="${href}">x</a>`).join(' ')
  for (const slug of ['_redirects', '_query', 'a%5cb'])
    await site.api.call('POST', '/cms/v2/pages', { title: slug, slug, status: 'publish', content }, { as: ada })
  await site.write()
  const files = [...site.files.keys()]
  expect(files.filter((file) => files.some((other) => other.startsWith(`${file}/`)))).toEqual([])
  expect(files.filter((file) => /:|\\|\.\./.test(file))).toEqual([])
  expect(files.filter((file) => file.endsWith('.jpg'))).toHaveLength(before)
  const [moved = ''] = /_query-[0-9a-f]{16}\/index\.html/.exec(files.join('\n')) ?? []
  expect(site.textOf(moved)).toContain('<main')
  expect(site.textOf('_redirects')).toMatch(/^(?:\/\S* (?:\/|https:)\S* 30[1278]\n)+$/)
  expect(site.textOf('_redirects')).toMatch(/^\/_redirects\/ \/_query-[0-9a-f]{16}\/ 301$/m)
  expect(site.textOf('redirects.nginx.conf')).toMatch(/^(?:location = "[^"\n]*" \{ return 30[1278] "[^"\n]*"; \}\n)+$/)
})

test('after a run that ended early the next one writes all files', async () => {
  await site.write()
  const { setItemRaw, ...rest } = mapDriver(site.files)
  await site.api.site.options.write({ name: 'Other Notes' })
  let left = 3
  const full = {
    ...rest,
    setItemRaw: (...args: Parameters<typeof setItemRaw>) => {
      if (left-- === 0) throw new Error('the disk is full')
      setItemRaw(...args)
    },
  }
  await expect(site.write({ to: full })).rejects.toThrow('the disk is full')
  await site.api.site.options.write({ name: 'Quay Notes' })
  const { files, written } = await site.write()
  expect(written).toBe(files)
  expect(site.textOf('index.html')).not.toContain('Other Notes')
})

test('an upload that goes while the site is written ends the run', async () => {
  const ada = (await site.api.site.users.find({ login: 'ada' }))?.id as number
  const { setItemRaw, ...rest } = mapDriver(site.files)
  const { data } = await site.api.call<{ id: number }[]>('GET', '/cms/v2/media', { slug: 'rye-loaf' })
  const media = [...data]
  const to = {
    ...rest,
    async setItemRaw(key: string, bytes: Uint8Array) {
      for (const { id } of media.splice(0))
        await site.api.call('DELETE', `/cms/v2/media/${id}`, { force: true }, { as: ada })
      setItemRaw(key, bytes)
    },
  }
  expect(media).toHaveLength(1)
  await expect(site.write({ to })).rejects.toThrow(/^\/uploads\/\S+ changed while the site was written/)
})

test('a manifest that names files outside of the folder is refused', async () => {
  const name = '.site-api-static.json'
  for (const text of ['{', '{}', '{"files":{"../x":""}}', '{"files":{"a:b":""}}']) {
    site.files.set(name, new TextEncoder().encode(text))
    await expect(site.write()).rejects.toMatchObject({ code: 'static_site', message: expect.stringContaining(name) })
  }
})

test('pages that differ in their query are files too', async () => {
  await site.api.site.options.write({ permalink_structure: '' })
  const report = await site.write()
  expect(report.broken).toEqual([])
  const [, file = ''] = /href="(_query\/p-\d+-[0-9a-f]{16}\/)"/.exec(site.textOf('index.html')) ?? []
  expect(site.textOf(`${file}index.html`)).toContain('<main')
})
