/** Replays a recording against a copy of its site, and compares each answer and the site at the end. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parsedJson } from '../../contract/parsed-json.ts'
import { type Actor, actorOf, system, visitor } from '../../core/declare/actor.ts'
import { ApiError } from '../../core/declare/errors.ts'
import type { Incoming, SentBody } from '../../core/declare/request.ts'
import { type ResponseData, type Result, Stream } from '../../core/declare/result.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { answerDigest, siteDigest } from '../../host/journal/digests.ts'
import type { Journal, JournaledApi } from '../../host/journal/journal.ts'
import { RequestKeeper } from '../../host/journal/kept-request.ts'
import type {
  AnswerDigest,
  Head,
  KeptBody,
  Line,
  RequestLine,
  SiteDigest,
  TasksLine,
} from '../../host/journal/lines.ts'
import { createTurns, type Turn, type Turns } from '../../host/journal/turns.ts'
import type { Settings } from '../../site/settings.ts'

/** One answer that is not the recorded one. */
interface Difference {
  readonly n: number
  /** `POST /cms/v2/posts as 3`. */
  readonly request: string
  readonly says: string
  /** The request sent a secret, for which the recording has a placeholder: a secret from before the recording is not known. */
  readonly mayBeSecret: boolean
}

export interface ReplayReport {
  readonly requests: number
  /** Requests that were refused before their sender was known. */
  readonly leftOut: number
  readonly differences: readonly Difference[]
  /** The parts of the site that differ before the first request, and after the last; undefined: the recording has no end. */
  readonly before: readonly string[]
  readonly after: readonly string[] | undefined
}

/** A recording whose head was read. */
export class Replay {
  readonly head: Head
  readonly #file: string
  readonly #lines: AsyncIterator<string>
  readonly #turns: Turns
  #api: JournaledApi | undefined

  private constructor(file: string, head: Head, lines: AsyncIterator<string>, turns: Turns) {
    this.#file = file
    this.head = head
    this.#lines = lines
    this.#turns = turns
  }

