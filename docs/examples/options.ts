/** Every option of createSiteApi. */
import { createSiteApi, d1, type SiteApi, type Storage } from 'site-api'

/** The sign-in of your application. */
const sessions = new Map([['s-4711', 1]])
const userOf = (cookies = '') => sessions.get(/\bsession=([\w-]+)/.exec(cookies)?.[1] ?? '')

export function createApi(storage: Storage, tell: (line: string) => void): SiteApi {
  const api = createSiteApi({
    storage,
    profile: d1,
    url: 'https://example.com',
    root: '/content',
    authenticate: (request) => userOf(request.header('cookie')),
    basic: (login) => login !== 'staging',
    consent: {
      appSchemes: ['com.example.tides'],
      signInUrl: (returnTo) => `https://example.com/sign-in?to=${encodeURIComponent(returnTo)}`,
    },
    services: { outbound: { get: () => Promise.reject(new Error('nothing leaves this machine')) } },
    names: [
      ['cms/v2', 'site/v1'],
      ['X-CMS-', 'X-Site-'],
    ],
    cors: { origins: ['https://app.example.com'] },
    limits: { bodyBytes: 1024 * 1024, revisions: 20 },
    conditionalWrites: 'required',
    docs: true,
    clock: () => Date.now(),
    log: { error: (message, { id, error }) => tell(`${message} ${id} ${error}`) },
  })
  return api
}
