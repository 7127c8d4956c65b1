/** Comments of an export file, read back through the api. */
import { expect, onTestFinished, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite } from '../../support/site.ts'
import { author, cdata, exportFile, inPieces, item, type WrittenItem } from './export-file.ts'

async function openSite() {
  const site = await createTestSite({ profile: content })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const ann = author('ann', 'ann@old.example', 'Ann Old')
  const imported = (...parts: readonly string[]) => site.api.site.import(inPieces(exportFile(ann, ...parts), 999))
  /** In the order of their dates, with the content of the one that each answers. */
  const threads = async () => {
    const query = { status: 'all', order: 'asc', context: 'edit', type: 'all', per_page: 100 }
    const { body } = await site.as('ada')('GET', '/cms/v2/comments', { query })
    const rows = body as readonly Listed[]
    const textOf = (id: number) => rows.find((row) => row.id === id)?.content.raw ?? ''
    return rows.map(({ content: { raw }, parent }) => (parent > 0 ? `${raw} < ${textOf(parent)}` : raw))
  }
  return { ...site, imported, threads }
}

interface Listed {
  readonly id: number
  readonly parent: number
  readonly content: { readonly raw: string }
}

type Fields = Readonly<Record<string, string | number>>

const comment = (id: number, text: string, fields: Fields = {}): string => {
  const all = {
    id,
    author: 'Bo',
    approved: 1,
    date_gmt: `2024-01-01 10:00:${String(id).padStart(2, '0')}`,
    ...fields,
    content: text,
  }
  const elements = Object.entries(all).map(
    ([name, value]) => `<wp:comment_${name}>${cdata(String(value))}</wp:comment_${name}>`,
  )
  const meta = '<wp:commentmeta><wp:meta_key>rating</wp:meta_key><wp:meta_value>5</wp:meta_value></wp:commentmeta>'
  return `<wp:comment>${elements.join('')}${meta}</wp:comment>`
}

const post = (comments: readonly string[], more: WrittenItem = {}) =>
  item({ id: 5, ...more, more: comments.join('\n') })

test('imports comments with their authors, dates and status', async () => {
  const { imported, as } = await openSite()
  const { counts, problems, fields } = await imported(
    post([
      comment(1, 'Ahoy <b>there</b>', {
        author: 'Bo',
        author_email: 'bo@old.example',
        author_url: 'https://bo.example',
        author_IP: '192.0.2.7',
      }),
      comment(2, 'Mine', { author: 'Ann Old', user_id: 7 }),
      comment(3, 'Later', { approved: 0 }),
      comment(4, 'Win', { approved: 'spam' }),
      comment(5, 'Gone', { approved: 'trash' }),
      comment(6, 'Elsewhere', { type: 'pingback' }),
    ]),
  )
  expect(counts['comments']).toEqual({ created: 6, updated: 0, existing: 0 })
  expect(problems).toEqual([])
  expect(fields).toContain('metaFields({\n  comment: {\n    rating: args.str(),\n  },\n})')
  const ada = as('ada')
  const read = async (query: object) =>
    (await ada('GET', '/cms/v2/comments', { query: { context: 'edit', order: 'asc', ...query } })).body
  const [user] = (await ada('GET', '/cms/v2/users', { query: { slug: 'ann' } })).body
  expect(await read({ status: 'approve' })).toMatchObject([
    {
      ...{
        author: 0,
        author_name: 'Bo',
        author_email: 'bo@old.example',
        author_url: 'https://bo.example',
        author_ip: '192.0.2.7',
      },
      ...{
        content: { raw: 'Ahoy <b>there</b>' },
        date_gmt: '2024-01-01T10:00:01',
        status: 'approved',
        type: 'comment',
      },
    },
    { author: user.id, content: { raw: 'Mine' } },
  ])
  const texts = async (query: object) => (await read(query)).map(({ content: { raw } }: Listed) => raw)
  expect(await texts({ status: 'hold' })).toEqual(['Later'])
  expect(await texts({ status: 'spam' })).toEqual(['Win'])
  expect(await texts({ status: 'trash' })).toEqual(['Gone'])
  expect(await texts({ type: 'pingback' })).toEqual(['Elsewhere'])
})

test('keeps threads, whatever the order in the file', async () => {
  const { imported, threads } = await openSite()
  await imported(
    post([
      comment(3, 'C', { parent: 2 }),
      comment(2, 'B', { parent: 1 }),
      comment(1, 'A'),
      comment(4, 'D', { parent: 1 }),
    ]),
  )
  expect(await threads()).toEqual(['A', 'B < A', 'C < B', 'D < A'])
})

test('begins a thread where a parent is missing, or comments answer each other', async () => {
  const { imported, threads } = await openSite()
  await imported(
    post([
      comment(1, 'A', { parent: 99 }),
      comment(2, 'B', { parent: 3 }),
      comment(3, 'C', { parent: 2 }),
      comment(4, 'D', { parent: 4 }),
    ]),
  )
  expect(await threads()).toEqual(['A', 'B', 'C', 'D'])
})

test('adds only new comments when a file is imported again, also to posts that stay unchanged', async () => {
  const { imported, threads } = await openSite()
  await imported(post([comment(1, 'A')]))
  const { counts } = await imported(post([comment(1, 'A, changed'), comment(2, 'B', { parent: 1 })]))
  expect(counts).toMatchObject({ comments: { created: 1, existing: 1 }, posts: { created: 0, existing: 1 } })
  expect(await threads()).toEqual(['A', 'B < A'])
  await imported(post([comment(1, 'A'), comment(2, 'B', { parent: 1 })]))
  expect(await threads()).toHaveLength(2)
})

test('lets no script through, and reads a file with odd values', async () => {
  const { imported, threads } = await openSite()
  await imported(
    post([
      comment(1, '<script>alert(1)</script><a href="javascript:x" onclick="y">A</a>'),
      comment(2, 'B', { approved: 'perhaps', date_gmt: '0000-00-00 00:00:00', date: '', user_id: 'x', parent: '-1' }),
      '<wp:comment></wp:comment>',
    ]),
  )
  const texts = await threads()
  expect(texts.join()).not.toMatch(/<script|javascript:|onclick/)
  expect(texts).toContain('B')
})

test('writes a thread of a thousand comments once', async () => {
  const { imported, threads, as } = await openSite()
  const long = Array.from({ length: 1000 }, (_, index) =>
    comment(index + 1, `No ${index + 1}`, { parent: index < 20 ? index : 20, date_gmt: '2024-01-01 10:00:00' }),
  )
  const { counts } = await imported(post(long))
  expect(counts['comments']).toMatchObject({ created: 1000 })
  const { headers } = await as('ada')('GET', '/cms/v2/comments', { query: { per_page: 1 } })
  expect(headers.get('x-cms-total')).toBe('1000')
  expect(await threads()).toHaveLength(100)
})
