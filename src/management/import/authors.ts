/** Maps the authors of the file to users with the same login or e-mail address, else creates users without a password. */
import {
  findUserByName,
  foreignAddressProblem,
  freeUserSlug,
  isEmail,
  loginProblem,
  takenName,
  toLogin,
} from '../../site/user-names.ts'
import type { Storage, User } from '../../storage/contract.ts'
import { type ManagementContext, nowGmt } from '../context.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface Authors {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Creates users for authors that items name and the file does not declare. */
  ensure(named: readonly { readonly author: string; readonly line: number }[]): Promise<void>
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
      const [inserted = 0] = await transaction.users.insert([await userRow(transaction, author, nowGmt(context))])
      queue('user.created', { id: inserted })
      return inserted
    })
    report.count('users', 'created')
    return id
  }

  return {
    async declare(records) {
      for (const { fields, line } of records) {
        const login = (fields['wp:author_login'] ?? '').trim()
        logins.set(Number(fields['wp:author_id']), login)
        if (login === '' || ids.has(login)) continue
        const displayName = (fields['wp:author_display_name'] ?? '').trim() || login
        await resolve({ login, email: (fields['wp:author_email'] ?? '').trim(), displayName, line, isDeclared: true })
      }
    },
    async ensure(named) {
      for (const { author, line } of named) {
        if (author === '') report.add('no-author', '', { line, what: '' })
        else if (!ids.has(author))
          await resolve({ login: author, email: '', displayName: author, line, isDeclared: false })
      }
    },
    idOf: (login) => ids.get(login) ?? 0,
    idOfNumber: (number) => ids.get(logins.get(number) ?? '') ?? 0,
  }
}

/** The user who signs in with the login or with the address of the author. */
async function findUser(storage: Storage, { login, email }: Author): Promise<User | undefined> {
  return (await findUserByName(storage, login)) ?? (email === '' ? undefined : await findUserByName(storage, email))
}

/** A login that a site of its own would not accept loses what it may not have; an address that is none is left out. */
async function userRow(storage: Storage, author: Author, registered: string): Promise<Omit<User, 'id'>> {
  const email = isEmail(author.email) ? author.email : ''
  const login = await freeLogin(storage, author.login, email)
  return {
    login,
    slug: await freeUserSlug(storage, login),
    displayName: author.displayName,
    email,
    url: '',
    roles: ['author'],
    capabilities: {},
    // Without a digest, password sign-in stays disabled until the host sets a password.
    password: '',
    blocked: false,
    registered,
  }
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
