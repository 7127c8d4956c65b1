/** A process of a site: it answers one request for each message, at the time that the message says. */
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { now, smallSite } from '../support/small-site.ts'
import type { Answer, Request as SentRequest } from './request.ts'

const [storageText = '', folder = '', isFirst = ''] = process.argv.slice(2)
let clock = now
const api = createSiteApi({
  storage: await openStorage(storageText),
  profile: full,
  url: 'https://quay.example',
  clock: () => clock,
  services: { media: createMedia({ folder }) },
})
if (isFirst === 'first') await api.site.seed(smallSite)

async function answerOf({ method, path, headers, body, time, isDue }: SentRequest): Promise<Answer> {
  clock = time
  if (isDue) await api.site.runDue()
  const response = await api.fetch(
    new Request(`https://quay.example/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body.base64, 'base64') }),
    }),
  )
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

process.on('message', async (request: SentRequest | 'end') => {
  if (request === 'end') {
    await api.close()
    process.disconnect()
    return
  }
  try {
    process.send?.(await answerOf(request))
  } catch (error) {
    const body = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.send?.({ status: 0, headers: {}, body } satisfies Answer)
  }
})
process.send?.('ready')
