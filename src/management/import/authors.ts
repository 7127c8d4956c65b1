/** Maps the authors of the file to users with the same login or e-mail address, else creates users without a password. */
import { toSlug } from '../../site/slug.ts'
import type { Storage, User, UserQuery } from '../../storage/contract.ts'
import { inOneTransaction, type ManagementContext, nowGmt } from '../context.ts'
import { unusedSlug } from '../unused-slug.ts'
import type { FileRecord } from './reader.ts'
import type { ReportBuilder } from './report.ts'

export interface Authors {
  declare(records: readonly FileRecord[]): Promise<void>
  /** Creates users for authors that items name and the file does not declare. */
  ensure(named: readonly { readonly author: string; readonly line: number }[]): Promise<void>
  /** 0 for an unknown login. */
  idOf(login: string): number
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

  const resolve = async (author: Author) => {
    const user = await findUser(context.storage, author)
    if (user) report.count('users', 'existing')
    else if (!author.isDeclared) report.add('user-made', '', { line: author.line, what: author.login })
    ids.set(author.login, user?.id ?? (await create(author)))
  }

  const create = async (author: Author): Promise<number> => {
    const id = await inOneTransaction(context.storage, async (transaction) => {
      const slug = await unusedUserSlug(transaction, author.login)
      const [inserted = 0] = await transaction.users.insert([userRow(author, slug, nowGmt(context))])
      return inserted
    })
    context.emit([{ name: 'user.created', payload: { id } }])
    report.count('users', 'created')
    return id
  }

  return {
    async declare(records) {
      for (const { fields, line } of records) {
        const login = (fields['wp:author_login'] ?? '').trim()
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
  }
}

const first = { order: { by: 'id', descending: false }, offset: 0, limit: 1 } as const

async function findUser(storage: Storage, { login, email }: Author): Promise<User | undefined> {
  const firstUser = async (query: Partial<UserQuery>) => (await storage.users.query({ ...first, ...query })).rows[0]
  return (await firstUser({ logins: [login] })) ?? (email === '' ? undefined : await firstUser({ emails: [email] }))
}

const userRow = ({ login, email, displayName }: Author, slug: string, registered: string): Omit<User, 'id'> => ({
  login,
  slug,
  displayName,
  email,
  url: '',
  roles: ['author'],
  capabilities: {},
  // Without a digest, password sign-in stays disabled until the host sets a password.
  password: '',
  blocked: false,
  registered,
})

const unusedUserSlug = (storage: Storage, login: string): Promise<string> =>
  unusedSlug(
    toSlug(login) || 'author',
    async (slug) => (await storage.users.query({ ...first, slugs: [slug] })).rows.length > 0,
  )
