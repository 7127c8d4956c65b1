/**
 * Reads from replicas: streaming standbys of the primary. A write never goes there, nor a read of a transaction.
 *
 * **Position.** Writing transactions of a schema run one at a time, and each adds 1 to `changes.position`. So a position names a state
 * of the whole schema. One statement reads it with the tokens of `changes`, from one snapshot: a position of the write-ahead log, read
 * in the same statement, would be newer than the snapshot and promise rows that the statement does not see.
 *
 * **What a request sees.** `choose` picks one server, and all reads of the request go there. Time never goes back on one server, so all
 * that a request reads is of the state of its token or newer, and a value that is kept under something read before (the token, the
 * settings, the version of a row) is never older than that. Two servers in one request would break this: the second may be behind
 * what the first has shown.
 *
 * **What a process sees.** It remembers the highest position that it has read or written. A replica serves while its position is not
 * below that: a client reads what it wrote through this process. What it wrote through another one is there from the position that
 * it sends. A claimed position counts for its request only: claims cannot keep a process away from its replicas.
 *
 * **What others wrote.** The process hears the primary's position with its own writes, and at the latest `heardMs` after the last time
 * with the next request, which reads there. So a replica that no longer follows shows nothing older than that. While the primary is
 * away, replicas serve what the process has seen, and nothing older.
 *
 * **Changing servers.** A process uses one replica at a time. A request that comes from the primary to a replica asks both at once, and
 * goes to the replica if that has all that the primary has. Two things can still show less than a moment before: what other
 * requests, which began before, read beyond their tokens meanwhile; and a commit that a standby shows before the primary does,
 * because its acknowledgement is under way.
 *
 * **Failures.** Where a replica fails, the statement runs on the primary, and so does the rest of the request: its reads never return to
 * the replica, because that may be behind the primary. The same holds for a request that writes, although it came to read. Others ask
 * the replica again after a pause, beside their requests.
 */
import { type Changes, StorageUnavailable } from '../../../../contract/storage.ts'
import type { ServerPool } from '../server-pool.ts'
import { pauseMs, type ReadServer, Replica, type ReplicaOptions, type ServingReplica } from './replica.ts'

/** Where one request reads, and the token of its state. */
interface Choice {
  readonly server: ReadServer
  readonly changes: Changes
}

interface ReplicasOptions extends ReplicaOptions {
  readonly pools: readonly ServerPool[]
}

/** How long a process believes that the primary has no more than it heard. */
const heardMs = 1000

export class Replicas {
  readonly #options: ReplicasOptions
  readonly #replicas: readonly Replica[]
  /** The one in use. */
  #current: ServingReplica | undefined
  #candidate: ServingReplica | undefined
  /** The highest one that this process has seen. */
  #position = -1
  /** Rises when the primary has lost commits. */
  #history = 0
  #heardAt = Number.NEGATIVE_INFINITY
  /** Whether the primary failed when it was last asked, and when it is asked again. */
  #away: { readonly until: number } | undefined

  constructor(options: ReplicasOptions) {
    this.#options = options
    this.#replicas = options.pools.map((pool) => new Replica(pool, options))
  }

  /** The position that clients carry; undefined: this process knows none. */
  get position(): string | undefined {
    return this.#position < 0 ? undefined : this.#position.toString(36)
  }

  /** Called before the primary is asked; the result takes its position. */
  ask(): (position: number) => void {
    const [at, position, history] = [performance.now(), this.#position, this.#history]
    return (heard) => {
      this.#away = undefined
      this.#heardAt = Math.max(this.#heardAt, at)
      // It had more before: a server has taken over that has not got the last commits.
      if (heard < position && history === this.#history) this.#goBackTo(heard)
      else this.#raise(heard)
    }
  }

  /** The next request hears the primary: it may have more than this process knows. */
  forget(): void {
    this.#heardAt = Number.NEGATIVE_INFINITY
  }

  /** Where a request reads whose client has seen the position `sent`. */
  async choose(sent?: string): Promise<Choice> {
    const wanted = Math.max(this.#position, positionOf(sent))
    if (this.#mayServe()) {
      const chosen = await this.#onReplica(this.#current, wanted)
      if (chosen) return chosen
    }
    try {
      return await this.#onEither(wanted)
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
      this.#away = { until: performance.now() + pauseMs }
      await this.#seek()
      const chosen = await this.#onReplica(this.#next, wanted)
      if (!chosen) throw error
      return chosen
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#options.pools.map((pool) => pool.close()))
  }

  #mayServe(): boolean {
    if (performance.now() - this.#heardAt <= heardMs) return true
    if (this.#away) this.#askAgain(this.#away)
    return this.#away !== undefined
  }

  /** Beside the requests, which would wait for a silent server. */
  #askAgain({ until }: { readonly until: number }): void {
    if (performance.now() < until) return
    this.#away = { until: Number.POSITIVE_INFINITY }
    this.#options.primary.readChanges().catch(() => {
      this.#away = { until: performance.now() + pauseMs }
    })
  }

  /** Undefined where it does not have the requested state. */
  async #onReplica(server: ServingReplica | undefined, wanted: number): Promise<Choice | undefined> {
    if (!server || server.position < wanted) return undefined
    const state = await server.readState()
    if (!state || state.position < wanted) {
      server.isRetired = true
      return undefined
    }
    this.#raise(state.position)
    this.#current = server
    return { server, changes: state.changes }
  }

  /** Both at once: the replica serves from now on if it has what the primary has. Rejects where the primary fails. */
  async #onEither(wanted: number): Promise<Choice> {
    const { primary } = this.#options
    const next = this.#next
    const asked = next?.readState()
    const changes = await primary.readChanges()
    const state = await asked
    if (next && next === this.#next && state && state.position >= this.#position) {
      this.#current = next
      this.#raise(state.position)
      if (state.position >= wanted) return { server: next, changes: state.changes }
    } else {
      if (this.#next === next) {
        this.#current = undefined
        this.#candidate = undefined
      }
      void this.#seek()
    }
    return { server: primary, changes }
  }

  #raise(position: number): void {
    this.#position = Math.max(this.#position, position)
  }

  #goBackTo(position: number): void {
    this.#history += 1
    this.#position = position
    this.#current = undefined
    this.#candidate = undefined
    for (const replica of this.#replicas) replica.forgetBeyond(position)
  }

  /** The one that is in use, or comes into use with the next request. */
  get #next(): ServingReplica | undefined {
    return [this.#current, this.#candidate].find((server) => server && !server.isRetired)
  }

  /** The first that answers and has what this process has seen: the nearest, or the one with the least to do. */
  async #seek(): Promise<void> {
    if (!this.#next) await Promise.all(this.#replicas.map((replica) => this.#askReplica(replica)))
  }

  async #askReplica(replica: Replica): Promise<void> {
    const state = await replica.ask()
    if (!state) return
    if (!state.isFollowing) replica.leaveOut(pauseMs)
    else if (state.position < this.#position || replica.hasLost(state, this.#position)) replica.leaveOut()
    else if (!this.#next) this.#candidate = replica.serve()
  }
}

/** A text that is none is no claim. */
function positionOf(sent: string | undefined): number {
  return sent !== undefined && /^[0-9a-z]{1,10}$/.test(sent) ? Number.parseInt(sent, 36) : -1
}
