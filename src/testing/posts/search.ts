/** Post queries: text search. The caller folds the search texts, the storage folds the columns. */

import type { PostValues, Storage, TextSearch } from '../../contract/storage.ts'
import { fold } from '../../contract/text-fold.ts'
import { type ConformanceCase, equal } from '../case.ts'
import { addPost, addPosts, countPosts, findPosts } from '../content.ts'

const all = ['title', 'content', 'excerpt'] as const

async function search(storage: Storage, ...wanted: readonly string[]): Promise<number[]> {
  return searchWith(storage, { every: wanted.map(fold) })
}

async function searchWith(storage: Storage, search: Partial<TextSearch>): Promise<number[]> {
  return findPosts(storage, { search: { every: [], none: [], columns: all, exact: false, ...search } })
}

/** Adds a post for each text, as title, content and excerpt in turn, and searches for each. */
async function findsOnly(storage: Storage, pairs: readonly [text: string, needle: string][]): Promise<void> {
  const rows: Partial<PostValues>[] = pairs.map(([text], index) => ({ [all[index % 3] ?? 'title']: text }))
  const ids = await addPosts(storage, rows)
  for (const [index, [text, needle]] of pairs.entries()) {
    equal(await search(storage, needle), [ids[index]], `${JSON.stringify(needle)}, held by ${JSON.stringify(text)}`)
  }
}

