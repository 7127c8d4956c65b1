/** Finds the users of an import by login or e-mail address, else creates them without a password. */

import type { Storage, User } from '../../../contract/storage.ts'
import { identityFold } from '../../../contract/text-fold.ts'
import { freeName } from '../../../site/free-slug.ts'
import type { Roles } from '../../../site/roles.ts'
import {
  findUserByName,
  foreignAddressProblem,
  freeUserSlug,
  isEmail,
  loginProblem,
  toLogin,
} from '../../../site/user-names.ts'
import { type ManagementContext, nowGmt } from '../../context.ts'
import type { SiteUser } from '../../transfer/document.ts'
import { plannedUser } from '../../transfer/plan.ts'
import type { ReferenceIds } from '../../transfer/write/ids.ts'
import { insertUsers } from '../../transfer/write/users.ts'
import { numbered } from '../entries/references.ts'
import { type ImportedUser, namedUser, userEntry } from '../entries/users.ts'
import type { FileRecord } from '../reader.ts'
import type { ReportBuilder } from '../report.ts'
import { type RecordCheck, recordCheck } from './record-check.ts'

interface UserImportOptions {
  readonly context: ManagementContext
  readonly report: ReportBuilder
  readonly ids: ReferenceIds
}

const referenceOf = (login: string) => `user.${login}`

export class UserImport {
  readonly #context: ManagementContext
  readonly #report: ReportBuilder
  readonly #ids: ReferenceIds

  constructor({ context, report, ids }: UserImportOptions) {
    this.#context = context
    this.#report = report
    this.#ids = ids
  }

  async declare(records: readonly FileRecord[]): Promise<void> {
    for (const user of records.flatMap((record) => userEntry(record) ?? [])) {
      if (!this.#isKnown(user.entry.login)) await this.#merge(user)
      this.#ids.set(numbered('user', user.number), this.#ids.of(referenceOf(user.entry.login)))
    }
  }

  /** Creates users for authors that items name and the file does not declare. */
  async ensure(named: readonly { readonly author: string; readonly line: number }[]): Promise<void> {
    for (const { author, line } of named) {
      if (author === '') this.#report.add('no-author', '', { line, what: '' })
      else if (!this.#isKnown(author)) await this.#merge(namedUser(author, line))
    }
  }

  /** Users that were there before keep their values: the login or the address says who they are. */
  async check(records: readonly FileRecord[]): Promise<RecordCheck[]> {
    const order = { by: 'id', descending: false } as const
    const wanted = records.map(({ fields }) => ({
      id: this.#ids.of(referenceOf((fields['wp:author_login'] ?? '').trim())),
      number: Number(fields['wp:author_id']),
      names: [fields['wp:author_login'] ?? '', fields['wp:author_email'] ?? ''],
    }))
    const query = { ids: wanted.map(({ id }) => id), order, offset: 0, limit: Math.max(wanted.length, 1) }
    const stored = new Map((await this.#context.storage.users.query(query)).rows.map((row) => [row.id, row]))
    return wanted.map(({ id, number, names }) => {
      const row = stored.get(id)
      return recordCheck('users', number, names, row && (isSame(row, names) ? names : [row.login, row.email]))
    })
  }

  #isKnown(login: string): boolean {
    return this.#ids.of(referenceOf(login)) > 0
  }

  async #merge({ entry, line, isDeclared }: ImportedUser): Promise<void> {
    const user = await findUser(this.#context.storage, entry)
    if (!user && !isDeclared) this.#report.add('user-made', '', { line, what: entry.login })
    this.#report.count('users', user ? 'existing' : 'created')
    this.#ids.set(referenceOf(entry.login), user?.id ?? (await this.#create(entry)))
  }

  #create(entry: SiteUser): Promise<number> {
    return this.#context.write(async (transaction, queue) => {
      const { roles } = await this.#context.app.settings.read(transaction)
      const free = await freeNames(transaction, allowedEntry(entry, roles))
      const user = plannedUser(
        { entry: free, path: referenceOf(entry.login) },
        { now: nowGmt(this.#context), fields: {} },
      )
      await insertUsers(transaction, [user], this.#ids)
      const id = this.#ids.of(user.reference)
      queue('user.created', { id })
      return id
    })
  }
}

const isSame = ({ login, email }: User, [name, address]: readonly string[]) =>
  login === name || toLogin(name ?? '') === login || (email !== '' && email === address)

/** The user who signs in with the login or with the address of the author. */
async function findUser(storage: Storage, { login, email = '' }: SiteUser): Promise<User | undefined> {
  return (await findUserByName(storage, login)) ?? (email === '' ? undefined : await findUserByName(storage, email))
}

/** Roles that this site does not have give no rights here; a text that is no address is left out. */
function allowedEntry({ roles, email = '', ...entry }: SiteUser, known: Roles): SiteUser {
  return {
    ...entry,
    email: isEmail(email) ? email : '',
    ...(roles ? { roles: roles.filter((role) => Object.hasOwn(known, role)) } : {}),
  }
}

/** A login that this site does not accept loses the characters that it may not have. */
async function freeNames(storage: Storage, entry: SiteUser): Promise<SiteUser> {
  const login = await freeLogin(storage, entry.login, entry.email ?? '')
  return { ...entry, login, nicename: await freeUserSlug(storage, entry.nicename ?? login) }
}

async function freeLogin(storage: Storage, wanted: string, email: string): Promise<string> {
  const login = toLogin(wanted)
  if (!loginProblem(login) && !foreignAddressProblem(login, email)) return login
  const base = toLogin(login.replace(/[^\p{L}\p{M}\p{N} _.*+-]+/gu, ' ')).slice(0, 50) || 'author'
  return freeName(
    (number) => (number === 1 ? base : `${base}-${number}`),
    async (names) => {
      const order = { by: 'id', descending: false } as const
      const { rows } = await storage.users.query({ names, order, offset: 0, limit: 2 * names.length })
      const used = new Set(rows.flatMap(({ login: own, email: address }) => [identityFold(own), identityFold(address)]))
      return names.filter((name) => used.has(identityFold(name)))
    },
  )
}
