/**
 * The script of the docs page, made of `src/pages/docs/browser`: `npm run docs` writes it anew, and a test
 * holds it to what stands there. It is kept as text, so that no bundler of a host has to find a file.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const home = new URL('..', import.meta.url)
export const scriptFile = fileURLToPath(new URL('src/pages/docs/script.ts', home))

/** The text of src/pages/docs/script.ts. */
export async function madeScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('src/pages/docs/browser/main.ts', home))],
    absWorkingDir: fileURLToPath(home),
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
  })
  const text = (outputFiles[0]?.text ?? '').replace(/^ *\/\/ .*\n/gm, '')
  if (/<\/script|<!--/i.test(text)) throw new Error('the script would end its own element')
  const escaped = text.replace(/[\\`]|\$\{/g, (character) => `\\${character}`)
  return `/** Made from \`browser/\` by \`npx node docs/page-script.ts\`; not written by hand. */\nexport const docsScript = \`\n${escaped}\`\n`
}

if (import.meta.main) writeFileSync(scriptFile, await madeScript())
