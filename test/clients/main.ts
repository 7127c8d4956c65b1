/** `npm run test:clients`: public clients, unchanged, against `site-api serve`. docs/clients.md has what they show. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchChecks } from './fetch.ts'
import { installClients, versions } from './installed.ts'
import { type Check, openSite } from './site.ts'
import { typedChecks } from './wordpress-api-client.ts'
import { wpapiChecks } from './wpapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-clients-'))
try {
  const load = await installClients(folder)
  const clients: readonly (readonly [string, readonly Check[]])[] = [
    [`wpapi ${versions.wpapi}`, wpapiChecks(load('wpapi'))],
    [`wordpress-api-client ${versions['wordpress-api-client']}`, typedChecks(load('wordpress-api-client'))],
    ['requests as front ends send them', fetchChecks],
  ]
  const site = await openSite(join(folder, 'site'))
  try {
    for (const [client, checks] of clients) {
      console.log(client)
      for (const check of checks) {
        const problem = await check.run(site).then(
          () => undefined,
          (error: unknown) => error,
        )
        console.log(`  ${problem === undefined ? 'passed' : 'FAILED'}  ${check.name}`)
        if (problem === undefined) continue
        console.error(problem)
        process.exitCode = 1
      }
    }
  } finally {
    site.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