  /** Throws for a file that is no recording. */
  static async open(file: string): Promise<Replay> {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })[
      Symbol.asyncIterator
    ]()
    const { value } = await lines.next()
    const head = lineOf(value ?? '')
    const turns = createTurns()
    if (head?.kind !== 'head' || head.form !== 1) throw new TypeError(`${file} is no recording of this version`)
    if (!turns) throw new TypeError('this runtime can not replay')
    return new Replay(file, head, lines, turns)
  }

  /** Hands over to the api that is created for the replay. */
  readonly journal: Journal = {
    runsByItself: false,
    bind: (api) => {
      this.#api = api
    },
    clock: (given) => this.#turns.clock(given),
    handle: (incoming) => this.#bound.pipeline.handle(incoming),
    call: (incoming, user) => this.#bound.pipeline.call(incoming, user),
    // The timer of the api: the recording says when tasks have run.
    runDue: async () => undefined,
    end: async () => undefined,
  }

  get #bound(): JournaledApi {
    if (!this.#api) throw new TypeError('create the api with the journal of the replay first')
    return this.#api
  }

  async run(onLine: (count: number) => void = () => undefined): Promise<ReplayReport> {
    const api = this.#bound
    await api.ready()
    const before = partsThatDiffer(this.head.site, await this.#site())
    const tally = { requests: 0, leftOut: 0, differences: [] as Difference[] }
    let after: readonly string[] | undefined
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) {
      const line = lineOf(next.value)
      // The last line of a process that was killed may be a part of one.
      if (line?.kind === 'end') after = partsThatDiffer(line.site, await this.#site())
      else if (line?.kind === 'tasks') await this.#runTasks(line)
      else if (line && line.kind !== 'head') await this.#repeatInto(tally, line, onLine)
    }
    return { ...tally, before, after }
  }

  async #repeatInto(
    tally: { requests: number; leftOut: number; readonly differences: Difference[] },
    line: RequestLine,
    onLine: (count: number) => void,
  ): Promise<void> {
    onLine(++tally.requests)
    if (line.user === undefined) {
      tally.leftOut++
      return
    }
    const difference = await this.#repeat(line)
    if (difference) tally.differences.push(difference)
  }

  async #site(): Promise<SiteDigest> {
    return siteDigest(await this.#bound.export(), this.#bound.sha256Of)
  }

  async #runTasks(line: TasksLine): Promise<void> {
    await this.#turns.within(new GivenTurn(line), () => this.#bound.pipeline.runDue())
  }

  async #repeat(line: RequestLine): Promise<Difference | undefined> {
    const { router, app, sha256Of } = this.#bound
    const turn = new GivenTurn(line)
    const { status, text } = await this.#turns.within(turn, () => this.#send(line))
    const keeper = new RequestKeeper(router, (name) => app.names.toNeutral(name))
    const secrets = line.drewSecrets || turn.drewSecrets ? undefined : keeper.secretsAt(line.path)
    const now = answerDigest(status, text, secrets, sha256Of)
    const says = differenceOf(line.answer, now, text, secrets)
    if (says === undefined) return undefined
    const { n, method, path, user } = line
    const request = `${method} ${path} as ${user ?? 'a visitor'}`
    return { n, request, says, mayBeSecret: line.hasSecret === true }
  }

  async #send(line: RequestLine): Promise<{ readonly status: number; readonly text: string | undefined }> {
    const { pipeline, toApiError, app } = this.#bound
    const incoming = new GivenIncoming(line, (name) => readFileSync(join(dirname(this.#file), name)))
    if (line.kind === 'http') {
      const as = ({ settings }: { readonly settings: Settings }) => this.#sender(line, settings)
      return answered(await pipeline.handle(incoming, { as }))
    }
    try {
      const settings = await app.settings.read(this.#bound.storage)
      return resulted(await pipeline.call(incoming, await this.#sender(line, settings)))
    } catch (error) {
      const refusal = toApiError(error, app.names)
      if (!refusal) return { status: 500, text: undefined }
      return { status: refusal.status, text: JSON.stringify({ code: refusal.code, message: refusal.message }) }
    }
  }

  async #sender({ user, password }: RequestLine, { roles }: Settings): Promise<Actor> {
    if (user === null || user === undefined) return visitor
    if (user === 'system') return system
    const found = await findUserById(this.#bound.storage, user)
    if (!found) return visitor
    const actor = actorOf(found, roles)
    return password === undefined ? actor : { ...actor, applicationPassword: password }
  }
}

/** Undefined for a text that is no line. The cast: a recording has such lines. */
const lineOf = (text: string) => parsedJson(text) as Line | undefined

/** The text of an answer; undefined for a stream, which is read to its end. */
async function answered({ status, body }: ResponseData) {
  if (body instanceof ReadableStream) await new Response(body).arrayBuffer()
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : typeof body === 'string' ? body : undefined
  return { status, text: body === null ? '' : text }
}

async function resulted({ status, data }: Result) {
  if (!(data instanceof Stream)) return { status, text: JSON.stringify(data) ?? '' }
  if (data.body instanceof ReadableStream) await data.body.cancel()
  return { status, text: undefined }
}

const partsThatDiffer = (recorded: SiteDigest, now: SiteDigest): readonly string[] =>
  [...new Set([...Object.keys(recorded), ...Object.keys(now)])].filter((part) => recorded[part] !== now[part])

const maxShown = 160

function differenceOf(
  recorded: AnswerDigest,
  now: AnswerDigest,
  text: string | undefined,
  secrets: ReadonlySet<string> | undefined,
): string | undefined {
  if (recorded.status !== now.status) {
    const why = now.status >= 400 && text !== undefined ? `: ${text.slice(0, maxShown)}` : ''
    return `the status was ${recorded.status}, and is ${now.status}${why}`
  }
  if (recorded.digest === undefined || now.digest === undefined || recorded.digest === now.digest) return undefined
  const [was, is] = [recorded.parts ?? {}, now.parts ?? {}]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => was[name] !== is[name])
  const [first] = changed
  if (first === undefined) return `another answer: ${(text ?? '').slice(0, maxShown)}`
  const missing = is[first] === undefined ? 'is missing' : was[first] === undefined ? 'is new' : 'differs'
  const value = is[first] === undefined ? '' : `, now ${shownPart(text, first, secrets)}`
  const others = changed.length > 1 ? ` (and ${changed.slice(1, 6).join(', ')})` : ''
  return `${first} ${missing}${value}${others}`
}

function shownPart(text: string | undefined, name: string, secrets: ReadonlySet<string> | undefined): string {
  const value = JSON.parse(text ?? 'null')?.[name]
  const kept = (member: string, one: unknown) => (secrets?.has(member) ? undefined : one)
  return `${JSON.stringify(value, kept)}`.slice(0, maxShown)
}

/** Gives the ids that were drawn, and for secrets bytes that follow from their place. */
class GivenTurn implements Turn {
  readonly at: number
  readonly #n: number
  readonly #ids: readonly (string | number)[]
  #id = 0
  #secret = 0

  constructor({ at, n, drawn = [] }: Pick<RequestLine, 'at' | 'n' | 'drawn'>) {
    this.at = at
    this.#n = n
    this.#ids = drawn
  }

  get drewSecrets(): boolean {
    return this.#secret > 0
  }

  draw<T extends string | number | Uint8Array<ArrayBuffer>>(kind: 'id' | 'secret', make: () => T): T {
    const made = make()
    if (kind === 'secret' && made instanceof Uint8Array) {
      const bytes = createHash('sha512')
        .update(`${this.#n}:${this.#secret++}`)
        .digest()
      return made.map((_, at) => bytes[at % bytes.length] as number) as T
    }
    const given = this.#ids[this.#id++]
    // Another version of the package may draw more, or other values.
    return typeof given === typeof made ? (given as T) : made
  }
}

class GivenIncoming implements Incoming {
  readonly source: 'http' | 'call'
  readonly method: string
  readonly path: string
  readonly query: string
  readonly mayHaveBody: boolean
  readonly #headers: { readonly [name: string]: string }
  readonly #body: KeptBody | undefined
  readonly #read: (file: string) => Uint8Array

  constructor({ kind, method, path, query, headers, body }: RequestLine, read: (file: string) => Uint8Array) {
    this.source = kind
    this.method = method
    this.path = path
    this.query = query
    this.mayHaveBody = body !== undefined
    this.#headers = headers
    this.#body = body
    this.#read = read
  }

  header(name: string): string | undefined {
    return Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined
  }

  readBody(): SentBody {
    const body = this.#body
    if (body && 'json' in body && this.source === 'call') return { parsed: body.json }
    const bytes = this.#bytes()
    return bytes && { bytes }
  }

  async *openBody(): AsyncGenerator<Uint8Array> {
    const bytes = this.#bytes()
    if (bytes) yield bytes
  }

  #bytes(): Uint8Array | undefined {
    const body = this.#body
    if (body === undefined || 'leftOut' in body) return undefined
    if ('error' in body)
      throw new ApiError(body.error.code, body.error.message, body.error.status, { ...body.error.data })
    if ('file' in body) return this.#read(body.file)
    return new TextEncoder().encode('json' in body ? JSON.stringify(body.json) : body.text)
  }
}
