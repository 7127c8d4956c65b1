/**
 * The scripts of the pages, made of the folders `browser` below `src/pages`: `npm run docs` writes them anew, and a test
 * holds them to what is there. They are kept as text, so that no bundler of a host has to find a file.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const home = new URL('..', import.meta.url)

/** The pages with a script, and the name of its constant. */
const scripts = [
  { page: 'docs', name: 'docsScript' },
  { page: 'consent', name: 'passwordScript' },
]

/** The text of each generated file, by its path. */
export const madeScripts = async (): Promise<{ readonly [file: string]: string }> =>
  Object.fromEntries(
    await Promise.all(
      scripts.map(async ({ page, name }) => {
        const file = fileURLToPath(new URL(`src/pages/${page}/script.ts`, home))
        return [file, await moduleOf(`src/pages/${page}/browser/main.ts`, name)] as const
      }),
    ),
  )

async function moduleOf(entry: string, name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, home))],
    absWorkingDir: fileURLToPath(home),
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
  })
  const text = outputFiles[0]?.text ?? ''
  if (/<\/script|<!--/i.test(text)) throw new Error('the script would end its own element')
  const escaped = text.replace(/[\\`]|\$\{/g, (character) => `\\${character}`)
  return `/** Made from \`browser/\` by \`npx node docs/page-script.ts\`; not written by hand. */\nexport const ${name} = \`\n${escaped}\`\n`
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await madeScripts())) writeFileSync(file, text)
}
