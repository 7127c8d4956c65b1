/** An Express application with its own sign-in. Its users write to the site below `/api` with their session. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { createSiteApi, d1 } from 'site-api'
import { createExpressHandler } from 'site-api/express'
import { closeServer } from 'site-api/node'
import { sqliteStorage } from 'site-api/storage/sqlite'
import { homePage, type ListedPost, signInPage } from './pages.ts'
import { createSessions } from './sessions.ts'

const { PORT = '3000', SITE_FILE = 'site.db', SITE_URL = `http://localhost:${PORT}` } = process.env
const { SESSION_SECRET = randomBytes(32).toString('hex') } = process.env

const sessions = createSessions(SESSION_SECRET, { isSecure: SITE_URL.startsWith('https:') })

const api = createSiteApi({
  storage: sqliteStorage(SITE_FILE),
  profile: d1,
  url: SITE_URL,
  // A user who is signed in to the application is signed in to the site. The site rejects writes with a cookie from pages
  // of other sites, by the Origin that the browser sends.
  authenticate: (request) => sessions.read(request.header('cookie'))?.userId,
})

/** Accepts a form only from a page of this application, or from a client that is not a browser. */
const ownPagesOnly: RequestHandler = (request, response, next) => {
  const { origin } = request.headers
  if (origin === undefined || origin === new URL(SITE_URL).origin) next()
  else response.status(403).send('This form was not sent by a page of this site.')
}

const app = express()
app.disable('x-powered-by')

app.get('/', async (request, response) => {
  const { data: posts } = await api.call<readonly ListedPost[]>('GET', '/cms/v2/posts', { per_page: 10 })
  response.set('Cache-Control', 'no-store').send(homePage(posts, sessions.read(request.headers.cookie)))
})

app.get('/sign-in', (_, response) => void response.send(signInPage()))

app.post('/sign-in', ownPagesOnly, express.urlencoded(), async (request, response) => {
  const { login = '', password = '' } = request.body ?? {}
  const cookie = await sessions.signIn(String(login), String(password))
  if (cookie) response.set('Set-Cookie', cookie).redirect(303, '/')
  else response.status(401).send(signInPage('Login or password are wrong.'))
})

app.post('/sign-out', ownPagesOnly, (_, response) => {
  response.set('Set-Cookie', sessions.signOut()).redirect(303, '/')
})

app.use('/api', createExpressHandler(api))

// Each start creates a new password for the only account.
const wren = (await api.site.users.find({ login: 'wren' })) ?? (await makeWren())
const password = randomBytes(9).toString('base64url')
await sessions.addAccount('wren', wren.id, password)

function makeWren() {
  return api.site.users.create({ login: 'wren', displayName: 'Wren Halloway', roles: ['editor'] })
}

const server = app.listen(Number(PORT), () => {
  const { port } = server.address() as AddressInfo
  console.log(`sign in as wren with ${password}`)
  console.log(`listening on http://localhost:${port}`)
})

process.once('SIGTERM', async () => {
  await closeServer(server)
  await api.close()
})
