/** The difference of one record between two moments. */
import { postFields } from '../../../../contract/fields/posts.ts'
import { termFields } from '../../../../contract/fields/terms.ts'
import type { Json, Storage } from '../../../../contract/storage.ts'
import { type ElementDifference, elementDifferences } from '../../../shared/difference/elements.ts'
import { type MemberDifference, memberDifferences } from '../../../shared/difference/values.ts'
import { elementsKey, parseElements } from '../../../shared/elements.ts'
import type { HistoryScope } from '../record.ts'
import { elementSentence, memberSentence } from './sentences.ts'

type Told<T> = T & {
  /** Says for people what has changed. */
  readonly sentence: string
}

/** The difference of one record between two moments: its members, and the elements of a document. */
export interface RecordDifference {
  readonly record: string
  /** Names the record for people: a title, or the name of a term or an option. */
  readonly title: string
  readonly state: 'same' | 'changed' | 'created' | 'removed' | 'absent'
  readonly members: readonly Told<MemberDifference>[]
  readonly elements: readonly Told<
    Omit<ElementDifference, 'members'> & { readonly members: readonly Told<MemberDifference>[] }
  >[]
}

/** A record as it was: its members, and the elements of a document. */
interface RecordState {
  readonly title: string
  readonly members: { readonly [member: string]: Json }
  readonly elements: string | undefined
}

/** Each write changes these members. */
const bookkeeping: ReadonlySet<string> = new Set(['modified', 'modifiedGmt', 'version'])

export async function differenceOf(
  record: string,
  before: Storage,
  after: Storage,
  scope: HistoryScope,
): Promise<RecordDifference> {
  const [was, is] = [await readState(record, before, scope), await readState(record, after, scope)]
  const title = is?.title ?? was?.title ?? record
  if (!was && !is) return { record, title, state: 'absent', members: [], elements: [] }
  const members = memberDifferences(was?.members ?? {}, is?.members ?? {})
  const elements = elementDifferences(parseElements(was?.elements), parseElements(is?.elements))
  const isSame = members.length === 0 && elements.length === 0
  return {
    record,
    title,
    state: !was ? 'created' : !is ? 'removed' : isSame ? 'same' : 'changed',
    members: members.map(told),
    elements: elements.map((one) => ({ ...one, sentence: elementSentence(one), members: one.members.map(told) })),
  }
}

const told = (difference: MemberDifference) => ({ ...difference, sentence: memberSentence(difference) })

async function readState(record: string, storage: Storage, scope: HistoryScope): Promise<RecordState | undefined> {
  const [kind = '', key = ''] = record.split(/:(.*)/s)
  const id = Number(key)
  if (kind === 'post') return readPost(storage, id)
  if (kind === 'term') return readTerm(storage, id)
  if (kind === 'option') return readOption(storage, key)
  const collection = scope.collections.get(kind)
  if (!collection) return undefined
  const { rows } = await storage.records.query(collection, { where: { field: 'id', is: id } })
  return rows[0] && { title: record, members: rows[0], elements: undefined }
}

async function readPost(storage: Storage, id: number): Promise<RecordState | undefined> {
  const [post] = await storage.posts.read([id])
  if (!post) return undefined
  const entries = await storage.meta.read('post', [id])
  const meta = Object.fromEntries(
    entries.filter(({ key }) => key !== elementsKey).map(({ key, value }) => [key, value]),
  )
  const terms = Map.groupBy(await storage.terms.of([id]), ({ taxonomy }) => taxonomy)
  const lists = [...terms].map(([taxonomy, all]) => [`terms.${taxonomy}`, all.map(({ term }) => term)])
  const elements = entries.find(({ key }) => key === elementsKey)?.value
  const { password, ...columns } = Object.fromEntries(
    Object.entries(post).filter(([name]) => name in postFields && !bookkeeping.has(name)),
  )
  return {
    title: post.title === '' ? post.slug : post.title,
    // A password is only said to be there.
    members: {
      ...columns,
      isProtected: password !== '',
      ...Object.fromEntries(lists),
      ...(Object.keys(meta).length > 0 ? { meta } : {}),
    },
    elements: typeof elements === 'string' ? elements : undefined,
  }
}

async function readTerm(storage: Storage, id: number): Promise<RecordState | undefined> {
  const query = { ids: [id], order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const
  const { rows } = await storage.terms.query(query)
  const [term] = rows
  if (!term) return undefined
  const meta = Object.fromEntries((await storage.meta.read('term', [id])).map(({ key, value }) => [key, value]))
  const columns = Object.fromEntries(Object.entries(term).filter(([name]) => name in termFields))
  return {
    title: term.name,
    members: { ...columns, ...(Object.keys(meta).length > 0 ? { meta } : {}) },
    elements: undefined,
  }
}

async function readOption(storage: Storage, name: string): Promise<RecordState | undefined> {
  const value = (await storage.options.read([name]))[name]
  if (value === undefined) return undefined
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return {
    title: name,
    members: isObject ? (value as { readonly [member: string]: Json }) : { value },
    elements: undefined,
  }
}
