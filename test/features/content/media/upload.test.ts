/** Tests which uploads are taken or refused, and how a file is stored. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImages } from '../../../../src/services/images.ts'
import type { TestSite } from '../../../support/site.ts'
import { bytesOf, fileAt, mediaSite, picture, sendUpload, upload, uploadForm, uploadsOf } from './pictures.ts'

describe('a site with media', () => {
  let site: TestSite
  beforeAll(async () => {
    site = await mediaSite()
  })
  afterAll(() => site.dispose())

  test('stores a raw picture with its sizes and serves each of them', async () => {
    const bytes = await bytesOf(picture(400, 300), 'png')
    const { status, body, headers } = await upload(site, 'Sea View.png', bytes)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`https://quay.example/api/cms/v2/media/${body.id}`)
    expect(body.title.raw).toBe('Sea-View')
    expect(body.filesize).toBe(bytes.length)
    expect(Object.keys(body.media_details.sizes).sort()).toEqual(['full', 'medium', 'thumbnail'])
    expect(body.missing_image_sizes).toEqual([])
    const whole = await fileAt(site, body.source_url)
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
    const { width, height } = await sharp(
      Buffer.from(await (await fileAt(site, body.media_details.sizes.medium.source_url)).arrayBuffer()),
    ).metadata()
    expect([width, height]).toEqual([300, 225])
  })

  test('takes the fields of a form as arguments, before and after the file', async () => {
    const form = new FormData()
    form.append('title[raw]', 'Before')
    form.append('file', new Blob([await bytesOf(picture(10, 10), 'jpeg')], { type: 'image/jpeg' }), 'dot.jpg')
    form.append('alt_text', 'After')
    const { status, body } = await uploadForm(site, form)
    expect([status, body.title.raw, body.alt_text, body.mime_type]).toEqual([201, 'Before', 'After', 'image/jpeg'])
  })

  test('refuses a form without the right to upload before it reads the file', async () => {
    const form = new FormData()
    form.append('file', new Blob(['High at six.'], { type: 'text/plain' }), 'a.txt')
    expect((await uploadForm(site, form, null)).status).toBe(401)
    expect((await uploadForm(site, form, 'connie')).body.code).toBe('rest_cannot_create')
  })

  test.each([
    ['broken.png', 'image/png', '\x89PNG\r\n\x1a\n not a picture', 'rest_upload_image_unreadable'],
    ['draw.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'rest_upload_svg_unreadable'],
    ['page.txt', 'text/plain', 'words <script>alert(1)</script>', 'rest_upload_sideload_error'],
    ['code.php.txt', 'text/plain', '<?php echo 1;', 'rest_upload_sideload_error'],
    ['tool.exe', 'application/octet-stream', 'MZ', 'rest_upload_sideload_error'],
    ['empty.txt', 'text/plain', '', 'rest_upload_no_data'],
    ['..', 'text/plain', 'words', 'rest_upload_sideload_error'],
  ])('refuses %s as %s', async (name, type, text, code) => {
    const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
    const { status, body } = await upload(site, name, bytes, { type })
    expect(body.code).toBe(code)
    expect(status).toBe(400)
  })

  test.each([
    ['words without a name', { 'content-type': 'application/json' }, '{"alt_text":"A pier"}', 'no_content_disposition'],
    ['fields', { 'content-type': 'application/x-www-form-urlencoded' }, 'alt_text=A', 'no_content_disposition'],
    ['a text without a name', { 'content-type': 'text/plain' }, 'High at six.', 'no_content_disposition'],
    ['neither a name nor a type', {}, 'High at six.', 'no_content_disposition'],
    ['a name that is none', { 'content-disposition': 'attachment' }, 'High at six.', 'invalid_disposition'],
    ['nothing', {}, '', 'no_data'],
    ['nothing, of a type', { 'content-type': 'image/png' }, '', 'no_data'],
    ['nothing, with a name', { 'content-disposition': 'attachment; filename="a.txt"' }, '', 'no_data'],
  ])('refuses a body with %s', async (_, headers, body, code) => {
    const { status, body: answer } = await sendUpload(site, 'edith', Buffer.from(body), '', headers)
    expect([status, answer.code]).toEqual([400, `rest_upload_${code}`])
    // Rights come first.
    expect((await sendUpload(site, 'connie', Buffer.from(body), '', headers)).body.code).toBe('rest_cannot_create')
  })

  test('finds the type of a file in its content where none is sent', async () => {
    const files = [
      ['shore.jpg', await bytesOf(picture(12, 9), 'jpeg'), 'image/jpeg'],
      ['shore.png', await bytesOf(picture(12, 9), 'gif'), 'image/gif'],
      ['tides.txt', Buffer.from('High at six.'), 'text/plain'],
      ['paper.pdf', Buffer.from('%PDF-1.4\n%%EOF'), 'application/pdf'],
    ] as const
    for (const [name, bytes, type] of files) {
      const headers = { 'content-disposition': `attachment; filename="${name}"` }
      const { status, body } = await sendUpload(site, 'arthur', bytes, '', headers)
      expect([name, status, body.mime_type]).toEqual([name, 201, type])
    }
    const lie = { 'content-disposition': 'attachment; filename="page.png"' }
    const { body } = await sendUpload(site, 'arthur', Buffer.from('<p>Hi</p>'), '', lie)
    expect(body.code).toBe('rest_upload_sideload_error')
  })

  test('keeps the accents of a name in the title, where the header names the file', async () => {
    const bytes = await bytesOf(picture(10, 10), 'png')
    const names = [
      "filename*=UTF-8''na%C3%AFve%20caf%C3%A9.png",
      `filename="${Buffer.from('Łódź.png').toString('latin1')}"`,
    ]
    const titles = []
    for (const name of names) {
      const headers = { 'content-disposition': `attachment; ${name}` }
      const { body } = await sendUpload(site, 'arthur', bytes, 'image/png', headers)
      titles.push([body.title.rendered, body.source_url.split('/').at(-1)])
    }
    expect(titles).toEqual([
      ['naïve-café', 'naive-cafe.png'],
      ['Łódź', 'Lodz.png'],
    ])
  })

  test('takes the part "file" of a form, whatever other files it has, and refuses a form without one', async () => {
    const bytes = await bytesOf(picture(10, 10), 'png')
    const dot = () => new Blob([bytes], { type: 'image/png' })
    const form = (...parts: readonly [name: string, value: Blob | string, file?: string][]) => {
      const made = new FormData()
      for (const [name, value, file = ''] of parts) {
        if (typeof value === 'string') made.append(name, value)
        else made.append(name, value, file)
      }
      return made
    }
    const taken = await uploadForm(
      site,
      form(['picture', dot(), 'a.png'], ['file', dot(), 'b.png'], ['x', dot(), 'c.png']),
    )
    expect([taken.status, taken.body.filename]).toEqual([201, 'b.png'])
    const refused = [
      [form(['caption', 'x'], ['picture', dot(), 'g.png']), 'rest_upload_unknown_error'],
      [form(['file[]', dot(), 'g.png']), 'rest_upload_unknown_error'],
      [form(['file', new Blob([]), 'empty.png']), 'rest_upload_unknown_error'],
      [form(['file', new Blob([]), '']), 'rest_upload_unknown_error'],
      [form(['caption', 'x']), 'rest_upload_no_data'],
    ] as const
    for (const [sent, code] of refused) {
      const { status, body } = await uploadForm(site, sent)
      expect([status, body.code]).toEqual([400, code])
    }
  })

  test('checks the digest of a file, in hexadecimal and in base64', async () => {
    const md5 = '0f0e6a5bd9b9b8d1a6c5c7fbd2b0e7aa'
    const wrong = await upload(site, 'a.txt', 'words', { type: 'text/plain', headers: { 'content-md5': md5 } })
    expect([wrong.status, wrong.body.code]).toEqual([412, 'rest_upload_hash_mismatch'])
    const { createHash } = await import('node:crypto')
    for (const encoding of ['hex', 'base64'] as const) {
      const digest = createHash('md5').update('words').digest(encoding)
      const { status } = await upload(site, 'a.txt', 'words', {
        type: 'text/plain',
        headers: { 'content-md5': digest },
      })
      expect(status).toBe(201)
    }
  })

  test('turns the copies of a picture as its EXIF data ask, and keeps its copyright in every file', async () => {
    const turned = await picture(400, 200)
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { body } = await upload(site, 'turned.jpg', new Uint8Array(turned), { type: 'image/jpeg' })
    expect([body.media_details.width, body.media_details.height]).toEqual([200, 400])
    for (const { source_url } of Object.values<{ source_url: string }>(body.media_details.sizes)) {
      const stored = await sharp(Buffer.from(await (await fileAt(site, source_url)).arrayBuffer())).metadata()
      expect([stored.exif?.includes('Ada'), stored.orientation ?? 1]).toEqual([true, 1])
    }
  })

  test.each(['webp', 'avif'] as const)('reads %s and makes sizes of it', async (format) => {
    const bytes = await bytesOf(picture(400, 300), format)
    const { body } = await upload(site, `new.${format}`, bytes, { type: `image/${format}` })
    expect(body.mime_type).toBe(`image/${format}`)
    expect(body.media_details.sizes.medium).toMatchObject({ width: 300, height: 225, mime_type: `image/${format}` })
  })

  test('keeps a moving picture whole, and makes still sizes', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0'].map((background) =>
        sharp({ create: { width: 320, height: 200, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    const { body } = await upload(site, 'blink.gif', new Uint8Array(moving), { type: 'image/gif' })
    expect(body.filesize).toBe(moving.length)
    expect(body.media_details.sizes.medium).toMatchObject({ width: 300, height: 188 })
  })

  test('gives parallel uploads of one name different files and slugs', async () => {
    const bytes = await bytesOf(picture(200, 200), 'png')
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload(site, 'same.png', bytes)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.source_url)).size).toBe(5)
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(5)
  })

  test('removes the files with the record, and leaves the featured picture of posts empty', async () => {
    const { body } = await upload(site, 'gone.png', await bytesOf(picture(400, 300), 'png'))
    const post = (await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'A', featured_media: body.id } }))
      .body
    expect(post.featured_media).toBe(body.id)
    const kept = await site.as('edith')('DELETE', `/cms/v2/media/${body.id}`)
    expect([kept.status, kept.body.code]).toEqual([501, 'rest_trash_not_supported'])
    expect((await site.as('edith')('DELETE', `/cms/v2/media/${body.id}`, { query: 'force=true' })).status).toBe(200)
    for (const { source_url } of Object.values<{ source_url: string }>(body.media_details.sizes)) {
      expect((await fileAt(site, source_url)).status).toBe(404)
    }
    expect((await site.as('edith')('GET', `/cms/v2/posts/${post.id}`)).body.featured_media).toBe(0)
  })

  test('crops, turns and flips into a new record', async () => {
    const { body } = await upload(site, 'edit.png', await bytesOf(picture(400, 200), 'png'))
    const modifiers = [
      { type: 'rotate', args: { angle: 90 } },
      { type: 'crop', args: { left: 0, top: 50, width: 100, height: 25 } },
      { type: 'flip', args: { flip: { horizontal: true, vertical: false } } },
    ]
    const edited = await site.as('edith')('POST', `/cms/v2/media/${body.id}/edit`, {
      body: { src: body.source_url, modifiers },
    })
    expect(edited.status).toBe(201)
    expect([edited.body.media_details.width, edited.body.media_details.height]).toEqual([200, 100])
    expect(edited.body.media_details.parent_image.attachment_id).toBe(body.id)
  })

  test.each([3_600_000_000_090, -270, 450])('turns by %d degrees as by a quarter', async (angle) => {
    const { body } = await upload(site, 'turn.png', await bytesOf(picture(40, 20), 'png'))
    const modifiers = [{ type: 'rotate', args: { angle } }]
    const edited = await site.as('edith')('POST', `/cms/v2/media/${body.id}/edit`, {
      body: { src: body.source_url, modifiers },
    })
    expect([edited.status, edited.body.media_details.width, edited.body.media_details.height]).toEqual([201, 20, 40])
  })

  test('uploads in the process by the same rules', async () => {
    const media = uploadsOf(site)
    const { post, address } = await media.upload('in process.txt', new Blob(['High at six.']), { title: 'Tides' })
    expect(await (await fileAt(site, address)).text()).toBe('High at six.')
    expect((await site.visitor('GET', `/cms/v2/media/${post.id}`)).body.title.rendered).toBe('Tides')
    await expect(media.upload('a.exe', new Blob(['MZ']))).rejects.toMatchObject({ code: 'rest_upload_sideload_error' })
    expect(await media.remove(post.id)).toBe(true)
    expect((await fileAt(site, address)).status).toBe(404)
  })
})

test('refuses a picture with more pixels than the limit before it decodes it, all frames together', async () => {
  const site = await mediaSite({ limits: { imagePixels: 100_000 } })
  try {
    const large = await upload(site, 'bomb.png', await bytesOf(picture(1000, 200), 'png'))
    expect([large.status, large.body.code]).toEqual([413, 'rest_upload_image_too_large'])
    const frames = await Promise.all(
      [0, 1, 2].map((blue) =>
        sharp({ create: { width: 200, height: 200, channels: 3, background: { r: 0, g: 0, b: blue * 100 } } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await upload(site, 'moving.gif', new Uint8Array(moving))).body.code).toBe('rest_upload_image_too_large')
  } finally {
    await site.dispose()
  }
})

test('refuses a file that is larger than the limit, and one of pictures', async () => {
  const site = await mediaSite({ limits: { uploadBytes: 2000, imageBytes: 100 } })
  try {
    const long = await upload(site, 'long.txt', 'x'.repeat(2001), { type: 'text/plain' })
    expect([long.status, long.body.code]).toEqual([413, 'rest_upload_file_too_big'])
    const image = await upload(site, 'image.png', await bytesOf(picture(300, 300), 'png'))
    expect([image.status, image.body.code]).toEqual([413, 'rest_upload_file_too_big'])
    expect((await upload(site, 'short.txt', 'x'.repeat(2000), { type: 'text/plain' })).status).toBe(201)
  } finally {
    await site.dispose()
  }
})

test.each([0, 360, -1])('refuses a turn by %i degrees', async (rotation) => {
  const site = await mediaSite()
  try {
    const { body } = await upload(site, 'plain.png', await bytesOf(picture(4, 3), 'png'))
    const turned = await site.as('edith')('POST', `/cms/v2/media/${body.id}/edit`, {
      body: { src: body.source_url, rotation },
    })
    expect([turned.status, turned.body.data.details.rotation.code]).toEqual([400, 'rest_out_of_bounds'])
  } finally {
    await site.dispose()
  }
})

test('keeps originals only without a library for pictures, and says so', async () => {
  const site = await mediaSite({
    services: { images: createImages({ load: () => Promise.reject(new Error('none')) }) },
  })
  try {
    const { status, body } = await upload(site, 'plain.png', await bytesOf(picture(400, 300), 'png'))
    expect([status, body.media_details.width, body.media_details.height]).toEqual([201, 400, 300])
    expect(body.media_details).toMatchObject({ sizes: {}, unprocessed: true })
    expect(body.missing_image_sizes).toEqual(['thumbnail', 'medium'])
    const edited = await site.as('edith')('POST', `/cms/v2/media/${body.id}/edit`, {
      body: { src: body.source_url, rotation: 90 },
    })
    expect([edited.status, edited.body.code]).toEqual([501, 'rest_image_editor_missing'])
  } finally {
    await site.dispose()
  }
})
