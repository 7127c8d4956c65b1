/** Runs clients that read and write a few posts through the service, and records their responses. */
import type { Effect, Operation } from './history.ts'
import type { Random } from './random.ts'

interface Answer {
  readonly status: number
  readonly body: { readonly [member: string]: unknown }
  readonly etag: string | null
}

/** Undefined if the process ended before it answered. */
export type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: { readonly [name: string]: string },
) => Promise<Answer | undefined>

export interface Notes {
  readonly history: Operation[]
  /** Titles of posts that were created, and whether the client knows that they were. */
  readonly created: Map<string, 'yes' | 'no' | 'unknown'>
  /** Answers that no client may ever get. */
  readonly faults: string[]
  /** A counter of events: the order in which clients start and end operations. */
  time: number
}

export interface Client {
  readonly name: string
  readonly random: Random
  readonly send: Send
  readonly posts: readonly number[]
  readonly notes: Notes
}

type Outcome = 'done' | 'not written' | 'unknown'

const titleOf = ({ body }: Answer) => (body['title'] as { readonly raw: string }).raw

function outcomeOf(answer: Answer | undefined): Outcome {
  if (!answer) return 'unknown'
  if (answer.status < 300) return 'done'
  const { written } = (answer.body['data'] ?? {}) as { readonly written?: unknown }
  return answer.status === 503 && written === 'perhaps' ? 'unknown' : 'not written'
}

const expectedStatuses: ReadonlySet<number> = new Set([200, 201, 207, 412, 503])

function judged(client: Client, what: string, answer: Answer | undefined): Answer | undefined {
  if (answer && !expectedStatuses.has(answer.status))
    client.notes.faults.push(`${client.name}: ${what} got ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

const maxAttempts = 5

/** A write with a key is repeated until its outcome is known. Without one it is sent once. */
async function writeOf(client: Client, send: (headers: { [name: string]: string }) => ReturnType<Send>, what: string) {
  const hasKey = client.random.chance(0.5)
  const headers: { [name: string]: string } = hasKey ? { 'idempotency-key': `${what}` } : {}
  let answer: Answer | undefined
  let isUnknown = false
  for (let attempt = 0; attempt < (hasKey ? maxAttempts : 1); attempt++) {
    answer = judged(client, what, await send(headers))
    const outcome = outcomeOf(answer)
    isUnknown ||= outcome === 'unknown'
    if (outcome === 'done' || answer?.status === 412) return { answer, outcome }
  }
  // One unknown attempt is enough: a later one that wrote nothing says nothing about it.
  return { answer, outcome: isUnknown ? 'unknown' : outcomeOf(answer) } as const
}

function note({ notes }: Client, start: number, effect: Effect, outcome: Outcome): void {
  if (outcome === 'not written') return
  notes.history.push({ effect, start, end: outcome === 'done' ? ++notes.time : Number.POSITIVE_INFINITY })
}

async function readPost(client: Client): Promise<{ register: number; value: string; etag: string } | undefined> {
  const { posts, notes, send, random } = client
  const register = random.below(posts.length)
  const start = ++notes.time
  const answer = judged(client, 'a read', await send('GET', `/cms/v2/posts/${posts[register]}?context=edit`))
  if (answer?.status !== 200) return undefined
  const value = titleOf(answer)
  note(client, start, { kind: 'read', register, value }, 'done')
  return { register, value, etag: answer.etag ?? '' }
}

async function writePost(client: Client, value: string): Promise<void> {
  const { posts, notes, send, random } = client
  const register = random.below(posts.length)
  const start = ++notes.time
  const path = `/cms/v2/posts/${posts[register]}`
  const { outcome } = await writeOf(client, (headers) => send('POST', path, { title: value }, headers), value)
  note(client, start, { kind: 'write', registers: [register], value }, outcome)
}

/** Only if the post has not changed since it was read. */
async function changePost(client: Client, value: string): Promise<void> {
  const read = await readPost(client)
  if (!read) return
  const { register, value: expected, etag } = read
  const { posts, notes, send } = client
  const start = ++notes.time
  const path = `/cms/v2/posts/${posts[register]}`
  const condition = { 'if-match': etag }
  const { answer, outcome } = await writeOf(
    client,
    (headers) => send('POST', path, { title: value }, { ...headers, ...condition }),
    value,
  )
  if (answer?.status === 412) note(client, start, { kind: 'refused', register, expected }, 'done')
  else note(client, start, { kind: 'swap', register, expected, value }, outcome)
}

/** Two posts in one batch, both or none. */
async function writeBoth(client: Client, value: string): Promise<void> {
  const { posts, notes, send, random } = client
  const first = random.below(posts.length)
  const registers = [first, (first + 1) % posts.length]
  const start = ++notes.time
  const requests = registers.map((register) => ({ path: `/cms/v2/posts/${posts[register]}`, body: { title: value } }))
  const { outcome } = await writeOf(
    client,
    (headers) => send('POST', '/batch/v1', { requests, atomic: true }, headers),
    value,
  )
  note(client, start, { kind: 'write', registers, value }, outcome)
}

async function createPost(client: Client, title: string): Promise<void> {
  const { outcome } = await writeOf(
    client,
    (headers) => client.send('POST', '/cms/v2/posts', { title, status: 'publish' }, headers),
    title,
  )
  client.notes.created.set(title, outcome === 'done' ? 'yes' : outcome === 'unknown' ? 'unknown' : 'no')
}

const actions = [readPost, readPost, writePost, writePost, changePost, changePost, writeBoth, createPost]

export async function runClient(client: Client, operations: number): Promise<void> {
  for (let number = 0; number < operations; number++) {
    await client.random.pick(actions)(client, `${client.name}-${number}`)
  }
}
