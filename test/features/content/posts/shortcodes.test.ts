/** Tests the shortcodes in contents that show other rows or that the host defines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
