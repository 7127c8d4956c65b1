/**
 * The sign-in of this application: accounts, and sessions in a signed cookie. The site gets only the ids of
 * its users.
 */
import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

export interface Session {
  readonly login: string
  /** The id of the user in the site. */
  readonly userId: number
}

/** In memory here; a real application uses its database. */
interface Account extends Session {
  readonly salt: Buffer
  readonly digest: Buffer
}

const cookieName = 'session'
const lifeMs = 8 * 60 * 60 * 1000
const cost: ScryptOptions = { N: 2 ** 14 }

export function createSessions(secret: string, { isSecure }: { readonly isSecure: boolean }) {
  const accounts = new Map<string, Account>()
  const nobody: Promise<Account> = accountOf('', 0, randomBytes(16).toString('hex'))
  const signatureOf = (text: string) => createHmac('sha256', secret).update(text).digest()
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

  return {
    async addAccount(login: string, userId: number, password: string): Promise<void> {
      accounts.set(login, await accountOf(login, userId, password))
    },

    /** The cookie of a new session; undefined when login or password are wrong, after the same time. */
    async signIn(login: string, password: string): Promise<string | undefined> {
      const { salt, digest, userId } = accounts.get(login) ?? (await nobody)
      const isRight = timingSafeEqual(digest, await digestOf(password, salt))
      if (!isRight || userId === 0) return undefined
      const text = `${Buffer.from(login).toString('base64url')}.${userId}.${Date.now() + lifeMs}`
      const cookie = `${text}.${signatureOf(text).toString('base64url')}`
      return `${cookieName}=${cookie}; Max-Age=${lifeMs / 1000}; ${attributes}`
    },

    signOut: (): string => `${cookieName}=; Max-Age=0; ${attributes}`,

    /** Reads the session of a `Cookie` header. */
    read(cookies = ''): Session | undefined {
      const found = cookies.split(/; */).find((cookie) => cookie.startsWith(`${cookieName}=`))
      const [login = '', userId, end, signature = ''] = found?.slice(cookieName.length + 1).split('.') ?? []
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(`${login}.${userId}.${end}`)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      if (Number(end) < Date.now()) return undefined
      return { login: Buffer.from(login, 'base64url').toString(), userId: Number(userId) }
    },
  }
}

async function accountOf(login: string, userId: number, password: string): Promise<Account> {
  const salt = randomBytes(16)
  return { login, userId, salt, digest: await digestOf(password, salt) }
}

const digestOf = (password: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, digest) => (error ? reject(error) : resolve(digest)))
  })
