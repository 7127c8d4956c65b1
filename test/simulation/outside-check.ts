/** Compares what clients know at the end of a simulation with the stored records, the files and the deliveries. */
import type { Storage } from '../../src/contract/storage.ts'
import { attachedFileKey } from '../../src/site/post-keys.ts'

export type Known = 'yes' | 'no' | 'unknown'

/** A client knows, or does not, that a post or a file was made and removed. */
export interface Made {
  readonly collection: 'posts' | 'media'
  readonly title: string
  readonly id?: number
  isCreated: Known
  isRemoved: Known
}

/** An event as its receiver got it. */
export interface Delivered {
  readonly type: string
  readonly subject: string
  readonly sequence: number
}

/** By the keys of a media driver, whose segments are separated by colons. */
export type Files = Map<string, Uint8Array>

interface Ended {
  readonly storage: Storage
  readonly files: Files
  readonly made: readonly Made[]
  readonly received: readonly Delivered[]
}

export async function problemsOf({ storage, files, made, received }: Ended): Promise<string[]> {
  const stored = { posts: await storedOf(storage, 'post'), media: await storedOf(storage, 'attachment') }
  const created = new Set(received.filter(({ type }) => type.endsWith('.created')).map(({ subject }) => subject))
  const problems = made.flatMap((one) => {
    const { collection, title, id } = one
    const there = stored[collection].find((row) => (id === undefined ? isNamed(row.title, title) : row.id === id))
    return there ? wrongThere(one, there, files, created) : wrongAway(one)
  })
  const kept = new Set(stored.media.map(({ file }) => keyOf(file)))
  const left = [...files.keys()].filter((key) => !kept.has(key)).map((key) => `the file ${key} belongs to no record`)
  return [...problems, ...left, ...wrongOrder(received)]
}

const wrongAway = ({ title, isCreated, isRemoved }: Made): string[] =>
  isCreated === 'yes' && isRemoved === 'no' ? [`${title} was acknowledged and is not there`] : []

function wrongThere(
  { collection, title, isCreated, isRemoved }: Made,
  there: Stored,
  files: Files,
  created: Set<string>,
) {
  const kind = collection === 'posts' ? 'post' : 'media'
  return [
    ...(isCreated === 'no' ? [`${title} was refused and is there`] : []),
    ...(isRemoved === 'yes' ? [`${title} was removed and is there`] : []),
    ...(created.has(`${kind}:${there.id}`) ? [] : [`${title} was created, and its receiver was not told`]),
    ...(kind === 'post' || files.has(keyOf(there.file)) ? [] : [`${title} has no file ${there.file}`]),
  ]
}

/** The events of a record arrive in their order. Each of them may arrive again later. */
function wrongOrder(received: readonly Delivered[]): string[] {
  const seen = new Set<number>()
  const last = new Map<string, number>()
  return received.flatMap(({ subject, sequence }) => {
    const before = last.get(subject) ?? 0
    const isFirst = !seen.has(sequence)
    seen.add(sequence)
    last.set(subject, Math.max(before, sequence))
    return isFirst && sequence < before ? [`event ${sequence} of ${subject} came after ${before}`] : []
  })
}

interface Stored {
  readonly id: number
  readonly title: string
  readonly file: string
}

async function storedOf(storage: Storage, type: string): Promise<Stored[]> {
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types: [type], order, offset: 0, limit: 1000, total: false })
  const ids = idsPage.map(({ id }) => id)
  const rows = await storage.posts.read(ids)
  const values = await storage.meta.read('post', ids)
  const fileOf = (of: number) => String(values.find(({ id, key }) => id === of && key === attachedFileKey)?.value ?? '')
  return rows.map(({ id, title }) => ({ id, title, file: fileOf(id) }))
}

/** A file whose name an earlier attempt holds gets a number. */
const isNamed = (title: string, name: string) => title.replace(/(?<=^tide-\d+)-\d+$/, '') === name

const keyOf = (path: string) => path.replaceAll('/', ':')
