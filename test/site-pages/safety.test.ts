/** Hostile texts, methods and visitors have no effect. */
import { Parser } from 'htmlparser2'
import { afterEach, describe, expect, test } from 'vitest'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>]]> & ' -->`

/** The scripts and handlers of a page. */
function activeParts(html: string): string[] {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' && attributes['type'] !== 'module') found.push('script')
      for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on') || /^\s*javascript:/i.test(value)) found.push(`${name} ${key}`)
      }
    },
  })
  parser.end(html)
  return found
}

describe('a page', () => {
  test.each(['/hostile/', '/journal/', '/category/hostile/', '/author/arthur-author/', '/hostile/embed/', '/no/'])(
    '%s shows hostile titles, names and descriptions as text',
    async (path) => {
      site = await createTestPages()
      const { api, ids } = site
      await api.site.options.write({ name: hostile, description: hostile })
      const term = await api.site.terms.create({
        taxonomy: 'category',
        name: hostile,
        slug: 'hostile',
        description: hostile,
      })
      await api.site.users.update(ids['user.author'] as number, {
        displayName: hostile,
        meta: { description: hostile },
      })
      const post = {
        title: hostile,
        slug: 'hostile',
        status: 'publish',
        excerpt: hostile,
        content: hostile,
        categories: [term.id],
      }
      await api.call('POST', '/cms/v2/posts', { ...post, author: ids['user.author'] }, { as: 'system' })
      const { text, headers } = await site.get(path)
      expect(activeParts(text)).toEqual([])
      expect(headers.get('content-security-policy')).toMatch(/script-src '(?:self|none)'/)
      expect(text).toContain('&lt;script&gt;alert(1)')
    },
  )

  test('shows the text of a search as text', async () => {
    site = await createTestPages()
    const { text } = await site.get(`/?s=${encodeURIComponent(hostile)}`)
    expect(activeParts(text)).toEqual([])
    expect(text).toContain('&lt;script&gt;')
  })

  test('filters content that came in by another way than the API, by the rights of its author', async () => {
    site = await createTestPages()
    const { storage } = site.api['~parts']
    const content = '<p>Words</p><script>alert(1)</script><div>'
    for (const [key, author] of [
      ['ferry', 'author'],
      ['hello', 'admin'],
    ] as const) {
      const changes = { content, author: site.ids[`user.${author}`] as number }
      await storage.posts.update([{ id: site.ids[`post.${key}`] as number, changes }])
    }
    expect(activeParts((await site.get('/ferry/')).text)).toEqual([])
    const trusted = (await site.get('/hello/')).text
    expect(activeParts(trusted)).toEqual(['script'])
    // Elements that a text leaves open end inside of it.
    expect(trusted).toMatch(/<div>\s*<\/div><\/div>/)
  })

  test('redirects to the site only, whatever the host and the path of the request', async () => {
    site = await createTestPages()
    for (const path of ['//evil.example/hello', '/hello?next=//evil.example', '/\\evil.example/hello']) {
      const { location } = await site.get(path)
      expect(location === null || location.startsWith('https://quay.example/')).toBe(true)
    }
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'POST'])('refuses %s with the methods that it has', async (method) => {
    site = await createTestPages()
    const { status, headers } = await site.send('/hello/', { method })
    expect(status).toBe(405)
    expect(headers.get('allow')).toContain('GET, HEAD')
  })

  test('that fails is a logged 500 without details', async () => {
    const broken = (storage: object) =>
      new Proxy(storage, {
        get: (target, name) => {
          if (name === 'terms') throw new Error('secret detail')
          return Reflect.get(target, name)
        },
      })
    site = await createTestPages()
    const { createSitePages } = await import('../../src/site-pages/index.ts')
    const parts = site.api['~parts']
    const api = { ...site.api, '~parts': { ...parts, storage: broken(parts.storage) as never } }
    const response = await createSitePages(api).fetch(new Request('https://quay.example/hello/'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret detail')
    expect(site.failures).toHaveLength(1)
    site.failures.length = 0
  })
})

describe('a protected post', () => {
  const enter = (password: string) =>
    site.send('/_pages/unlock', {
      method: 'POST',
      body: new URLSearchParams({ post: String(site.ids['post.locked']), password }),
    })

  test('asks for its password and shows nothing of its text', async () => {
    site = await createTestPages()
    const { text, headers } = await site.get('/locked/')
    expect(text).not.toContain('Hidden.')
    expect(text).toContain('type="password"')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('vary')).toBe('Cookie')
    for (const path of ['/journal/', '/feed/', '/feed/atom/', '/locked/embed/', '/sitemap-post-1.xml']) {
      expect((await site.get(path)).text).not.toContain('Hidden.')
    }
    expect((await site.get('/sitemap-post-1.xml')).text).not.toContain('/locked/')
  })

  test('opens with the password, for the holder of the cookie, until the password changes', async () => {
    site = await createTestPages()
    const opened = await enter('sesame')
    expect([opened.status, opened.location]).toEqual([303, 'https://quay.example/locked/'])
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';')
    expect(opened.headers.get('set-cookie')).toContain('HttpOnly; SameSite=Lax; Secure')
    expect((await site.get('/locked/', { cookie })).text).toContain('Hidden.')
    expect((await site.get('/locked/')).text).not.toContain('Hidden.')
    const id = site.ids['post.locked']
    await site.api.call('POST', `/cms/v2/posts/${id}`, { password: 'other' }, { as: 'system' })
    expect((await site.get('/locked/', { cookie })).text).not.toContain('Hidden.')
  })

  test('says that a password is wrong, and after many that they are too many', async () => {
    site = await createTestPages()
    const wrong = await enter('guess')
    expect(wrong.status).toBe(403)
    expect(wrong.text).toContain('This is not the password.')
    for (let at = 0; at < 59; at++) await enter('guess')
    const limited = await enter('sesame')
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a preview', () => {
  test('shows a draft to the holder of its address, for a time', async () => {
    site = await createTestPages()
    const url = new URL(await site.pages.previewUrl(site.ids['post.draft'] as number, { forMs: 60_000 }))
    const shown = await site.get(url.pathname + url.search)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('Draft of an author')
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    expect(shown.headers.get('x-robots-tag')).toBe('noindex')
    site.clock.now += 61_000
    expect((await site.get(url.pathname + url.search)).status).toBe(404)
  })

  test('is bound to its post, its user and its time', async () => {
    site = await createTestPages()
    const url = new URL(await site.pages.previewUrl(site.ids['post.draft'] as number))
    const token = url.searchParams.get('preview') as string
    const [user, until, signature] = token.split('.') as [string, string, string]
    const later = (Number.parseInt(until, 36) + 1).toString(36)
    const draft = site.ids['post.draft']
    const tries = [
      [site.ids['post.pending'], token],
      [draft, `${Number(user) + 1}.${until}.${signature}`],
      [draft, `${user}.${later}.${signature}`],
      [draft, `${user}.${until}.${signature.slice(0, -1)}`],
      [draft, 'true'],
      [draft, ''],
    ] as const
    for (const [id, text] of tries) {
      expect((await site.get(`/?p=${id}&preview=${encodeURIComponent(text)}`)).status).toBe(404)
    }
  })

  test('draws the document of a draft with the rights of its author', async () => {
    site = await createTestPages()
    const elements = [containerElement('c1', {}, [widgetElement('w1', 'heading', { title: 'Built draft' })])]
    const id = await storeDocument(site, elements, { status: 'draft' })
    expect((await site.get(`/?p=${id}`)).status).toBe(404)
    const url = new URL(await site.pages.previewUrl(id))
    expect((await site.get(url.pathname + url.search)).text).toContain('Built draft')
  })

  describe('of an edited post', () => {
    const built = (title: string) => ({
      _builder_edit_mode: 'builder',
      _builder_data: JSON.stringify([widgetElement('w1', 'heading', { title })]),
    })
    const preview = async (id: number, as: number) => {
      const url = new URL(await site.pages.previewUrl(id, { as }))
      return (await site.get(url.pathname + url.search)).text
    }

    test('shows the autosave of the user of its address, and nobody else gets it', async () => {
      site = await createTestPages()
      const id = await storeDocument(site, [widgetElement('w1', 'heading', { title: 'As published' })])
      site.clock.now += 60_000
      const autosave = { title: 'Renamed', meta: built('Not saved yet') }
      const saved = await site.as('edith')('POST', `/cms/v2/posts/${id}/autosaves`, { body: autosave })
      expect(saved.status).toBe(200)
      const editor = site.ids['user.editor'] as number
      const text = await preview(id, editor)
      expect(text).toContain('Not saved yet')
      expect(text).toContain('Renamed')
      expect(text).not.toContain('As published')
      for (const other of [
        await preview(id, site.ids['user.admin'] as number),
        (await site.get('/a-built-post/')).text,
      ]) {
        expect(other).toContain('As published')
        expect(other).not.toContain('Not saved yet')
      }
      expect(await preview(id, editor)).toContain('Not saved yet')
    })

    test('shows what was saved after the autosave', async () => {
      site = await createTestPages()
      const id = await storeDocument(site, [widgetElement('w1', 'heading', { title: 'As published' })])
      const edith = site.as('edith')
      site.clock.now += 60_000
      await edith('POST', `/cms/v2/posts/${id}/autosaves`, { body: { meta: built('Not saved yet') } })
      site.clock.now += 60_000
      await edith('PUT', `/cms/v2/posts/${id}`, { body: { meta: built('Saved at last') } })
      const text = await preview(id, site.ids['user.editor'] as number)
      expect(text).toContain('Saved at last')
      expect(text).not.toContain('Not saved yet')
    })

    test('shows the edited content of a post that no builder edits', async () => {
      site = await createTestPages()
      const id = site.ids['post.tide'] as number
      site.clock.now += 60_000
      await site.as('edith')('POST', `/cms/v2/posts/${id}/autosaves`, { body: { content: '<p>Spring tide.</p>' } })
      const text = await preview(id, site.ids['user.editor'] as number)
      expect(text).toContain('Spring tide.')
      expect(text).toContain('<h1')
    })
  })

  test('rejects for a post that does not exist', async () => {
    site = await createTestPages()
    await expect(site.pages.previewUrl(99_999)).rejects.toThrow('there is no post 99999')
  })

  test('its key is no part of an export', async () => {
    site = await createTestPages()
    await site.pages.previewUrl(site.ids['post.draft'] as number)
    const { options } = (await site.api.site.export()) as { options?: object }
    expect(Object.keys(options ?? {})).not.toContain('pages_secret')
  })
})
