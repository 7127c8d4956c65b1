/** Each kind of finding: a record that has it, what the patch writes dry and for real, and a record without it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CheckFinding } from '../../../../src/index.ts'
import { full } from '../../../../src/profiles/full.ts'
import { createTestPages, type TestPages } from '../../../site-pages/pages.ts'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { failuresOf, type Requester } from '../../../support/site.ts'

let site: TestPages
let ada: Requester
beforeEach(async () => {
  site = await createTestPages({ profile: full, publishing: { pageBytes: 150_000 } })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const text = '<p>Low water is at six in the morning, and the boats leave at noon.</p>'
const words = { title: 'Tides', excerpt: 'When the boats leave.', content: text }

const post = async (values: object = {}): Promise<string> => {
  const made = await ada('POST', '/cms/v2/posts', { body: { status: 'publish', ...words, ...values } })
  expect(made.status).toBe(201)
  return `post:${made.body.id}`
}
const built = async (...elements: object[]): Promise<string> => {
  const id = await storeDocument(site, elements)
  await ada('POST', `/cms/v2/posts/${id}`, { body: { title: 'Built', excerpt: 'A page of parts.' } })
  return `post:${id}`
}
const paragraph = (editor = text) => widgetElement('aaaa001', 'text-editor', { editor })

/** Uploads a picture, and gives its file this size. */
const picture = async (name: string, details: object = {}) => {
  const file = new Blob([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ])
  const headers = { 'Content-Disposition': `attachment; filename="${name}"`, 'Content-Type': 'image/png' }
  const { data } = await site.api.call<{ id: number; source_url: string }>('POST', '/cms/v2/media', undefined, {
    ...{ as: 'system' as const, headers, file },
  })
  if (Object.keys(details).length > 0) {
    const { storage } = site.api['~parts']
    const [entry] = await storage.meta.read('post', [data.id], ['_attachment_metadata'])
    // The cast: the meta of a medium is an object.
    const value = { ...(entry?.value as object), ...details }
    await storage.meta.write('post', [{ id: data.id, key: '_attachment_metadata', value }])
  }
  return data
}
const wide = (stem: string) => ({
  ...{ width: 3000, height: 2000, filesize: 900_000 },
  sizes: {
    large: { file: `${stem}-1024x683.png`, width: 1024, height: 683, filesize: 90_000, mime_type: 'image/png' },
  },
})

