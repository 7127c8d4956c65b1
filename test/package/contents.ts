/**
 * Checks the files of the package besides code: no source maps, the licences of bundled code, and documents whose links
 * lead somewhere.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export async function checkContents(blank: string): Promise<readonly string[]> {
  const home = join(blank, 'node_modules/site-api')
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
  const maps = files.filter((file) => file.endsWith('.map') || file.endsWith('metafile-esm.json'))
  const documents = files.filter((file) => file.endsWith('.md'))
  const broken = documents.flatMap((document) =>
    linksOf(readFileSync(join(home, document), 'utf8'))
      .filter((link) => !existsSync(join(home, dirname(document), link)))
      .map((link) => `${document} links to ${link}, which is not in the package`),
  )
  const licences = join(home, 'dist/THIRD-PARTY-LICENSES.txt')
  console.log(`  ${files.length} files, ${documents.length} documents, ${broken.length} broken links`)
  return [
    ...maps.map((file) => `${file} is of no use to a host`),
    ...broken,
    ...(existsSync(licences) ? [] : ['the licences of bundled packages are missing']),
  ]
}

/** Relative links outside of code blocks, without their anchors. */
const linksOf = (text: string): readonly string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
