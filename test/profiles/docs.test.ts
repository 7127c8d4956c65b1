/** Links, files, scripts and error codes in the documents exist; their code samples are part of compiled files. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'

const home = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(home, file), 'utf8')
const files = (pattern: string) => globSync(pattern, { cwd: home })

// The cast: package.json of this repository.
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly [name: string]: string } }

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'AGENTS.md', 'llms.txt'],
  ...files('docs/*.md'),
]
const blocksOf = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '')

const bare = (text: string) => text.replace(/^[ \t]+/gm, '').trim()
const examples = files('docs/examples/**/*.{ts,tsx}').map((file) => ({ file, code: bare(read(file)) }))
/** The names of files in projects of `site-api init`, which guides speak of by their paths there. */
const ofProjects = new Set(
  files('docs/{starters/*/src,examples/first-hour,examples}/*.ts').map((file) => basename(file)),
)
const withoutHeader = (code: string) => code.replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
const sources = files('{docs/examples,src,adapters}/**/*.{ts,tsx}').map((file) => bare(read(file)))
const deployments = files('docs/{examples/deploy/*,starters/*/Dockerfile}').map((file) => bare(read(file)))

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
    expect(broken, listed(`Correct these links of ${document}, or the files and headings they name:`, broken)).toEqual(
      [],
    )
  })

  test('mentioned files exist', () => {
    const named = [...prose.matchAll(/`((?:src|adapters|test|docs|bench)\/[\w./-]*)`/g)].map(([, path = '']) => path)
    const missing = named.filter((path) => !existsSync(join(home, path)) && !ofProjects.has(basename(path)))
    expect(missing, listed(`${document} names files that do not exist:`, missing)).toEqual([])
  })

  test('mentioned error codes occur in the source', () => {
    const named = [
      ...prose.matchAll(/`((?:rest|oembed|storage|site(?!_url|_documents|_values|_fold|_identity)|batch|parse)_\w+)`/g),
    ].map(([, code = '']) => code)
    const unknown = named.filter((code) => !sources.some((source) => source.includes(`'${code}'`)))
    expect(unknown, listed(`${document} names error codes that no source file contains:`, unknown)).toEqual([])
  })

  test('mentioned npm scripts exist', () => {
    const lines = blocksOf(text, 'bash').join('').split(/\n|&&/)
    const run = lines.flatMap((line) => /^\s*npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/.exec(line)?.slice(1) ?? [])
    const unknown = run.filter((name) => name !== undefined && scripts[name] === undefined)
    expect(unknown, listed(`${document} names npm scripts that package.json lacks:`, unknown)).toEqual([])
  })

  test('code samples occur in a compiled file', () => {
    const loose = blocksOf(text, 'ts').filter((block) => !sources.some((source) => source.includes(bare(block))))
    const advice = `Copy these code samples of ${document} from a file of docs/examples, src or adapters, line by line:`
    expect(loose, listed(advice, loose)).toEqual([])
  })

  test('samples of deployments occur in a file of docs/examples/deploy or docs/starters', () => {
    const blocks = ['dockerfile', 'ini'].flatMap((language) => blocksOf(text, language))
    const loose = blocks.filter((block) => !deployments.some((file) => file.includes(bare(block))))
    expect(
      loose,
      listed(`Copy these samples of ${document} from a file of docs/examples/deploy or docs/starters:`, loose),
    ).toEqual([])
  })

  test('code samples are whole programs, or a link leads to theirs', () => {
    const unlinked = [...text.matchAll(/^```ts\n([\s\S]*?)^```\n/gm)].flatMap(
      ({ 1: block = '', index, 0: { length } }) => {
        const parts = examples.filter(({ code }) => code.includes(bare(block)))
        const near = text.slice(Math.max(0, index - 400), index) + text.slice(index + length, index + length + 300)
        const isLinked = parts.some(({ file }) => near.includes(`](${relative(dirname(document), file)})`))
        const isWhole = parts.some(({ code }) => withoutHeader(code) === withoutHeader(bare(block)))
        return parts.length === 0 || isLinked || isWhole ? [] : [block]
      },
    )
    expect(
      unlinked,
      listed(`Write below these code samples of ${document} which file they are part of:`, unlinked),
    ).toEqual([])
  })
})

test.each(files('docs/*.svg'))('the files that %s names exist', (picture) => {
  const named = [...read(picture).matchAll(/\b(?:src|adapters)\/[\w./-]*/g)].map(([path]) => path)
  const missing = named.filter((path) => !existsSync(join(home, path)))
  expect(missing, listed(`${picture} names files that do not exist:`, missing)).toEqual([])
})

test('a release takes at most sixty lines of the changelog', () => {
  const releases = read('CHANGELOG.md').split(/^## /m).slice(1)
  for (const release of releases)
    expect(release.trimEnd().split('\n').length, release.slice(0, 40)).toBeLessThanOrEqual(60)
})

/** The anchors of the headings of a document. */
const anchorsOf = (text: string) =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )
