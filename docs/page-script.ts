/**
 * Bundles the scripts of the pages from the folders `browser` below `src/pages` and `src/site-pages`. `npm run docs` writes
 * them, and a test compares them. They are stored as text, so that no bundler of a host has to find a file.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const home = new URL('..', import.meta.url)

/** The scripts: where the sources are, their entry, the file to write, the name of its constant, and the kind of the script. */
const scripts = [
  { folder: 'src/pages/docs', entry: 'main.ts', file: 'script.ts', name: 'docsScript', format: 'iife' },
  { folder: 'src/pages/consent', entry: 'main.ts', file: 'script.ts', name: 'passwordScript', format: 'iife' },
  { folder: 'src/site-pages', entry: 'main.ts', file: 'theme/scripts/page.ts', name: 'pageScript', format: 'esm' },
  {
    folder: 'src/site-pages',
    entry: 'forms/main.ts',
    file: 'theme/scripts/forms.ts',
    name: 'formsScript',
    format: 'esm',
  },
  {
    folder: 'src/site-pages',
    entry: 'lists.ts',
    file: 'theme/scripts/lists.ts',
    name: 'listsScript',
    format: 'esm',
  },
  {
    folder: 'src/site-pages',
    entry: 'popups.ts',
    file: 'theme/scripts/popups.ts',
    name: 'popupsScript',
    format: 'esm',
  },
  {
    folder: 'src/site-pages',
    entry: 'forms/proof.ts',
    file: 'theme/scripts/proof.ts',
    name: 'proofScript',
    format: 'iife',
  },
] as const

type Script = (typeof scripts)[number]

/** The text of each generated file, by its path. */
export const madeScripts = async (): Promise<{ readonly [file: string]: string }> =>
  Object.fromEntries(
    await Promise.all(
      scripts.map(async (script) => {
        const path = fileURLToPath(new URL(`${script.folder}/${script.file}`, home))
        return [path, await moduleOf(script)] as const
      }),
    ),
  )

async function moduleOf({ folder, entry, name, format }: Script): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${folder}/browser/${entry}`, home))],
    absWorkingDir: fileURLToPath(home),
    bundle: true,
    minify: true,
    write: false,
    format,
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
