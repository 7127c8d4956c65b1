/** Maps the authors of the file to users with the same login or e-mail address, else creates users without a password. */

import { blankUser } from '../../contract/fields/blank.ts'
import type { Storage, User, UserValues } from '../../contract/storage.ts'
import type { Roles } from '../../site/roles.ts'
import {
  findUserByName,
  foreignAddressProblem,
  freeUserSlug,
  isEmail,
  loginProblem,
  takenName,
  toLogin,
} from '../../site/user-names.ts'
import { type ManagementContext, nowGmt } from '../context.ts'
import { type RecordCheck, recordCheck } from './checks/record-check.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface Authors {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Creates users for authors that items name and the file does not declare. */
  ensure(named: readonly { readonly author: string; readonly line: number }[]): Promise<void>
  check(records: readonly FileRecord[]): Promise<RecordCheck[]>
  /** 0 for an unknown login. */
  idOf(login: string): number
  /** By the file's id of a declared author; 0 for others. */
  idOfNumber(number: number): number
}

interface Author {
  readonly login: string
  readonly email: string
  readonly displayName: string
  readonly line: number
  readonly isDeclared: boolean
  /** What only a running site tells. */
  readonly more?: {
    readonly url: string
    readonly slug: string
    readonly roles: readonly string[]
    readonly registered: string
    readonly meta: FileRecord['meta']
  }
}

export function createAuthors(context: ManagementContext, report: ReportBuilder): Authors {
  const ids = new Map<string, number>()
  const logins = new Map<number, string>()

  const resolve = async (author: Author) => {
    const user = await findUser(context.storage, author)
    if (user) report.count('users', 'existing')
    else if (!author.isDeclared) report.add('user-made', '', { line: author.line, what: author.login })
    ids.set(author.login, user?.id ?? (await create(author)))
  }

  const create = async (author: Author): Promise<number> => {
    const id = await context.write(async (transaction, queue) => {
      const { roles } = await context.app.settings.read(transaction)
      const row = await userRow(transaction, author, { registered: nowGmt(context), roles })
      const [inserted = 0] = await transaction.users.insert([row])
      const meta = (author.more?.meta ?? []).map(([key, value]) => ({ id: inserted, key, value }))
      if (meta.length > 0) await transaction.meta.write('user', meta)
      queue('user.created', { id: inserted })
      return inserted
    })
    report.count('users', 'created')
    return id
  }

  return {
    async declare(records) {
      for (const { fields, line, meta } of records) {
        const login = (fields['wp:author_login'] ?? '').trim()
        logins.set(Number(fields['wp:author_id']), login)
        if (login === '' || ids.has(login)) continue
        const displayName = (fields['wp:author_display_name'] ?? '').trim() || login
        await resolve({
          login,
          email: (fields['wp:author_email'] ?? '').trim(),
          displayName,
          line,
          isDeclared: true,
          ...moreOf(fields, meta),
        })
      }
    },
    async ensure(named) {
      for (const { author, line } of named) {
        if (author === '') report.add('no-author', '', { line, what: '' })
        else if (!ids.has(author))
          await resolve({ login: author, email: '', displayName: author, line, isDeclared: false })
      }
    },
    /** Users that were there before keep their values: the login or the address says who they are. */
    async check(records) {
      const order = { by: 'id', descending: false } as const
      const wanted = records.map(({ fields }) => ({
        number: Number(fields['wp:author_id']),
        names: [fields['wp:author_login'] ?? '', fields['wp:author_email'] ?? ''],
      }))
      const idOf = (login = '') => ids.get(login.trim()) ?? 0
      const all = wanted.map(({ names: [login] }) => idOf(login))
      const query = { ids: all, order, offset: 0, limit: Math.max(all.length, 1) }
      const stored = new Map((await context.storage.users.query(query)).rows.map((row) => [row.id, row]))
      return wanted.map(({ number, names }) => {
        const row = stored.get(idOf(names[0]))
        return recordCheck('users', number, names, row && (isSame(row, names) ? names : [row.login, row.email]))
      })
    },
    idOf: (login) => ids.get(login) ?? 0,
    idOfNumber: (number) => ids.get(logins.get(number) ?? '') ?? 0,
  }
}

const isSame = ({ login, email }: User, [name, address]: readonly string[]) =>
  login === name || toLogin(name ?? '') === login || (email !== '' && email === address)

/** The user who signs in with the login or with the address of the author. */
async function findUser(storage: Storage, { login, email }: Author): Promise<User | undefined> {
  return (await findUserByName(storage, login)) ?? (email === '' ? undefined : await findUserByName(storage, email))
}

/** A user without a password, until the host sets one. A login that a site of its own would not accept loses what it may not have; an address that is none is left out. */
async function userRow(
  storage: Storage,
  author: Author,
  { registered, roles }: { readonly registered: string; readonly roles: Roles },
): Promise<UserValues> {
  const email = isEmail(author.email) ? author.email : ''
  const login = await freeLogin(storage, author.login, email)
  return {
    ...blankUser,
    login,
    slug: await freeUserSlug(storage, author.more?.slug || login),
    displayName: author.displayName,
    email,
    url: author.more?.url ?? '',
    // Roles that this site does not have give no rights here.
    roles: author.more?.roles.filter((role) => Object.hasOwn(roles, role)) ?? ['author'],
    registered: author.more?.registered || registered,
  }
}

function moreOf(fields: FileRecord['fields'], meta: FileRecord['meta']): Pick<Author, 'more'> {
  const {
    'rest:roles': roles,
    'rest:url': url = '',
    'rest:slug': slug = '',
    'rest:registered': registered = '',
  } = fields
  if (roles === undefined) return {}
  const known = roles.split(',').filter((role) => role !== '')
  return { more: { url, slug, roles: known, registered: registered.slice(0, 19), meta } }
}

async function freeLogin(storage: Storage, wanted: string, email: string): Promise<string> {
  const login = toLogin(wanted)
  if (!loginProblem(login) && !foreignAddressProblem(login, email)) return login
  const base = toLogin(login.replace(/[^\p{L}\p{M}\p{N} _.*+-]+/gu, ' ')).slice(0, 50) || 'author'
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? base : `${base}-${n}`
    if (!(await takenName(storage, { login: candidate, email: '' }))) return candidate
  }
}
