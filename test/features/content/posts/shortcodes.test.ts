/** Tests the shortcodes in contents that show other rows or that the host defines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { h, trusted } from '../../../../src/render/builder/entry.ts'
import { createSitePages } from '../../../../src/site-pages/index.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

const medium = (key: string, type: string, more: object = {}) => ({
  ...{ key, slug: key, title: `The ${key}`, file: `2024/01/${key}.${type.split('/')[1]}`, mime_type: type },
  ...{ author: 'editor', date: '2024-01-02T10:00:00', ...more },
})
const media = [
  medium('waves', 'audio/mp3', { caption: 'At <b>night</b>', parent: 'post.ferry' }),
  medium('gulls', 'audio/ogg', { title: '', parent: 'post.ferry' }),
  medium('tide', 'video/mp4', { width: 640, height: 360, parent: 'post.ferry' }),
  medium('quay', 'image/jpeg', { width: 640, height: 360, parent: 'post.ferry' }),
]

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ seed: { ...smallSite, media: [...smallSite.media, ...media] } })
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const files = 'https://quay.example/uploads/2024/01/'

/** `$waves` is the id of the record; `~` is the folder of the files in answers. */
const withIds = (text: string) =>
  text.replace(/\$(\w+)/g, (_, key) => String(site.ids[key === 'ferry' ? 'post.ferry' : `media.${key}`]))

async function shown(content: string): Promise<string> {
  const { body } = await site.as('edith')('POST', '/cms/v2/posts', {
    body: { status: 'publish', content: withIds(content) },
  })
  const read = await site.visitor('GET', `/cms/v2/posts/${body.id}`)
  return read.body.content.rendered.trim().replaceAll(files, '~')
}

const sound = (title: string, file: string, more = '') =>
  `<li class="playlist-track"><div class="playlist-title">${title}</div>${more}<audio src="~${file}" controls preload="none" aria-label="${title}" style="width:100%"><a href="~${file}">${title}</a></audio></li>`
const waves = sound('The waves', 'waves.mp3', '<div class="playlist-caption">At <b>night</b></div>')
const gulls = sound('gulls.ogg', 'gulls.ogg')
const tide =
  '<li class="playlist-track"><div class="playlist-title">The tide</div><video src="~tide.mp4" controls preload="none" aria-label="The tide" width="640" height="360" style="max-width:100%;height:auto"><a href="~tide.mp4">The tide</a></video></li>'
const list = (classes: string, tracks: string, tag = 'ol') =>
  `<div class="playlist ${classes}"><${tag} class="playlist-tracks">${tracks}</${tag}></div>`

describe('playlists', () => {
  test.each([
    ['[playlist ids="$gulls, $waves"]', list('playlist-audio playlist-light', gulls + waves)],
    ['[playlist type="video" style="dark" ids="$tide"]', list('playlist-video playlist-dark', tide)],
    ['[playlist include="$waves" tracknumbers="false"]', list('playlist-audio playlist-light', waves, 'ul')],
    ['[playlist id="$ferry"]', list('playlist-audio playlist-light', waves + gulls)],
    ['[playlist id="$ferry" exclude="$waves"]', list('playlist-audio playlist-light', gulls)],
    ['[playlist id="$ferry" type="video"]', list('playlist-video playlist-light', tide)],
  ])('%s has a player for each file', async (written, expected) => {
    expect(await shown(written)).toBe(expected)
    expect(await shown(`<!-- cms:shortcode -->${written}<!-- /cms:shortcode -->`)).toBe(expected)
  })

  test.each([
    '[playlist]',
    '[playlist ids=""]',
    '[playlist ids="0,x,99999"]',
    '[playlist ids="$quay,$ferry"]',
    '[playlist type="video" ids="$waves"]',
    '[playlist id="99999"]',
  ])('%s shows nothing', async (written) => {
    expect(await shown(`a ${written} b`)).toBe('<p>a  b</p>')
  })

  test('of a post that a reader may not see show nothing', async () => {
    const ada = site.as('ada')
    const path = `/cms/v2/posts/${site.ids['post.ferry']}`
    for (const change of [{ status: 'private' }, { status: 'publish', password: 'x' }]) {
      await ada('POST', path, { body: change })
      expect(await shown('a [playlist id="$ferry"] [gallery id="$ferry"] b')).toBe('<p>a   b</p>')
    }
    await ada('POST', path, { body: { status: 'publish', password: '' } })
    expect(await shown('[playlist id="$ferry"]')).toContain('waves.mp3')
  })

  test('are bounded like other work of a request', async () => {
    const many = `[playlist ids="${Array.from({ length: 1200 }, () => '$waves').join(',')}"]`
    expect((await shown(many)).match(/<audio/g)).toHaveLength(1000)
    expect((await shown(many.repeat(20))).match(/<audio/g)?.length ?? 0).toBeLessThan(15_000)
  })
})

test('galleries leave out files that are no pictures, and those that they exclude', async () => {
  const pictures = async (written: string) => (await shown(written)).match(/src="[^"]*"/g)
  expect(await pictures('[gallery ids="$waves,$quay,$tide"]')).toEqual(['src="~quay.jpeg"'])
  expect(await pictures('[gallery id="$ferry"]')).toEqual(['src="~quay.jpeg"'])
  expect(await pictures('[gallery id="$ferry" exclude="$quay"]')).toBeNull()
})

