/** The authors of the file: people of the site with the same login or e-mail address, else new ones who can not sign in. */
import { suffixedSlug, toSlug } from '../../site/slug.ts'
import type { Storage, User, UserQuery } from '../../storage/contract.ts'
import { inOneTransaction, type ManagementContext, nowGmt } from '../context.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface Authors {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Makes those whom items name and nobody has declared. */
  ensure(named: readonly { readonly author: string; readonly line: number }[]): Promise<void>
  /** 0 for nobody. */
  idOf(login: string): number
}

interface Person {
  readonly login: string
  readonly email: string
  readonly displayName: string
  readonly line: number
  readonly isDeclared: boolean
}

export function createAuthors(parts: ManagementContext, report: ReportBuilder): Authors {
  const ids = new Map<string, number>()

  const add = async (person: Person) => {
    const found = await existing(parts.storage, person)
    if (found) report.count('users', 'existing')
    else if (!person.isDeclared) report.add('user-made', '', { line: person.line, what: person.login })
    ids.set(person.login, found?.id ?? (await made(person)))
  }

  const made = async (person: Person): Promise<number> => {
    const id = await inOneTransaction(parts.storage, async (inside) => {
      const [made = 0] = await inside.users.insert([
        userRow(person, await freeSlug(inside, person.login), nowGmt(parts)),
      ])
      return made
    })
    parts.emit([{ name: 'user.created', payload: { id } }])
    report.count('users', 'created')
    return id
  }

  return {
    async declare(records) {
      for (const { fields, line } of records) {
        const login = (fields['wp:author_login'] ?? '').trim()
        if (login === '' || ids.has(login)) continue
        const displayName = (fields['wp:author_display_name'] ?? '').trim() || login
        await add({ login, email: (fields['wp:author_email'] ?? '').trim(), displayName, line, isDeclared: true })
      }
    },
    async ensure(named) {
      for (const { author, line } of named) {
        if (author === '') report.add('no-author', '', { line, what: '' })
        else if (!ids.has(author)) await add({ login: author, email: '', displayName: author, line, isDeclared: false })
      }
    },
    idOf: (login) => ids.get(login) ?? 0,
  }
}

const first = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const

async function existing(storage: Storage, { login, email }: Person): Promise<User | undefined> {
  const found = async (query: Partial<UserQuery>) => (await storage.users.query({ ...first, ...query })).rows[0]
  return (await found({ logins: [login] })) ?? (email === '' ? undefined : await found({ emails: [email] }))
}

const userRow = ({ login, email, displayName }: Person, slug: string, registered: string): Omit<User, 'id'> => ({
  ...{ login, slug, displayName, email, url: '', roles: ['author'], capabilities: {} },
  // No digest: nobody signs in until the host gives a password.
  ...{ password: '', blocked: false, registered },
})

async function freeSlug(storage: Storage, login: string): Promise<string> {
  const base = toSlug(login) || 'author'
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : suffixedSlug(base, n)
    if ((await storage.users.query({ ...first, slugs: [slug] })).rows.length === 0) return slug
  }
}
