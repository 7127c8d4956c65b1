/** How requests are signed in: the options of the host for it, and the senders of requests. */
import type { AppContext } from '../core/declare/app-context.ts'
import type { Incoming } from '../core/declare/request.ts'
import type { SignInOptions } from '../core/pipeline/authentication.ts'
import { networkOf } from '../services/rate-limit.ts'
import { visitorsOf } from '../services/visitors.ts'
import { credentialsLimit } from './hooks.ts'
import type { SiteApiOptions } from './site-options.ts'

const senderAddress = (app: AppContext, incoming: Incoming): string | undefined =>
  visitorsOf(app).addressOf({ native: incoming.native, header: (name) => incoming.header(name) })

/** Undefined where the host does not vouch for the address of a client. */
export function senderNetwork(app: AppContext, incoming: Incoming): string | undefined {
  const address = senderAddress(app, incoming)
  return address === undefined ? undefined : networkOf(address)
}

export const signInOptions = (
  { authenticate, basic, cors, limit }: SiteApiOptions,
  app: AppContext,
): SignInOptions => ({
  clock: app.clock,
  limit: limit ?? credentialsLimit(app.clock),
  addressOf: (incoming) => senderAddress(app, incoming),
  trustedOrigins: cors === false ? [] : (cors?.origins ?? []),
  ...(authenticate ? { authenticate, onUnknownId: sayUnknownIds(app) } : {}),
  basic,
})

const minuteMs = 60_000

/** Says at most once a minute that `authenticate` returned the id of no user: every request of a visitor could. */
function sayUnknownIds({ log, clock }: AppContext): (id: unknown) => void {
  let quietUntil = Number.NEGATIVE_INFINITY
  return (id) => {
    if (clock() < quietUntil) return
    quietUntil = clock() + minuteMs
    const shown = typeof id === 'string' ? `the text ${JSON.stringify(id.slice(0, 80))}` : String(id)
    log.error(`authenticate returned ${shown}, which is not the id of a user of this site`, {
      id: crypto.randomUUID(),
      error: new TypeError('return the number that api.site.users gave the user, or null for a visitor'),
    })
  }
}
