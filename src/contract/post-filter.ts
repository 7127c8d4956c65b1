/** Applies the filter of a post query: every condition except order and page. */

import type { Json, Post, PostQuery, TermTree, TextSearch } from './storage.ts'
import { fold } from './text-fold.ts'

type Test = (post: Post) => boolean

interface FoldedText {
  readonly title: string
  readonly content: string
  readonly excerpt: string
}

const textColumns: readonly string[] = ['title', 'content', 'excerpt']
const dateFields: readonly string[] = ['date', 'dateGmt', 'modified']

/** Folding dominates the cost of a search. Rows are immutable, so their folded texts are cached by row. */
const foldedTexts = new WeakMap<Post, FoldedText>()

export function foldedText(post: Post): FoldedText {
  let folded = foldedTexts.get(post)
  if (folded === undefined) {
    folded = { title: fold(post.title), content: fold(post.content), excerpt: fold(post.excerpt) }
    foldedTexts.set(post, folded)
  }
  return folded
}

/** The rows that a condition may read besides the row. */
interface Related {
  readonly termsOf: (post: number) => readonly number[]
  readonly metaOf: (post: number, key: string) => Json | undefined
}

/** Cheap tests first: most rows fail one of them. */
export function postFilter(query: PostQuery, { termsOf, metaOf }: Related): Test {
  const tests: Test[] = [
    ...anyOf(query.types, (post) => post.type),
    ...statusTests(query),
    ...anyOf(query.ids, (post) => post.id),
    ...noneOf(query.notIds, (post) => post.id),
    ...anyOf(query.authors, (post) => post.author),
    ...noneOf(query.notAuthors, (post) => post.author),
    ...anyOf(query.parents, (post) => post.parent),
    ...noneOf(query.notParents, (post) => post.parent),
    ...anyOf(query.menuOrders, (post) => post.menuOrder),
    ...anyOf(query.mimeTypes, (post) => post.mimeType),
    ...anyOf(query.featuredMedia, (post) => post.featuredMedia),
    ...anyOf(query.slugs, (post) => post.slug),
    ...flagTests(query),
    ...dateTests(query),
  ]
  if (query.terms !== undefined) tests.push(termTest(query.terms, termsOf))
  if (query.search !== undefined) tests.push(searchTest(query.search, metaOf))
  return (post) => tests.every((test) => test(post))
}

function anyOf<T>(values: readonly T[] | undefined, column: (post: Post) => T): Test[] {
  if (values === undefined) return []
  const wanted = new Set(values)
  return [(post) => wanted.has(column(post))]
}

function noneOf<T>(values: readonly T[] | undefined, column: (post: Post) => T): Test[] {
  if (values === undefined || values.length === 0) return []
  const unwanted = new Set(values)
  return [(post) => !unwanted.has(column(post))]
}

function statusTests({ statuses }: PostQuery): Test[] {
  if (statuses === undefined) return []
  return [
    (post) =>
      statuses.some(({ status, author }) => post.status === status && (author === undefined || post.author === author)),
  ]
}

function flagTests({ sticky, withPassword }: PostQuery): Test[] {
  const tests: Test[] = []
  if (sticky !== undefined) tests.push((post) => post.sticky === sticky)
  if (withPassword !== undefined) tests.push((post) => (post.password !== '') === withPassword)
  return tests
}

/** Dates are ASCII of equal length, so string comparison orders them. */
function dateTests({ dates }: PostQuery): Test[] {
  return (dates ?? []).map(({ field, after, before }) => {
    if (!dateFields.includes(field)) throw new TypeError(`unknown field ${field}`)
    return (post) => {
      const date = post[field]
      return date !== null && (after === undefined || date > after) && (before === undefined || date < before)
    }
  })
}

function termTest(tree: TermTree, termsOf: (post: number) => readonly number[]): Test {
  if ('every' in tree) {
    const tests = tree.every.map((branch) => termTest(branch, termsOf))
    return (post) => tests.every((test) => test(post))
  }
  if ('some' in tree) {
    const tests = tree.some.map((branch) => termTest(branch, termsOf))
    return (post) => tests.some((test) => test(post))
  }
  if ('formats' in tree) return (post) => tree.formats.includes(post.format)
  const terms = new Set(tree.terms)
  switch (tree.has) {
    case 'any':
      return (post) => termsOf(post.id).some((term) => terms.has(term))
    case 'none':
      return (post) => !termsOf(post.id).some((term) => terms.has(term))
    case 'all':
      return (post) => termsOf(post.id).filter((term) => terms.has(term)).length === terms.size
  }
}

function searchTest({ every, none, columns, meta, exact }: TextSearch, metaOf: Related['metaOf']): Test {
  for (const column of columns) if (!textColumns.includes(column)) throw new TypeError(`unknown field ${column}`)
  return (post) => {
    const folded = foldedText(post)
    const inMeta = (meta ?? []).map((key) => metaOf(post.id, key)).filter((value) => typeof value === 'string')
    const texts = [...columns.map((column) => folded[column]), ...inMeta.map(lowerAscii)]
    const matches = (text: string): boolean => texts.some((one) => (exact ? one === text : one.includes(text)))
    return every.every(matches) && !none.some(matches)
  }
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
