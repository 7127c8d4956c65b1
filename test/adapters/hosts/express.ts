/** Express, bare and with the body parsers that most applications put in front of everything. */
import express, { type RequestHandler } from 'express'
import { createExpressHandler } from '../../../adapters/express.ts'
import { createNamedSite } from '../sites.ts'
import { type Host, quiet } from './host.ts'
import { listen } from './node.ts'

export const expressHost: Host = hostWith('express', [])

export const expressWithParsersHost: Host = hostWith('express with parsers', [
  express.json({ limit: '1mb' }),
  express.urlencoded({ extended: true }),
])

function hostWith(name: string, parsers: readonly RequestHandler[]): Host {
  return {
    name,
    cannot: {
      allPaths: 'Express answers what no handler has taken',
      ...(parsers.length > 0 ? { unreadBody: 'the parsers of the host read it before us' } : {}),
    },
    async start({ site, options, headersBefore = {}, fallThrough = false, front, outer = '' }) {
      const { api } = await createNamedSite(site, options)
      const app = express()
      app.use((_, response, next) => {
        response.set(headersBefore)
        next()
      })
      for (const parser of parsers) app.use(parser)
      const router = express.Router()
      const path = fallThrough || front !== undefined ? '/' : api.root || '/'
      router.use(
        path,
        createExpressHandler(api, { fallThrough, onFailure: quiet, ...(front === undefined ? {} : { front }) }),
      )
      app.use(outer || '/', router)
      if (fallThrough) app.use((_, response) => void response.send('the host'))
      return listen(app, () => api.close())
    },
  }
}
