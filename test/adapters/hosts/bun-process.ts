/** Run by Bun: serves the site that the first argument describes, and says where. */
import { serveBun } from '../../../adapters/bun.ts'
import { createNamedSite } from '../sites.ts'
import { type HostSetup, quiet } from './host.ts'

const { site, options, fallThrough, front }: HostSetup = JSON.parse(process.argv[2] ?? '')
const { api } = await createNamedSite(site, options)
const served = await serveBun(api, {
  ...{ port: 0, onFailure: quiet },
  ...(front === undefined ? {} : { front }),
  ...(fallThrough ? { fallThrough: () => new Response('the host') } : {}),
})
console.log(served.url)
process.once('SIGTERM', async () => {
  await served.close({ graceMs: 0 })
  await api.close()
})
