/**
 * Signs the sender of a request in, and remembers who it is until anything is written: a request of a user who was there before reads
 * neither the user nor the password again.
 */
import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { SettingsReader, SettingsState } from '../../site/settings.ts'
import { type Actor, actorOf } from '../declare/actor.ts'
import type { Incoming } from '../declare/request.ts'
import { sha256Of } from '../runtime/crypto.ts'
import { createLru } from '../runtime/lru.ts'
import { basicCredentials, findUserById, readAttempt, type SignInOptions, signIn } from './authentication.ts'

/** A sender, as of the token at which its rows were read. */
interface Remembered {
  readonly actor: Actor
  readonly token: SettingsState['token']
  /** The use of a password is recorded by who reads its row, so it is read again from this moment on. */
  readonly until: number
}

const rememberedMs = 60_000
const mostSenders = 1000

export class SignIn {
  readonly #storage: Storage
  readonly #settings: SettingsReader
  readonly #options: SignInOptions
  readonly #remembered = createLru<Remembered>(mostSenders)
  /** False with standbys: a request may read there before a password is revoked, and end after it. */
  readonly #mayRemember: boolean

  constructor(storage: Storage, settings: SettingsReader, options: SignInOptions) {
    this.#storage = storage
    this.#settings = settings
    this.#options = options
    this.#mayRemember = storage.requests === undefined
  }

  /**
   * Begins what needs no settings, so that a storage over a network is asked for both at once. The function that it returns gives the
   * sender, and throws 401 for wrong credentials.
   */
  begin(incoming: Incoming): (state: SettingsState) => MaybePromise<Actor> {
    const credentials = basicCredentials(incoming)
    if (credentials === undefined) return (state) => this.#signIn(incoming, state, undefined)
    const key = this.#keyOf(credentials)
    const before = this.#storage.changes?.()
    const current = this.#settings.current(this.#storage)?.token
    const isKnown = key !== undefined && this.#find(key, current) !== undefined
    const begun = isKnown ? undefined : this.#read(incoming)
    return (state) => {
      const known = key === undefined ? undefined : this.#find(key, state.token)
      if (known) return known
      // Rows that were read before the token are as new as it only if it is the same as before.
      const isNew = begun === undefined || state.token === before
      return this.#signInWithPassword(incoming, state, begun ?? this.#read(incoming), isNew ? key : undefined)
    }
  }

  async #signInWithPassword(
    incoming: Incoming,
    state: SettingsState,
    attempt: ReturnType<typeof readAttempt>,
    key: string | undefined,
  ): Promise<Actor> {
    const actor = await this.#signIn(incoming, state, attempt)
    // Where the credentials counted as none, the host has said who it is, for this request.
    if (key !== undefined && actor.applicationPassword !== undefined) this.#remember(key, actor, state)
    return actor
  }

  #signIn(incoming: Incoming, state: SettingsState, attempt: ReturnType<typeof readAttempt>): MaybePromise<Actor> {
    return signIn(incoming, this.#storage, state.settings, this.#options, attempt, (id) => this.#userOf(id, state))
  }

  #read(incoming: Incoming): ReturnType<typeof readAttempt> {
    const attempt = readAttempt(incoming, this.#storage, this.#options)
    // An error of the settings comes first; `signIn` throws that of the attempt.
    attempt?.catch(() => undefined)
    return attempt
  }

  #userOf(id: number, state: SettingsState): MaybePromise<Actor | undefined> {
    const key = `user ${id}`
    return this.#find(key, state.token) ?? this.#readUser(id, key, state)
  }

  async #readUser(id: number, key: string, state: SettingsState): Promise<Actor | undefined> {
    const user = await findUserById(this.#storage, id)
    if (!user) return undefined
    const actor = actorOf(user, state.settings.roles)
    this.#remember(key, actor, state)
    return actor
  }

  /**
   * No secret is kept. Undefined where a function of the host says which logins are those of the site, and on a storage over a network,
   * which gives the rows in the round trip that tells whether anything was written.
   */
  #keyOf(credentials: string): string | undefined {
    const isAsked = typeof this.#options.basic === 'function' || this.#storage.isRemote === true
    return isAsked ? undefined : `password ${sha256Of(credentials)}`
  }

  #find(key: string, token: SettingsState['token']): Actor | undefined {
    const known = token === undefined ? undefined : this.#remembered.get(key)
    return known?.token === token && known !== undefined && this.#options.clock() < known.until
      ? known.actor
      : undefined
  }

  #remember(key: string, actor: Actor, { token }: SettingsState): void {
    if (token === undefined || !this.#mayRemember) return
    this.#remembered.set(key, { actor, token, until: this.#options.clock() + rememberedMs }, 1)
  }
}