describe('shortcodes of the host', () => {
  let host: TestSite
  beforeAll(async () => {
    host = await createTestSite({
      profile: full,
      seed: { ...smallSite, media: [...smallSite.media, ...media] },
      render: {
        shortcodes: {
          box: ({ inner, attributes }) =>
            h('aside', { class: ['box'], title: attributes['title'] }, trusted(inner ?? '')),
          'tide-2': ({ pass, scope }) => h('i', {}, pass.post(scope.post)?.title ?? ''),
          audio: ({ attributes }) => (attributes['own'] ? h('b', {}, 'own') : ''),
        },
      },
    })
  })
  afterAll(async () => {
    expect(host.failures).toEqual([])
    await host.dispose()
  })

  const post = async (content: string, more: object = {}) => {
    const body = { status: 'publish', title: 'told', content, ...more }
    return (await host.as('ada')('POST', '/cms/v2/posts', { body })).body
  }

  const texts: readonly (readonly [written: string, shown: string])[] = [
    ['a [tide-2] b', '<p>a <i>told</i> b</p>'],
    ['[tide-2]', '<i>told</i>'],
    [
      '[box title="a &amp; \'b\'"]x -- "y"[/box]',
      '<aside class="box" title="a &amp; &#039;b&#039;">x &#8212; &#8220;y&#8221;</aside>',
    ],
    ['[box][tide-2] [audio own=1][/box]', '<aside class="box"><i>told</i> <b>own</b></aside>'],
    ['[caption width="9"]<img src="/a.jpg"> [tide-2][/caption]', expect.stringContaining('<i>told</i></p></div>')],
    ['[[tide-2]] [Box] [tide-3 a="b"]', '<p>[tide-2] [Box] [tide-3 a=&#8221;b&#8221;]</p>'],
    ['<i title="[tide-2]">x</i>', '<p><i title="[tide-2]">x</i></p>'],
    ['<!-- cms:paragraph --><p>[tide-2]</p><!-- /cms:paragraph -->', '<p class="cms-block-paragraph"><i>told</i></p>'],
    ['<!-- cms:shortcode -->[box]y[/box]<!-- /cms:shortcode -->', '<aside class="box">y</aside>'],
  ]
  test.each(texts)('draw %s in contents', async (written, expected) => {
    const { id, content } = await post(written)
    expect(content.rendered.trim()).toEqual(expected)
    const read = await host.visitor('GET', `/cms/v2/posts/${id}`)
    expect(read.body.content.rendered.trim()).toEqual(expected)
    await host.as('ada')('DELETE', `/cms/v2/posts/${id}`, { query: { force: true } })
  })

  test.each([
    ['<p>[box]<b>x</b> [tide-2][/box]</p>', '<aside class="box"><b>x</b> <i>told</i></aside>'],
    ['[caption width="9"]<img src="/a.jpg"> [tide-2][/caption]', '<i>told</i></p></div>'],
    ['<p>a [[box]] [audio src="/a.mp3"] [audio own=1]</p>', '<p>a [box]  <b>own</b></p>'],
  ])('draw %s in documents', async (editor, expected) => {
    const id = await storeDocument(host, [widgetElement('abc0001', 'text-editor', { editor })], { title: 'told' })
    expect((await host.api.render.document(id))?.html).toContain(expected)
  })

  test('are in pages and feeds, and not in excerpts', async () => {
    const pages = createSitePages(host.api)
    const page = async (path: string) => (await pages.fetch(new Request(`https://quay.example${path}`))).text()
    const { link, excerpt, id } = await post('First. [box]Boxed[/box] [tide-2] Last.')
    expect(excerpt.rendered).toBe('<p>First. Last.</p>\n')
    const shown = '<aside class="box">Boxed</aside> <i>told</i> Last.'
    expect(await page(new URL(link).pathname)).toContain(shown)
    expect((await page('/feed/')).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')).toContain(
      shown,
    )
    await host.as('ada')('DELETE', `/cms/v2/posts/${id}`, { query: { force: true } })
  })

  test('are drawn anew when a record that they read changes', async () => {
    const { id } = await post('[tide-2]')
    const read = async () => (await host.visitor('GET', `/cms/v2/posts/${id}`)).body.content.rendered.trim()
    expect([await read(), await read()]).toEqual(['<i>told</i>', '<i>told</i>'])
    await host.as('ada')('POST', `/cms/v2/posts/${id}`, { body: { title: 'retold' } })
    expect(await read()).toBe('<i>retold</i>')
  })
})

test('a service of the host is asked for all other names, and what it leaves stays as typed', async () => {
  const asked: string[] = []
  const own = await createTestSite({
    render: {
      services: {
        shortcode: async (name, attributes, inner) => {
          asked.push(name)
          return name === 'greet' ? `<b>${attributes['to']}${inner ?? ''}</b>` : undefined
        },
      },
    },
  })
  try {
    const content =
      '[greet to="all"]![/greet] [gallery ids="0"] [sic] [other a="1"]x [greet to="me"][/other] [audio src="/a.txt"]'
    const { body } = await own.as('ada')('POST', '/cms/v2/posts', { body: { status: 'publish', content } })
    expect(body.content.rendered.trim()).toBe(
      '<p><b>all!</b>  [sic] [other a="1"]x <b>me</b>[/other] <a class="cms-embedded-audio" href="/a.txt">/a.txt</a></p>',
    )
    expect(new Set(asked)).toEqual(new Set(['greet', 'sic', 'other']))
    expect(own.failures).toEqual([])
  } finally {
    await own.dispose()
  }
})

test('a template is drawn in a content by its shortcode in any word', async () => {
  const own = await createTestSite({ profile: full })
  try {
    const id = await storeDocument(own, [widgetElement('abc0001', 'heading', { title: 'Shared' })])
    const { body } = await own.as('ada')('POST', '/cms/v2/posts', {
      body: { status: 'publish', content: `a [acme-template id="${id}"] b` },
    })
    expect(body.content.rendered).toContain('Shared')
  } finally {
    await own.dispose()
  }
})
