/** Records requests as lines of JSON: each with who asked, its time, the ids that it drew, and the digest of its answer. */
import type { Actor } from '../../core/declare/actor.ts'
import type { ApiError } from '../../core/declare/errors.ts'
import type { Incoming, SentBody } from '../../core/declare/request.ts'
import { type ResponseData, type Result, Stream } from '../../core/declare/result.ts'
import { createJournalFile, type JournalFile, joinPieces, packageVersion } from '../../services/journal-file.ts'
import { answerDigest, siteDigest } from './digests.ts'
import type { JournaledApi, Recorder } from './journal.ts'
import { RequestKeeper } from './kept-request.ts'
import type { Head, KeptBody, RequestLine } from './lines.ts'
import type { Turn } from './turns.ts'

type Within = <T>(turn: Turn, work: () => T | Promise<T>) => Promise<T>

/** Creates the file with its head. Rejects where it can not be written. */
export async function beginRecording(path: string, api: JournaledApi, within: Within): Promise<Recorder> {
  const began = Date.now()
  await api.ready()
  const head: Head = {
    ...{ kind: 'head', form: 1, version: packageVersion(), profile: api.options.profile.name, began },
    ...keptOptions(api.options),
    site: siteDigest(await api.export(), api.sha256Of),
  }
  const file = createJournalFile(path)
  file.append(head)
  return new FileRecorder(file, api, within)
}

/** The options with which answers change; none of them holds a secret. */
const keptNames = [
  ...['url', 'root', 'names', 'cors', 'limits', 'documentLinks', 'conditionalWrites', 'svgUploads', 'unknownArguments'],
  ...['passwordCost', 'events', 'docs', 'health', 'checkResponses'],
]
const neverNamed = ['storage', 'profile', 'record']

function keptOptions(options: JournaledApi['options']): Pick<Head, 'options' | 'leftOut'> {
  const given = Object.entries(options).filter(([name, value]) => value !== undefined && !neverNamed.includes(name))
  return {
    options: Object.fromEntries(given.filter(([name]) => keptNames.includes(name))),
    leftOut: given.flatMap(([name]) => (keptNames.includes(name) ? [] : [name])),
  }
}

class FileRecorder implements Recorder {
  readonly #file: JournalFile
  readonly #api: JournaledApi
  readonly #within: Within
  readonly #keeper: RequestKeeper
  #count = 0

  constructor(file: JournalFile, api: JournaledApi, within: Within) {
    this.#file = file
    this.#api = api
    this.#within = within
    this.#keeper = new RequestKeeper(api.router, (name) => api.app.names.toNeutral(name))
  }

