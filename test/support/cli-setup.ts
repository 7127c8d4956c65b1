/**
 * Bundles the bin once for all files of a test run: a process starts in a third of the time that the sources take. Where its
 * branches are counted, it runs from the sources.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import type { TestProject } from 'vitest/node'

const source = new URL('../../src/cli/main.ts', import.meta.url)

export async function setup(project: TestProject): Promise<(() => void) | undefined> {
  if (project.vitest.config.coverage.autoAttachSubprocess) return undefined
  const outDir = fileURLToPath(new URL(`../../node_modules/.cache/cli-${process.pid}`, import.meta.url))
  const bundle = () =>
    build({
      config: false,
      silent: true,
      entry: { main: fileURLToPath(source) },
      outDir,
      format: 'esm',
      target: 'node22',
      platform: 'node',
      splitting: true,
      removeNodeProtocol: false,
      // Files that it finds by their place are found where its source is.
      define: { 'import.meta.url': JSON.stringify(source.href) },
    })
  await bundle()
  // In watch mode: what was changed is bundled anew.
  project.onTestsRerun(async () => void (await bundle()))
  process.env['TEST_CLI'] = `${outDir}/main.js`
  return () => rmSync(outDir, { recursive: true, force: true })
}