const findingsOf = async (record: string): Promise<CheckFinding[]> => {
  const { status, body } = await ada('GET', `/site-api/v1/checks/${record}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.unchecked).toEqual([])
  return body.findings
}
const withCode = async (record: string, code: string) => (await findingsOf(record)).filter((one) => one.code === code)

interface Case {
  readonly code: string
  /** Says which of several forms of a finding it is. */
  readonly form: string
  readonly bad: () => Promise<string>
  /** A record that is alike, and has no such finding. */
  readonly good: () => Promise<string>
  readonly place: object
  /** False: no patch mends it. */
  readonly mends?: false
}

const moved = async () => {
  const record = await post({ slug: 'low-water' })
  await ada('POST', `/cms/v2/posts/${record.slice(5)}`, { body: { slug: 'ebb' } })
}
const mail = { form_name: 'Desk', form_fields: [], submit_actions: ['email'] }

const cases: readonly Case[] = [
  {
    code: 'missing-title',
    form: 'of a post',
    bad: () => post({ title: '', content: `<h2>At the pier</h2>${text}` }),
    good: post,
    place: { member: 'title' },
  },
  {
    code: 'missing-excerpt',
    form: 'of a post',
    bad: () => post({ excerpt: '' }),
    good: post,
    place: { member: 'excerpt' },
  },
  {
    code: 'missing-description',
    form: 'of a page of pictures',
    bad: () => post({ excerpt: '', content: '<img src="/a.png" alt="The pier at noon">' }),
    good: () => post({ excerpt: '' }),
    place: { member: 'excerpt' },
  },
  {
    code: 'dead-link',
    form: 'in a text',
    bad: () => post({ content: `${text}<p>See <a href="/nowhere/?a=1&amp;b=2" rel="x">the <b>map</b></a>.</p>` }),
    good: () =>
      post({
        slug: 'self',
        content: '<p><a href="/self/">here</a> <a href="#top">up</a> <a href="mailto:a@b.example">us</a></p>',
      }),
    place: { member: 'content' },
  },
  {
    code: 'dead-link',
    form: 'of an element',
    bad: () => built(paragraph(), widgetElement('bbbb002', 'button', { text: 'Map', link: { url: '/nowhere/' } })),
    good: () => built(paragraph(), widgetElement('bbbb002', 'button', { text: 'Map', link: { url: '/' } })),
    place: { element: 'bbbb002' },
  },
  {
    code: 'dead-link',
    form: 'to a draft',
    bad: async () => {
      const { body } = await ada('POST', '/cms/v2/posts', { body: { title: 'Not yet', slug: 'not-yet' } })
      return post({ content: `<p>Soon: <a href="/?p=${body.id}">this</a></p>` })
    },
    good: async () => post({ content: `<p>Now: <a href="/?p=${(await post()).slice(5)}">this</a></p>` }),
    place: { member: 'content' },
  },
  {
    code: 'dead-link',
    form: 'to a file',
    bad: () => post({ content: '<p><a href="/uploads/2026/gone.pdf">The table</a></p>' }),
    good: async () => post({ content: `<p><a href="${(await picture('there.png')).source_url}">The table</a></p>` }),
    place: { member: 'content' },
  },
  {
    code: 'moved-link',
    form: 'in a text',
    bad: async () => {
      await moved()
      return post({ content: '<p><a href="/low-water/#when">Low water</a></p>' })
    },
    good: async () => {
      await moved()
      return post({ content: '<p><a href="/ebb/">Low water</a></p>' })
    },
    place: { member: 'content' },
  },
  {
    code: 'missing-alt',
    form: 'of a tag',
    bad: () => post({ content: `${text}<img src="/uploads/harbour-at_dusk-300x200.jpg" width="300">` }),
    good: () => post({ content: `${text}<img src="/uploads/harbour.jpg" alt="">` }),
    place: { member: 'content' },
  },
  {
    code: 'missing-alt',
    form: 'of a medium',
    bad: async () => {
      const { id, source_url: url } = await picture('harbour-at-dusk.png')
      return built(paragraph(), widgetElement('cccc003', 'image', { image: { id, url } }))
    },
    good: async () => {
      const { id, source_url: url } = await picture('harbour-at-dusk.png')
      await ada('POST', `/cms/v2/media/${id}`, { body: { alt_text: 'Boats at dusk' } })
      return built(paragraph(), widgetElement('cccc003', 'image', { image: { id, url } }))
    },
    place: { element: 'cccc003' },
  },
  {
    code: 'picture-weight',
    form: 'of a tag',
    bad: async () => {
      const { id, source_url: url } = await picture('wide.png', wide('wide'))
      return post({ content: `${text}<img class="cms-image-${id}" src="${url}" alt="Sea" width="600" height="400">` })
    },
    good: async () => {
      const { id, source_url: url } = await picture('wide.png', wide('wide'))
      return post({ content: `${text}<img class="cms-image-${id}" src="${url}" alt="Sea" width="1400" height="933">` })
    },
    place: { member: 'content' },
  },
  {
    code: 'picture-weight',
    form: 'of an element',
    bad: async () => {
      const { id, source_url: url } = await picture('sea.png', wide('sea'))
      const width = { unit: 'px', size: 600 }
      return built(paragraph(), widgetElement('dddd004', 'image', { image: { id, url }, image_size: 'full', width }))
    },
    good: async () => {
      const { id, source_url: url } = await picture('sea.png', wide('sea'))
      return built(paragraph(), widgetElement('dddd004', 'image', { image: { id, url }, image_size: 'full' }))
    },
    place: { element: 'dddd004' },
  },
  {
    code: 'outside-script',
    form: 'of an element',
    bad: () =>
      built(
        paragraph(),
        widgetElement('eeee005', 'html', { html: '<script src="https://count.example/x.js"></script>' }),
      ),
    good: () => built(paragraph(), widgetElement('eeee005', 'html', { html: '<b>none</b>' })),
    place: { element: 'eeee005' },
  },
  {
    code: 'page-weight',
    form: 'of the HTML',
    bad: () => post({ content: `<p>${'Low water and high water. '.repeat(8000)}</p>` }),
    good: post,
    place: {},
    mends: false,
  },
  {
    code: 'broken-reference',
    form: 'of a picture',
    bad: async () => {
      const { id } = await picture('gone.png')
      const record = await post({ featured_media: id })
      await site.api['~parts'].storage.posts.remove([id])
      return record
    },
    good: async () => post({ featured_media: (await picture('there.png')).id }),
    place: { member: 'featured_media' },
  },
  {
    code: 'broken-reference',
    form: 'of an element',
    bad: () => built(paragraph(), widgetElement('ffff006', 'image', { image: { id: 99_999, url: '' } })),
    good: async () => {
      const { id, source_url: url } = await picture('there.png')
      return built(paragraph(), widgetElement('ffff006', 'image', { image: { id, url } }))
    },
    place: { element: 'ffff006' },
  },
  {
    code: 'broken-reference',
    form: 'to a color',
    bad: () =>
      built(
        paragraph(),
        widgetElement('abcd007', 'heading', { title: 'Ebb', __globals__: { title_color: 'globals/colors?id=gone' } }),
      ),
    good: () =>
      built(
        paragraph(),
        widgetElement('abcd007', 'heading', {
          title: 'Ebb',
          __globals__: { title_color: 'globals/colors?id=primary' },
        }),
      ),
    place: { element: 'abcd007' },
  },
  {
    code: 'form-without-receiver',
    form: 'whose mail has no address',
    bad: () => built(paragraph(), widgetElement('abcd008', 'form', { ...mail, email_to: 'nobody' })),
    good: () => built(paragraph(), widgetElement('abcd008', 'form', { ...mail, email_to: 'desk@quay.example' })),
    place: { element: 'abcd008' },
  },
  {
    code: 'accessibility',
    form: 'of an element',
    bad: () => built(paragraph(), widgetElement('abcd009', 'html', { html: '<button></button>' })),
    good: () => built(paragraph(), widgetElement('abcd009', 'html', { html: '<button>Send</button>' })),
    place: { element: 'abcd009' },
  },
]

describe.each(cases)('$code $form', ({ code, bad, good, place, mends }) => {
  test('is found, mended by its patch, and gone', async () => {
    const record = await bad()
    const [finding] = (await withCode(record, code)).filter(
      ({ severity }) => code !== 'accessibility' || severity !== 'notice',
    )
    expect(finding, JSON.stringify(await findingsOf(record))).toBeDefined()
    // The cast: it was just found.
    const { id, patch, place: found } = finding as CheckFinding
    expect(found).toMatchObject({ record, ...place })
    if (mends === false) {
      expect(patch).toBeUndefined()
      return
    }
    expect(patch, JSON.stringify(finding)).toBeDefined()
    const ids = async () => (await withCode(record, code)).map((one) => one.id)

    const path = `/site-api/v1/checks/${record}/apply`
    const tried = await ada('POST', path, { body: { finding: id }, headers: { Prefer: 'dry-run' } })
    expect([tried.status, tried.body.changes?.length > 0], JSON.stringify(tried.body)).toEqual([200, true])
    expect(await ids()).toContain(id)
    const applied = await ada('POST', path, { body: { finding: id } })
    expect(applied.status, JSON.stringify(applied.body)).toBe(200)
    expect(await ids()).not.toContain(id)
    const again = await ada('POST', path, { body: { finding: id } })
    expect([again.status, again.body.code]).toEqual([404, 'check_no_finding'])
  })

  test('is not found where nothing is wrong', async () => {
    const found = await withCode(await good(), code)
    expect(found.filter(({ severity }) => code !== 'accessibility' || severity !== 'notice')).toEqual([])
  })
})

test('reads a content of tags that never end once, and not from each of them to the end', async () => {
  const hostile = ['<a ', '<img ', '<script ', '<a href="/nowhere/">', '<script src="/nowhere.js">', '<svg>', '<h1>']
  const content = `<p><a href="/nowhere/">there</a></p>${hostile.map((tag) => tag.repeat(30_000)).join('')}`
  const record = await post({ title: '', excerpt: '', content })
  const { body, status } = await ada('GET', `/site-api/v1/checks/${record}`)
  expect(status).toBe(200)
  expect(body.findings.map(({ code }: CheckFinding) => code)).toContain('missing-title')
})

test('refuses a patch whose replacements multiply each other', async () => {
  const record = await post({ content: 'aaaa' })
  const patch = { record, content: Array.from({ length: 60 }, () => ({ from: 'a', to: 'aa' })) }
  const refused = await ada('POST', `/site-api/v1/checks/${record}/apply`, { body: { patch } })
  expect([refused.status, refused.body.code]).toEqual([413, 'check_patch_too_large'])
})
