/** One replica: what it has, and its reads. `replicas.ts` decides which one serves. */
import type { Changes, MaybePromise } from '../../../../contract/storage.ts'
import { type Fragment, type Row, raw } from '../../engine/fragments.ts'
import type { Session } from '../../engine/session.ts'
import { createCached } from '../read-tokens.ts'
import type { ServerPool } from '../server-pool.ts'
import type { ServerStatements } from '../statements.ts'

/** One server as the stores use it. */
export interface ReadServer {
  readonly session: Session
  readChanges(): Promise<Changes>
  /** Called before a write that does not use the session: what it writes is read again. */
  leave?(): void
}

export interface ReplicaOptions {
  readonly statements: ServerStatements
  readonly primary: ReadServer
}

/** Between two attempts at a server that fails. */
export const pauseMs = 1000

/** A promoted standby follows no other server: its state is another history. */
const readState = raw('select version, options, position, pg_is_in_recovery() from changes')

interface ReplicaState {
  readonly changes: Changes
  readonly position: number
  readonly isFollowing: boolean
}

/** A replica until it fails, or somebody writes: then all reads go to the primary, for good. */
export class ServingReplica implements ReadServer {
  readonly session: Session
  readonly #replica: Replica
  readonly #primary: ReadServer
  isRetired = false

  constructor(replica: Replica, primary: ReadServer) {
    this.#replica = replica
    this.#primary = primary
    const { run, insert, atomic, ensure, all: onPrimary } = primary.session
    const all: Session['all'] = (statement) =>
      this.#attempt(
        () => replica.read(statement),
        () => onPrimary(statement),
      )
    this.session = {
      ...primary.session,
      all,
      cached: createCached(all),
      run: (statement) => this.#leaving(() => run(statement)),
      insert: (insertion) => this.#leaving(() => insert(insertion)),
      atomic: (work) => this.#leaving(() => atomic(work)),
      ensure: (name, additions) => this.#leaving(() => ensure(name, additions)),
    }
  }

  /** The highest known one. */
  get position(): number {
    return this.isRetired ? -1 : (this.#replica.state?.position ?? -1)
  }

  /** Undefined where it fails or follows no more. */
  async readState(): Promise<ReplicaState | undefined> {
    const state = await this.#replica.readState().catch(() => undefined)
    return state?.isFollowing ? state : undefined
  }

  readChanges(): Promise<Changes> {
    return this.#attempt(
      async () => (await this.#replica.readState()).changes,
      () => this.#primary.readChanges(),
    )
  }

  leave(): void {
    this.isRetired = true
  }

  #leaving<T>(write: () => T): T {
    this.leave()
    return write()
  }

  /** Any error is tried again on the primary: an error of the statement itself comes from there too. */
  async #attempt<T>(here: () => Promise<T>, onPrimary: () => MaybePromise<T>): Promise<T> {
    if (this.isRetired) return onPrimary()
    try {
      return await here()
    } catch {
      this.isRetired = true
      return onPrimary()
    }
  }
}

/** A server of the options, and when it is asked again. */
export class Replica {
  readonly #pool: ServerPool
  readonly #statements: ServerStatements
  readonly #primary: ReadServer
  #serving: ServingReplica | undefined
  #askAt = 0
  #pauseMs = 1
  #asking: Promise<ReplicaState | undefined> | undefined
  /** The token of commits that a failover has lost. */
  #lost: Changes['all'] | undefined
  /** The one with the highest position, as far as it is known. */
  state: ReplicaState | undefined

  constructor(pool: ServerPool, { statements, primary }: ReplicaOptions) {
    this.#pool = pool
    this.#statements = statements
    this.#primary = primary
  }

  read({ text, values }: Fragment): Promise<readonly Row[]> {
    return this.#pool.read(this.#statements.of(text), values)
  }

  async readState(): Promise<ReplicaState> {
    const [row] = await this.read(readState)
    const [version, options, position, isInRecovery] = row ?? []
    const changes = { all: String(version), options: String(options), position: Number(position) }
    const state = { changes, position: Number(position), isFollowing: isInRecovery === 1 }
    // Answers of several connections come in any order.
    if (this.state === undefined || state.position > this.state.position) this.state = state
    return state
  }

  /** Its state; undefined during a pause, and where it fails. */
  ask(): Promise<ReplicaState | undefined> {
    if (this.#asking === undefined && performance.now() < this.#askAt) return Promise.resolve(undefined)
    this.#asking ??= this.readState()
      .catch(() => this.leaveOut(pauseMs))
      .finally(() => {
        this.#asking = undefined
      })
    return this.#asking
  }

  /** Longer each time, until it serves: a replica that is far behind is not asked with every request. */
  leaveOut(ms = this.#pauseMs): undefined {
    this.#askAt = performance.now() + ms
    this.#pauseMs = Math.min(pauseMs, this.#pauseMs * 2)
  }

  /** Returns a new replica after a failure: requests that began before it stay with the primary. */
  serve(): ServingReplica {
    this.#pauseMs = 1
    if (this.#serving === undefined || this.#serving.isRetired) this.#serving = new ServingReplica(this, this.#primary)
    return this.#serving
  }

  /** The primary has no more than `position`: what this one has beyond it is another history. */
  forgetBeyond(position: number): void {
    if (this.state && this.state.position > position) this.#lost = this.state.changes.all
    this.state = undefined
  }

  hasLost({ changes, position }: ReplicaState, known: number): boolean {
    return changes.all === this.#lost && position > known
  }
}
