/** A bundle of a host contains the features of its profile and no others. */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

async function bundleOf(profile: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { createSiteApi, ${profile} } from ${JSON.stringify(entry)}
        globalThis.api = (storage) => createSiteApi({ storage, profile: ${profile} })`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    splitting: true,
    metafile: true,
    outdir: '.',
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // Uses `sideEffects` of package.json, as for the published files.
    ignoreAnnotations: false,
    treeShaking: true,
  })
  const loaded = loadedAtStart(metafile.outputs)
  return outputFiles
    .filter(({ path }) => loaded.has(relative('', path)))
    .map(({ text }) => text)
    .join('\n')
}

/** The files that the entry imports, but those that are loaded on first use: documentation names the routes of all profiles. */
function loadedAtStart(outputs: Metafile['outputs']): ReadonlySet<string> {
  const entries = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>')
  const loaded = new Set(entries)
  for (const name of loaded) {
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === 'import-statement') loaded.add(path)
  }
  return loaded
}

/** Paths and error codes of features that only one profile has. */
const onlyD1 = [
  '/variables/create',
  '/global-classes/usage',
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
])('a bundle of %s contains none of the features that only the other profile has', async (profile, own, foreign) => {
  const text = await bundleOf(profile)
  const absent = own.filter((marker) => !text.includes(marker))
  expect(absent, listed(`A bundle of ${profile} lacks these; if they were renamed, change this test:`, absent)).toEqual(
    [],
  )
  const advice = `A bundle of ${profile} contains these of the other profile; import their features in the other profile only:`
  const present = foreign.filter((marker) => text.includes(marker))
  expect(present, listed(advice, present)).toEqual([])
})
