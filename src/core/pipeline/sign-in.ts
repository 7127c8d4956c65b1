/**
 * Signs the sender of a request in, and remembers who it is until this user, a password or the roles change: a request of a user who was
 * there before reads neither the user nor the password again.
 */
import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { Roles } from '../../site/roles.ts'
import type { SettingsState } from '../../site/settings.ts'
import { type Actor, actorOf } from '../declare/actor.ts'
import type { Incoming } from '../declare/request.ts'
import { sha256Of } from '../runtime/crypto.ts'
import { createLru } from '../runtime/lru.ts'
import { anyColumn, columnTag, recordsTag, rowTag, userList } from '../tags/tag-names.ts'
import type { TouchedTags } from '../tags/touched-tags.ts'
import {
  applicationPasswords,
  basicCredentials,
  findUserById,
  readAttempt,
  type SignInOptions,
  signIn,
} from './authentication.ts'

/** A sender, as of the state in which the rows of user and password were read, or were last found to be the same. */
interface Remembered {
  readonly actor: Actor
  readonly roles: Roles
  readonly token: SettingsState['token']
  /** Undefined: what other requests write is not known, so each write may be one of the user. */
  readonly moment: number | undefined
  /** The use of a password is recorded by who reads its row, so it is read again from this moment on. */
  readonly until: number
}

const rememberedMs = 60_000
const mostSenders = 1000

export class SignIn {
  readonly #storage: Storage
  readonly #options: SignInOptions
  readonly #touched: TouchedTags | undefined
  readonly #remembered = createLru<Remembered>(mostSenders)
  readonly #senders = createLru<Pick<Remembered, 'actor' | 'roles'>>(mostSenders)
  /** False with standbys: a request may read there before a password is revoked, and end after it. */
  readonly #mayRemember: boolean

  constructor(storage: Storage, options: SignInOptions, touched: TouchedTags | undefined) {
    this.#storage = storage
    this.#options = options
    this.#touched = touched
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
    if (key !== undefined) return (state) => this.#find(key, state) ?? this.#signInUnlessKnown(incoming, state, key)
    const begun = this.#read(incoming)
    return async (state) => this.#unlessSame(await this.#signIn(incoming, state, begun), state)
  }

  /** The sender, if the credentials are those of one who is remembered. */
  known(incoming: Incoming, state: SettingsState): Actor | undefined {
    const credentials = basicCredentials(incoming)
    const key = credentials === undefined ? undefined : this.#keyOf(credentials)
    return key === undefined ? undefined : this.#find(key, state)
  }

  async #signInUnlessKnown(incoming: Incoming, state: SettingsState, key: string): Promise<Actor> {
    return (await this.#findCaughtUp(key, state)) ?? this.#signInWithPassword(incoming, state, key)
  }

  async #signInWithPassword(incoming: Incoming, state: SettingsState, key: string): Promise<Actor> {
    // The rows are read after the token, so they are as new as it, or newer.
    const actor = this.#unlessSame(await this.#signIn(incoming, state, this.#read(incoming)), state)
    // Where the credentials counted as none, the host has said who it is, for this request.
    if (actor.applicationPassword !== undefined) this.#remember(key, actor, state)
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
    return this.#find(key, state) ?? this.#readUser(id, key, state)
  }

  async #readUser(id: number, key: string, state: SettingsState): Promise<Actor | undefined> {
    const known = await this.#findCaughtUp(key, state)
    if (known) return known
    const user = await findUserById(this.#storage, id)
    if (!user) return undefined
    const actor = this.#unlessSame(actorOf(user, state.settings.roles), state)
    this.#remember(key, actor, state)
    return actor
  }

  /** Returns the sender of earlier requests in the place of an equal one: responses to a user are cached with it. */
  #unlessSame(actor: Actor, { settings: { roles } }: SettingsState): Actor {
    if (actor.isVisitor) return actor
    const key = `${actor.id},${actor.applicationPassword ?? ''}`
    const known = this.#senders.get(key)
    const isSame =
      known && areSame(known.roles, roles) && JSON.stringify(known.actor.user) === JSON.stringify(actor.user)
    if (isSame) return known.actor
    this.#senders.set(key, { actor, roles }, 1)
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

  #find(key: string, { token, settings }: SettingsState): Actor | undefined {
    const known = token === undefined ? undefined : this.#remembered.get(key)
    if (!known || this.#options.clock() >= known.until) return undefined
    if (known.token === token) return known.actor
    if (!areSame(known.roles, settings.roles)) return undefined
    const { actor, moment } = known
    if (!this.#touched?.isAt(token) || moment === undefined) return undefined
    if (!this.#touched.isUntouched({ tags: tagsOf(actor), lists: [] }, moment)) return undefined
    this.#remembered.set(key, { ...known, roles: settings.roles, token, moment: this.#touched.moment }, 1)
    return actor
  }

  /** Finds the sender after learning what was written since the last request. */
  async #findCaughtUp(key: string, state: SettingsState): Promise<Actor | undefined> {
    const { changes } = state
    if (!changes || !this.#touched || !this.#remembered.get(key)) return undefined
    await this.#touched.catchUp(changes)
    return this.#find(key, state)
  }

  #remember(key: string, actor: Actor, { token, settings }: SettingsState): void {
    if (token === undefined || !this.#mayRemember) return
    const moment = this.#touched?.isAt(token) ? this.#touched.moment : undefined
    const until = this.#options.clock() + rememberedMs
    this.#remembered.set(key, { actor, roles: settings.roles, token, moment, until }, 1)
  }
}

/** A write of any option makes new settings, with equal roles. */
const areSame = (some: Roles, others: Roles): boolean =>
  some === others || JSON.stringify(some) === JSON.stringify(others)

/** `users` is among them, because another user may get the login as its name or address. */
const tagsOf = ({ id }: Actor): ReadonlySet<string> =>
  new Set([userList, rowTag('user', id), columnTag('user', id, anyColumn), passwordsTag])

/** Touched when an application password comes, goes or changes. */
export const passwordsTag = recordsTag(applicationPasswords.name)