  async handle(sent: Incoming): Promise<ResponseData> {
    const turn = new DrawingTurn(this.#api.app.clock())
    const incoming = new WatchedIncoming(this.#rerouted(sent), this.#api.isApiError)
    let sender: Actor | undefined
    const onScope = ({ user }: { readonly user: Actor }) => {
      sender = user
    }
    const response = await this.#within(turn, () => this.#api.pipeline.handle(incoming, { onScope }))
    const { status, body } = response
    const text =
      body === null ? '' : typeof body === 'string' ? body : body instanceof Uint8Array ? textOf(body) : undefined
    this.#write('http', incoming, sender, turn, { status, text })
    return response
  }

  async call(sent: Incoming, user: Actor): Promise<Result> {
    const turn = new DrawingTurn(this.#api.app.clock())
    const incoming = new WatchedIncoming(sent, this.#api.isApiError)
    const write = (status: number, text: string | undefined) =>
      this.#write('call', incoming, user, turn, { status, text })
    try {
      const result = await this.#within(turn, () => this.#api.pipeline.call(incoming, user))
      write(result.status, result.data instanceof Stream ? undefined : (JSON.stringify(result.data) ?? ''))
      return result
    } catch (error) {
      const refusal = this.#api.toApiError(error, this.#api.app.names)
      if (refusal) write(refusal.status, JSON.stringify({ code: refusal.code, message: refusal.message }))
      throw error
    }
  }

  async runDue(run: () => Promise<boolean>): Promise<boolean> {
    const turn = new DrawingTurn(this.#api.app.clock())
    const hasRun = await this.#within(turn, run)
    if (hasRun) this.#file.append({ kind: 'tasks', n: ++this.#count, at: turn.at, ...turn.drawn })
    return hasRun
  }

  async end(): Promise<void> {
    this.#file.append({ kind: 'end', site: siteDigest(await this.#api.export(), this.#api.sha256Of) })
  }

  /** A wrong value of `rest_route` is refused as it was sent. */
  #rerouted(sent: Incoming): Incoming {
    try {
      return this.#api.withRestRoute(sent)
    } catch {
      return sent
    }
  }

  #write(
    kind: 'http' | 'call',
    incoming: WatchedIncoming,
    sender: Actor | undefined,
    turn: DrawingTurn,
    { status, text }: { readonly status: number; readonly text: string | undefined },
  ): void {
    try {
      this.#file.append(this.#line(kind, incoming, sender, turn, { status, text }))
    } catch (error) {
      // The request is answered: a full disk ends the recording alone.
      this.#api.app.log.error('a request was not recorded', { id: 'recording', error })
    }
  }

  #line(
    kind: 'http' | 'call',
    incoming: WatchedIncoming,
    sender: Actor | undefined,
    turn: DrawingTurn,
    { status, text }: { readonly status: number; readonly text: string | undefined },
  ): RequestLine {
    const { sha256Of } = this.#api
    const keeper = this.#keeper
    keeper.hasSecret = false
    const { method, path, query } = incoming
    const endpoint = keeper.endpointOf(this.#api.effectiveMethod(incoming), path)
    const body = this.#keptBody(incoming, endpoint)
    return {
      ...{ kind, n: ++this.#count, at: turn.at },
      ...(sender ? { user: sender.isVisitor ? null : sender.user ? sender.id : 'system' } : {}),
      ...(sender?.applicationPassword === undefined ? {} : { password: sender.applicationPassword }),
      ...{ method, path, query: keeper.pairs(query, endpoint), headers: keeper.headers(incoming) },
      ...(body ? { body } : {}),
      ...(keeper.hasSecret ? { hasSecret: true } : {}),
      ...turn.drawn,
      answer: answerDigest(status, text, turn.drewSecrets ? undefined : keeper.secretsAt(path), sha256Of),
    }
  }

  #keptBody(
    { body, bytes, failure, type }: WatchedIncoming,
    endpoint: ReturnType<RequestKeeper['endpointOf']>,
  ): KeptBody | undefined {
    if (failure) return { error: failure }
    if (body && 'parsed' in body) return { json: this.#keeper.args(body.parsed, endpoint) }
    const sent = body && 'bytes' in body ? body.bytes : bytes && joinPieces(bytes)
    if (!sent || sent.length === 0) return undefined
    return this.#keeper.body(sent, type, endpoint, (all) => this.#file.keep(all))
  }
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

class DrawingTurn implements Turn {
  readonly at: number
  readonly #ids: (string | number)[] = []
  drewSecrets = false

  constructor(at: number) {
    this.at = at
  }

  draw<T extends string | number | Uint8Array<ArrayBuffer>>(kind: 'id' | 'secret', make: () => T): T {
    const value = make()
    if (kind === 'id' && !(value instanceof Uint8Array)) this.#ids.push(value)
    else this.drewSecrets = true
    return value
  }

  get drawn(): Pick<RequestLine, 'drawn' | 'drewSecrets'> {
    return {
      ...(this.#ids.length > 0 ? { drawn: this.#ids } : {}),
      ...(this.drewSecrets ? { drewSecrets: true } : {}),
    }
  }
}

/** Notices the body that the api reads. */
class WatchedIncoming implements Incoming {
  readonly #sent: Incoming
  readonly #isApiError: JournaledApi['isApiError']
  readonly source: Incoming['source']
  readonly method: string
  readonly path: string
  readonly query: string
  readonly native: unknown
  readonly openBody?: () => AsyncIterable<Uint8Array>
  /** The content type that was sent. */
  readonly type: string
  body: SentBody
  bytes: Uint8Array[] | undefined
  failure: Pick<ApiError, 'code' | 'message' | 'status' | 'data'> | undefined

  constructor(sent: Incoming, isRefusal: JournaledApi['isApiError']) {
    this.#sent = sent
    this.#isApiError = isRefusal
    this.source = sent.source
    this.method = sent.method
    this.path = sent.path
    this.query = sent.query
    this.native = sent.native
    this.type = sent.header('content-type') ?? ''
    const open = sent.openBody?.bind(sent)
    if (open) this.openBody = () => this.#watched(open())
  }

  get mayHaveBody(): boolean {
    return this.#sent.mayHaveBody
  }

  get signal(): AbortSignal {
    return this.#sent.signal as AbortSignal
  }

  header(name: string): string | undefined {
    return this.#sent.header(name)
  }

  async readBody(limitBytes: number): Promise<SentBody> {
    try {
      this.body = await this.#sent.readBody(limitBytes)
      return this.body
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  async *#watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.bytes = []
    try {
      for await (const piece of body) {
        this.bytes.push(piece.slice())
        yield piece
      }
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  #failed(error: unknown): void {
    if (!this.#isApiError(error)) return
    const { code, message, status, data } = error
    this.failure = { code, message, status, data }
  }
}
