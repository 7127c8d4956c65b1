/** Runs the block editor from the registry in Chromium, against `site-api serve`: `npm run test:editor`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from '../run-checks.ts'
import { editorChecks } from './checks.ts'
import { bundleEditor, editorVersion } from './installed.ts'
import { editorRequests } from './requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-editor-'))
try {
  const bundle = await bundleEditor(folder)
  await runChecks(join(folder, 'site'), [
    [`@wordpress/edit-post ${editorVersion}`, editorChecks(bundle)],
    ['requests as the editor sends them', editorRequests],
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