export const postSearchCases: readonly ConformanceCase[] = [
  {
    name: 'finds a text in title, content or excerpt',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [
        { title: 'one needle here' },
        { content: 'one needle here' },
        { excerpt: 'one needle here' },
        { title: 'hay', content: 'hay', excerpt: 'hay' },
        { slug: 'needle', password: 'needle', template: 'needle' },
      ])
      equal(await search(storage, 'needle'), [a, b, c], 'a word')
      equal(await search(storage, 'eedl'), [a, b, c], 'a part of a word')
      equal(await search(storage, 'one needle here'), [a, b, c], 'all of it')
      equal(await search(storage, 'needle  here'), [], 'another space')
      equal(await searchWith(storage, { every: ['needle'], columns: ['title'] }), [a], 'in titles')
      equal(await searchWith(storage, { every: ['needle'], columns: ['excerpt', 'content'] }), [b, c], 'in the others')
      equal(await searchWith(storage, { every: ['needle'], columns: [] }), [], 'in no column')
    },
  },
  {
    name: 'leaves out the marks of European letters and optional points, and no vowels, tones or parts of letters',
    async run(storage) {
      const texts = ['résumé', 'Łódź', 'Straße', 'Ёлка', 'Ψάρι', 'שָׁלוֹם', 'مُحَمَّد', 'أحمد']
      const bare = ['RESUME', 'lodz', 'strasse', 'елка', 'ψαρι', 'שלום', 'محمد', 'احمد']
      const told = [
        ...['किताब', 'कताब', 'বাংলা', 'বংলা', 'தமிழ்', 'தமழ', 'ทำ', 'ท่า', 'ທາງ', 'ທັງ'],
        ...['ガム', 'カム', '각', '가', 'မြန်မာ', 'မရနမ', 'ខ្មែរ', 'ខមរ', 'ދިވެހި', 'ދވހ'],
      ]
      const ids = await addPosts(
        storage,
        [...texts, ...told].map((title) => ({ title })),
      )
      const found = async (words: readonly string[]) => {
        const pages: number[][] = []
        for (const word of words) pages.push(await search(storage, word))
        return pages
      }
      const each = ids.map((id) => [id])
      equal(await found(bare), each.slice(0, bare.length), 'without marks')
      equal(await found([...texts, ...told]), each, 'as they are written')
      equal(await found(texts.map((text) => text.normalize('NFD'))), each.slice(0, bare.length), 'in the form NFD')
    },
  },
  {
    name: 'finds a text in meta values as in a column',
    async run(storage) {
      const [a = 0, b = 0, c = 0] = await addPosts(storage, [{ title: 'quay' }, {}, {}])
      await storage.meta.write('post', [
        { id: a, key: 'file', value: '2024/Pier.PNG' },
        { id: b, key: 'file', value: '2024/"quay".pdf' },
        { id: b, key: 'other', value: 'pier' },
        { id: c, key: 'file', value: 5 },
      ])
      equal(await searchWith(storage, { every: ['pier.png'], meta: ['file'] }), [a], 'in another case')
      equal(await searchWith(storage, { every: ['quay'], meta: ['file'] }), [a, b], 'in a column or the meta')
      equal(await searchWith(storage, { every: ['"quay"'], meta: ['file'] }), [b], 'with quotes')
      equal(await searchWith(storage, { every: ['quay'], columns: [], meta: ['file'] }), [b], 'in the meta alone')
      equal(await searchWith(storage, { every: ['2024'], none: ['pdf'], meta: ['file'] }), [a], 'without a text')
      equal(
        await searchWith(storage, { every: ['2024/pier.png'], exact: true, meta: ['file'] }),
        [a],
        'the whole value',
      )
      equal(await searchWith(storage, { every: ['quay'] }), [a], 'without the meta')
      equal(await searchWith(storage, { every: ['pier'], meta: ['file', 'other'] }), [a, b], 'in one of several')
      equal(await searchWith(storage, { every: ['pier', 'quay'], meta: ['file', 'other'] }), [a, b], 'each in another')
      equal(await searchWith(storage, { every: ['quay'], meta: [] }), [a], 'no keys')
    },
  },
  {
    name: 'requires each of several texts in any column, and matches no text across columns',
    async run(storage) {
      const [a, b] = await addPosts(storage, [
        { title: 'red', content: 'fox' },
        { title: 'red fox' },
        { title: 'red' },
        { content: 'fox' },
      ])
      equal(await search(storage, 'red', 'fox'), [a, b], 'two texts')
      equal(await search(storage, 'fox', 'red', 'fox'), [a, b], 'one of them twice')
      for (const needle of ['redfox', 'red\nfox', 'red\u0001fox']) {
        equal(await search(storage, needle), [], `${JSON.stringify(needle)} over the border of two columns`)
      }
      equal(await search(storage, 'red fox'), [b], 'the two as one text')
    },
  },
  {
    name: 'excludes posts with an unwanted text in one of the columns',
    async run(storage) {
      const [a, b, c] = await addPosts(storage, [
        { title: 'red fox' },
        { title: 'red', content: 'hen' },
        { title: 'red' },
      ])
      equal(await searchWith(storage, { every: ['red'], none: ['fox'] }), [b, c], 'one unwanted text')
      equal(await searchWith(storage, { every: ['red'], none: ['fox', 'hen'] }), [c], 'two unwanted texts')
      equal(await searchWith(storage, { none: ['hen'] }), [a, c], 'unwanted texts alone')
      equal(await searchWith(storage, { every: ['red'], none: ['hen'], columns: ['title'] }), [a, b, c], 'elsewhere')
      equal(await searchWith(storage, {}), [a, b, c], 'a search for nothing')
    },
  },
  {
    name: 'matches special characters of a search literally',
    async run(storage) {
      await addPosts(storage, [{ title: 'plain words, 1000 of them: aXb' }, { content: 'nothing' }])
      await findsOnly(storage, [
        ['100% sure', '100%'],
        ['a_b', 'a_b'],
        ['back\\slash', 'k\\s'],
        ["it's", "t's"],
        ['the "quoted" one', '"quoted"'],
        ['a star * here', 'star *'],
        ['(round)', '(round)'],
        ['[square]', '[square]'],
        ['a^b$', '^b$'],
        ['semi;colon--', ';colon--'],
        ['title:column', 'title:column'],
        ['one AND two', 'one and two'],
        ['one OR two', 'one or two'],
        ['one NEAR two', 'one near two'],
        ['tab\tand\nline', 'b\tand\nl'],
        ['question?', 'question?'],
        ['{ braces }', '{ braces }'],
        ['<b>bold</b>', '<b>bold'],
      ])
      for (const needle of ['%words%', 'a_b_', 'axb%', '%%', '__', '\\\\', "''", '""', 'or 1=1']) {
        equal(await search(storage, needle), [], `${JSON.stringify(needle)}, which no post has`)
      }
    },
  },
  {
    name: 'finds single special characters',
    async run(storage) {
      const signs = ['%', '_', '\\', "'", '"', '*', '?', '^', '-', '+', ':', '(', ')', ';', '/', '#', '&', '<', '\n']
      await addPost(storage, { title: 'no sign', content: 'at all' })
      await findsOnly(
        storage,
        signs.map((sign) => [`a ${sign}b`, sign]),
      )
    },
  },
  {
    name: 'finds texts of one and two characters',
    async run(storage) {
      await addPost(storage, { title: 'zzz' })
      await findsOnly(storage, [
        ['xq', 'q'],
        ['wkm', 'km'],
        ['漢字', '字'],
        ['日本語', '本語'],
        ['a 😀 face', '😀'],
        ['two 🚀🛰', '🚀🛰'],
        ['v', 'v'],
      ])
      equal(await search(storage, '7'), [], 'one character that no post has')
      equal(await search(storage, '77'), [], 'two characters that no post has')
    },
  },
  {
    name: 'finds texts regardless of case and accents',
    async run(storage) {
      await addPosts(storage, [{ title: 'nothing' }, { content: '😁' }])
      await findsOnly(storage, [
        ['Crème BRÛLÉE', 'creme brulee'],
        ['plain cafe', 'CAFÉ'],
        ['e\u0301tude', 'étude'],
        ['ﬁnal', 'final'],
        ['ΟΔΟΣ', 'οδος'],
        ['ÅNGSTRÖM', 'ångström'],
        ['İstanbul', 'istanbul'],
        ['Ｗｉｄｅ', 'wide'],
        ['ЁЛКА', 'елка'],
        ['face 😀 here', 'face 😀'],
      ])
    },
  },
  {
    name: 'finds posts with a column that equals the text, if the search is exact',
    async run(storage) {
      const [a, b, c, d] = await addPosts(storage, [
        { title: 'Réd', content: 'x', excerpt: 'x' },
        { title: 'x', content: 'red', excerpt: 'x' },
        { title: 'red fox', content: 'x', excerpt: 'a red' },
        { title: '', content: '%', excerpt: 'r_d' },
      ])
      equal(await searchWith(storage, { every: ['red'], exact: true }), [a, b], 'in any column')
      equal(await searchWith(storage, { every: ['red'], exact: true, columns: ['title'] }), [a], 'in titles')
      equal(await searchWith(storage, { every: ['red', 'x'], exact: true }), [a, b], 'two texts')
      equal(await searchWith(storage, { every: ['x'], none: ['red'], exact: true }), [c], 'with an unwanted text')
      equal(await searchWith(storage, { every: ['%'], exact: true }), [d], 'a sign')
      equal(await searchWith(storage, { every: [''], exact: true }), [d], 'an empty column')
      equal(await searchWith(storage, { every: ['r_d'], exact: true }), [d], 'another sign')
    },
  },
  {
    name: 'searches the current text of updated posts',
    async run(storage) {
      const [a, b] = (await addPosts(storage, [{ title: 'old words' }, { content: 'old words' }])) as [number, number]
      await storage.posts.update([
        { id: a, changes: { title: 'new words' } },
        { id: b, changes: { excerpt: 'more words', status: 'draft' } },
      ])
      equal(await search(storage, 'old'), [b], 'the old text')
      equal(await search(storage, 'new'), [a], 'the new text')
      equal(await search(storage, 'more'), [b], 'the added text')
      await storage.posts.remove([a])
      equal(await search(storage, 'words'), [b], 'after a removal')
    },
  },
  {
    name: 'combines search with other filters, order and pages',
    async run(storage) {
      const rows = Array.from({ length: 30 }, (_, index) => ({
        title: index % 2 === 0 ? `Needle ${index}` : `Hay ${index}`,
        type: index % 3 === 0 ? 'page' : 'post',
        author: index,
      }))
      const ids = await addPosts(storage, rows)
      const wanted = ids.filter((_, index) => index % 2 === 0 && index % 3 !== 0).toReversed()
      const needle = { every: ['needle'], none: [], columns: all, exact: false }
      const query = { search: needle, order: { by: 'author', descending: true } as const }
      equal(await findPosts(storage, query), wanted, 'the full list')
      equal(await findPosts(storage, { ...query, offset: 3, limit: 4 }), wanted.slice(3, 7), 'a page')
      equal(await countPosts(storage, { ...query, limit: 1 }), wanted.length, 'the total')
    },
  },
  {
    name: 'accepts long and many texts in a search',
    async run(storage) {
      const words = Array.from({ length: 100 }, (_, index) => `word${index}`)
      const long = 'ab%_\\\'"'.repeat(1500)
      const [a, b] = await addPosts(storage, [{ content: words.join(' ') }, { content: `x${long}y` }])
      equal(await search(storage, ...words), [a], 'a hundred words')
      equal(await search(storage, ...words, 'none'), [], 'a hundred words and another')
      equal(await search(storage, long), [b], 'ten thousand characters')
      equal(await search(storage, `${long}z`), [], 'ten thousand characters and another')
      equal(await searchWith(storage, { none: words }), [b], 'a hundred unwanted words')
    },
  },
]
