/** What a host bundles: a profile brings its own features and no others. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

async function bundleOf(profile: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createSiteApi, ${profile} } from ${JSON.stringify(entry)}
        globalThis.api = (storage) => createSiteApi({ storage, profile: ${profile} })`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // What package.json promises of the published files holds for the sources too.
    ignoreAnnotations: false,
    treeShaking: true,
  })
  return outputFiles[0]?.text ?? ''
}

/** Paths and codes that only one deployment knows. */
const onlyD1 = [
  '/variables/create',
  '/global-classes',
  '/design-system-sync',
  '/operations/opt-in-v4',
  'watermark_conflict',
]
const onlyD2 = [
  ...['/form-submissions', '/site-editor', '/remediation/', '/preset_configs', '/plugincrosssell/', '"/notes"'],
  ...['/refresh-loop', '/global-widget/', '/license/', 'attachment_not_found'],
]

test.each([
  ['d1', onlyD1, onlyD2],
  ['d2', onlyD2, onlyD1],
])('%s alone holds no code of what only the other has', async (profile, own, foreign) => {
  const text = await bundleOf(profile)
  expect(own.filter((marker) => !text.includes(marker))).toEqual([])
  expect(foreign.filter((marker) => text.includes(marker))).toEqual([])
})
