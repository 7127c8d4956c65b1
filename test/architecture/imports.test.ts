/** The layout as a test: which folder may import which. A wrong arrow is a fact in the wrong room. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)[^'"`]*?from\s+'([^']+)'|^import\s+'([^']+)'|^\} from '([^']+)'/gm,
    ),
  ].map(([, from, bare, closing]) => from ?? bare ?? closing ?? '')

/** `src/features/posts/view.ts` lies in the room `features`; files of `src` itself and `src/cli` join the parts. */
function roomOf(file: string): string {
  const [top = '', second = '', third = ''] = file.split('/')
  if (top === 'adapters') return 'adapters'
  if (top !== 'src' || second.endsWith('.ts')) return 'joint'
  return second === 'storage' && third === 'contract.ts' ? 'contract' : second
}

const allowed: { readonly [room: string]: readonly string[] } = {
  core: ['core', 'contract'],
  contract: ['contract'],
  storage: ['storage', 'contract', 'core'],
  services: ['services', 'core', 'contract'],
  features: ['features', 'services', 'core', 'contract'],
  profiles: ['profiles', 'features', 'core'],
  site: ['site', 'core', 'contract'],
  pages: ['pages', 'core', 'contract'],
  names: ['names', 'core'],
  client: ['client', 'core', 'contract'],
  adapters: ['adapters', 'core', 'joint'],
  joint: [
    'joint',
    'core',
    'contract',
    'profiles',
    'features',
    'services',
    'site',
    'pages',
    'names',
    'storage',
    'cli',
    'adapters',
  ],
  cli: ['cli', 'joint', 'services', 'core', 'contract', 'profiles', 'site', 'names', 'storage', 'adapters'],
}

const sources = [...filesBelow('src'), ...filesBelow('adapters')]
const local = (file: string) =>
  importsOf(file)
    .filter((from) => from.startsWith('.'))
    .map((from) => relative(root, resolve(root, dirname(file), from)))

test('imports only point along the arrows of the layout', () => {
  const wrong = sources.flatMap((file) =>
    local(file)
      .filter((target) => !(allowed[roomOf(file)] ?? []).includes(roomOf(target)))
      .map((target) => `${file} -> ${target}`),
  )
  expect(wrong).toEqual([])
})

/** Rules in model.ts; view.ts where one feature answers with the records of another. */
test('features meet through model.ts and view.ts', () => {
  const featureOf = (file: string) => file.split('/')[2]
  const wrong = sources
    .filter((file) => roomOf(file) === 'features')
    .flatMap((file) =>
      local(file)
        .filter((target) => roomOf(target) === 'features' && featureOf(target) !== featureOf(file))
        .filter((target) => !/\/(?:model|view)\.ts$/.test(target))
        .map((target) => `${file} -> ${target}`),
    )
  expect(wrong).toEqual([])
})

test('only the named places use the modules of Node', () => {
  const may = [
    /^adapters\//,
    /^src\/storage\//,
    /^src\/services\//,
    /^src\/cli\//,
    /^src\/site\//,
    /^src\/core\/digest\.ts$/,
  ]
  const wrong = sources.filter(
    (file) => importsOf(file).some((from) => from.startsWith('node:')) && !may.some((place) => place.test(file)),
  )
  expect(wrong).toEqual([])
})

test('no file is longer than 400 lines, but for tables of data', () => {
  const tables = ['src/services/render/allow-list.ts']
  const long = sources.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401)
  expect(long.filter((file) => !tables.includes(file))).toEqual([])
})
