/** Users of a sign-in library, whose ids are texts, as users of the site. */
import { createSiteApi, full, type SiteApi, type Storage } from 'site-api'

interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** The part of better-auth in use; Auth.js has `auth()` in its place. */
interface Auth {
  readonly api: { getSession(options: { readonly headers: Headers }): Promise<{ readonly user: Person } | null> }
}

export async function siteUser({ site }: Pick<SiteApi, 'site'>, { id, name, email }: Person): Promise<number> {
  // Not by the address: some libraries let people give one that is not theirs.
  const login = `auth-${id}`
  const known = await site.users.find({ login })
  if (known) return known.id
  try {
    return (await site.users.create({ login, displayName: name, email, roles: ['subscriber'] })).id
  } catch (error) {
    // Another request of the same person was sooner.
    const made = await site.users.find({ login })
    if (!made) throw error
    return made.id
  }
}

export function createApi(storage: Storage, auth: Auth) {
  const api = createSiteApi({
    storage,
    profile: full,
    authenticate: async (request): Promise<number | null> => {
      const session = await auth.api.getSession({ headers: new Headers({ cookie: request.header('cookie') ?? '' }) })
      return session ? siteUser(api, session.user) : null
    },
  })
  return api
}
