/** People of Auth.js are users of the site. Its routes are below `/auth`, those of the site below `/api`. */
import { Auth } from '@auth/core'
import Credentials from '@auth/core/providers/credentials'
import { memoryStorage } from 'site-api/storage/memory'
import { createApi } from './sign-in-library.ts'

const config = {
  basePath: '/auth',
  secret: process.env.AUTH_SECRET,
  trustHost: true,
  // Of yours: here everybody signs in who knows the word.
  providers: [
    Credentials({
      credentials: { name: {}, word: { type: 'password' } },
      authorize: ({ name, word }) =>
        word === process.env.WORD ? { id: `name-${name}`, name, email: `${name}@example.com` } : null,
    }),
  ],
  // Auth.js leaves the id out of a session.
  callbacks: { session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }) },
}

/** The person of a request, or null. */
async function getSession({ headers }) {
  const url = `${process.env.URL ?? 'http://localhost:3000'}/auth/session`
  return (await Auth(new Request(url, { headers }), config)).json()
}
const api = createApi(memoryStorage(), { api: { getSession } })

/** For any host that speaks Request and Response. */
export const handle = (request) =>
  new URL(request.url).pathname.startsWith('/auth/') ? Auth(request, config) : api.fetch(request)
