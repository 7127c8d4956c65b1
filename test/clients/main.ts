/** `npm run test:clients`: public clients, unchanged, against `site-api serve`. docs/clients.md has what they show. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchChecks } from './fetch.ts'
import { installClients, versions } from './installed.ts'
import { runChecks } from './run-checks.ts'
import { typedChecks } from './wordpress-api-client.ts'
import { wpapiChecks } from './wpapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-clients-'))
try {
  const load = await installClients(folder)
  await runChecks(join(folder, 'site'), [
    [`wpapi ${versions.wpapi}`, wpapiChecks(load('wpapi'))],
    [`wordpress-api-client ${versions['wordpress-api-client']}`, typedChecks(load('wordpress-api-client'))],
    ['requests as front ends send them', fetchChecks],
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
