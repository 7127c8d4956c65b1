/** People of better-auth are users of the site. Its routes are below `/auth`, those of the site below `/api`. */
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { memoryStorage } from 'site-api/storage/memory'
import { createApi } from './sign-in-library.ts'

const auth = betterAuth({
  baseURL: process.env.URL ?? 'http://localhost:3000',
  basePath: '/auth',
  secret: process.env.AUTH_SECRET,
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
})
const api = createApi(memoryStorage(), auth)

/** For any host that speaks Request and Response. */
export const handle = (request) =>
  new URL(request.url).pathname.startsWith('/auth/') ? auth.handler(request) : api.fetch(request)
