/** What the documents name is there: links, files, scripts, error codes. Their code is code that is compiled and run. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const home = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(home, file), 'utf8')
const files = (pattern: string) => globSync(pattern, { cwd: home })

interface Package {
  readonly scripts: { readonly [name: string]: string }
  readonly exports: { readonly [entry: string]: string | { readonly default: string } }
  readonly tsup: { readonly entry: { readonly [name: string]: string } }
}
// The cast: it is our own.
const { scripts, exports: entries, tsup } = JSON.parse(read('package.json')) as Package

const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...files('docs/*.md')]
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

/** What a host imports instead of a file of the repository. */
const publicNames = Object.entries(entries).flatMap(([entry, target]) => {
  const built = typeof target === 'string' ? target : target.default
  const source = tsup.entry[built.replace(/^\.\/dist\/|\.js$/g, '')]
  return source === undefined ? [] : [{ source, name: join('site-api', entry) }]
})

/** A file of the examples as a host would write it, without the blanks at the beginning of lines. */
function published(file: string): string {
  const imported = read(file).replace(/from '((?:\.\.\/)+[^']+)'/g, (whole, path: string) => {
    const found = publicNames.find(({ source }) => source === join(dirname(file), path))
    return found ? `from '${found.name}'` : whole
  })
  return bare(imported)
}

const bare = (text: string) => text.replace(/^[ \t]+/gm, '').trim()
const sources = [
  ...files('docs/examples/**/*.ts').map(published),
  ...files('{src,adapters}/**/*.ts').map((file) => bare(read(file))),
]

describe.each(documents)('%s', (document) => {
  const text = read(document)
  const prose = proseOf(text)

  test('links resolve', () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      if (/^https?:/.test(link)) return false
      const [file = '', anchor = ''] = link.split('#')
      const target = file === '' ? document : join(dirname(document), file)
      if (!existsSync(join(home, target))) return true
      return anchor !== '' && !anchorsOf(read(target)).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  test('mentioned files exist', () => {
    const named = [...prose.matchAll(/`((?:src|adapters|test|docs|bench)\/[\w./-]*)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(join(home, path)))).toEqual([])
  })

  test('mentioned error codes occur in the source', () => {
    const named = [...prose.matchAll(/`((?:rest|oembed|storage|site|batch|parse)_\w+)`/g)].map(([, code = '']) => code)
    expect(named.filter((code) => !sources.some((source) => source.includes(`'${code}'`)))).toEqual([])
  })

  test('mentioned npm scripts exist', () => {
    const lines = blocksOf(text, 'bash').join('').split(/\n|&&/)
    const run = lines.flatMap((line) => /^\s*npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/.exec(line)?.slice(1) ?? [])
    expect(run.filter((name) => name !== undefined && scripts[name] === undefined)).toEqual([])
  })

  test('code samples occur in a compiled file', () => {
    const loose = blocksOf(text, 'ts').filter((block) => !sources.some((source) => source.includes(bare(block))))
    expect(loose).toEqual([])
  })
})

/** Of its headings. */
const anchorsOf = (text: string) =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )
