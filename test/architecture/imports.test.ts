/** The layout as a test: which room may import which, and which rules hold for all files. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { floors } from '../../docs/pictures.ts'
import { listed } from '../support/assertion-messages.ts'

const root = resolve(import.meta.dirname, '../..')

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

/** Imports, exports from another file, `import('...')` types and merged declarations. */
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)[^'"`]*?from\s+'([^']+)'|^import\s+'([^']+)'|^\} from '([^']+)'|\bimport\('([^']+)'\)|^declare module '([^']+)'/gm,
    ),
  ].map((found) => found.slice(1).find((path) => path !== undefined) ?? '')

/** The rooms of `core` count one by one; `src/index.ts` belongs to `host`, which joins the parts. */
function roomOf(file: string): string {
  const [top = '', second = '', third = ''] = file.split('/')
  if (top === 'adapters') return 'adapters'
  if (second.endsWith('.ts')) return 'host'
  return second === 'core' ? third : second
}

/** The rooms of core from the bottom to the top: each may import those before it. */
const coreRooms = ['runtime', 'changes', 'tags', 'declare', 'request', 'routing', 'pipeline', 'describe']
const coreUpTo = (room: string) => coreRooms.slice(0, coreRooms.indexOf(room) + 1)

/** The rooms that each room may import besides itself. */
const below: { readonly [room: string]: readonly string[] } = {
  contract: [],
  runtime: ['contract'],
  changes: ['runtime', 'contract'],
  tags: ['changes', 'site', 'contract'],
  names: [],
  html: [],
  site: ['html', 'contract'],
  declare: ['changes', 'runtime', 'site', 'html', 'names', 'contract'],
  request: ['declare', 'runtime', 'site', 'html', 'names', 'contract'],
  routing: [...coreUpTo('request'), 'site', 'html', 'names', 'contract'],
  pipeline: [...coreUpTo('routing'), 'site', 'html', 'names', 'contract'],
  describe: [...coreUpTo('pipeline'), 'site', 'html', 'names', 'contract'],
  storage: ['contract'],
  testing: ['storage', 'contract'],
  render: ['declare', 'tags', 'runtime', 'site', 'html', 'names', 'contract'],
  services: ['declare', 'runtime', 'site', 'contract'],
  features: ['render', 'services', ...coreRooms, 'site', 'html', 'names', 'contract'],
  profiles: ['management', 'pages', 'features', 'services', 'storage', 'describe', 'declare'],
  management: ['pipeline', 'request', 'declare', 'changes', 'runtime', 'site', 'names', 'contract'],
  pages: [...coreRooms, 'site', 'contract'],
  client: ['pipeline', 'declare', 'site', 'names', 'contract'],
  mcp: ['client', 'describe', 'render', 'contract'],
  'site-pages': ['pages', 'features', 'render', 'services', ...coreRooms, 'site', 'html', 'names', 'contract'],
  adapters: [...coreUpTo('pipeline'), 'contract'],
  host: [
    ...['profiles', 'features', 'render', 'services', 'management', 'pages', ...coreRooms, 'site', 'names', 'storage'],
    'contract',
  ],
  cli: [
    ...[
      'host',
      'adapters',
      'site-pages',
      'mcp',
      'profiles',
      'management',
      'services',
      ...coreRooms,
      'site',
      'names',
      'storage',
    ],
    'contract',
  ],
}

const sources = [...filesBelow('src'), ...filesBelow('adapters')]
const local = (file: string) =>
  importsOf(file)
    .filter((from) => from.startsWith('.'))
    .map((from) => relative(root, resolve(root, dirname(file), from)))

test('a room imports only from itself and the rooms below it', () => {
  const wrong = sources.flatMap((file) => {
    const room = roomOf(file)
    const may = [room, ...(below[room] ?? [])]
    return local(file)
      .filter((target) => !may.includes(roomOf(target)))
      .map((target) => `${file} -> ${target}: move the code, or declare its type in a lower room`)
  })
  expect(
    wrong,
    listed('These imports go up or across (the rooms and their order are in docs/architecture.md):', wrong),
  ).toEqual([])
})

/** The rooms of `render/builder` from the bottom to the top: those of one line do not import each other. */
const builderFloors = [
  ['document', 'html'],
  ['records', 'css'],
  ['controls'],
  ['kit'],
  ['pass'],
  ['elements', 'template-context', 'entry.ts'],
  ['conditions', 'lists', 'queries', 'shortcodes', 'svg'],
  ['blocks', 'widgets', 'tags'],
  ['atomic'],
  ['assembly'],
]

test('a room of render/builder imports only from itself and the rooms below it', () => {
  const builder = 'src/render/builder/'
  const roomIn = (file: string) => file.slice(builder.length).split('/')[0] ?? ''
  const floorOf = (file: string) => builderFloors.findIndex((rooms) => rooms.includes(roomIn(file)))
  const wrong = sources
    .filter((file) => file.startsWith(builder))
    .flatMap((file) =>
      local(file)
        .filter((target) => target.startsWith(builder) && roomIn(target) !== roomIn(file))
        .filter((target) => floorOf(target) === -1 || floorOf(target) >= floorOf(file))
        .map((target) => `${file} -> ${target}`),
    )
  expect(wrong, listed('Move the code to a lower room, or what it needs:', wrong)).toEqual([])
})

test('the picture of the house has every room above those that it imports', () => {
  const drawn = floors.flatMap(({ rooms }, floor) =>
    rooms.map(({ name }, index) => ({
      room: name.replace('core/', ''),
      floor,
      index,
      isCore: name.startsWith('core/'),
    })),
  )
  expect(drawn.map(({ room }) => room).sort()).toEqual(Object.keys(below).sort())
  for (const upper of drawn) {
    for (const lower of drawn.filter(({ room }) => below[upper.room]?.includes(room))) {
      const isBelow = lower.floor > upper.floor || (upper.isCore && lower.isCore && lower.index > upper.index)
      expect(isBelow, `${upper.room} imports ${lower.room}`).toBe(true)
    }
  }
})

test('no files import each other in a circle', () => {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    state.set(file, 'open')
    for (const target of local(file)) if (target !== file) visit(target, [...path, file])
    state.set(file, 'done')
  }
  for (const file of sources) visit(file, [])
  const advice = 'Break these circles: move what both files need to a file that imports neither of them:'
  expect(circles, listed(advice, circles)).toEqual([])
})

/** `src/features/content/posts/view.ts` belongs to `content/posts`, `src/features/content/batch.ts` to `content/batch`. */
const featureOf = (file: string) => file.split('/').slice(2, 4).join('/').replace(/\.ts$/, '')

test('features import only model.ts, view.ts and declarations of other features', () => {
  const wrong = sources
    .filter((file) => roomOf(file) === 'features')
    .flatMap((file) =>
      local(file)
        .filter((target) => roomOf(target) === 'features' && featureOf(target) !== featureOf(file))
        .filter((target) => !/\/(?:model|view|content-type|taxonomy)\.ts$|^src\/features\/shared\//.test(target))
        .map((target) => `${file} -> ${target}`),
    )
  const advice = 'Move the shared code to model.ts or view.ts of the other feature, or to src/features/shared:'
  expect(wrong, listed(advice, wrong)).toEqual([])
})

test('only the listed places import modules of Node', () => {
  const may = [/^adapters\//, /^src\/(?:storage|services|cli|management)\//, /^src\/core\/runtime\/node-module\.ts$/]
  const wrong = sources.filter(
    (file) => importsOf(file).some((from) => from.startsWith('node:')) && !may.some((place) => place.test(file)),
  )
  const advice =
    'Use web-standard APIs, or pass the code in as a service (src/services); these files import node: modules:'
  expect(wrong, listed(advice, wrong)).toEqual([])
})

test('random values of the service are drawn in one place, which recordings watch', () => {
  // The names of temporary files, of log entries beside the api, and pauses between attempts are no part of an answer.
  const may = [
    /^adapters\//,
    /^src\/(?:cli|client|host|mcp|site-pages|storage)\//,
    /^src\/core\/runtime\/crypto\.ts$/,
    /^src\/services\/(?:media-folder|temporary-file)\.ts$/,
    /^src\/features\/shared\/deliveries\.ts$/,
  ]
  const wrong = sources.filter(
    (file) =>
      /crypto\.(?:randomUUID|getRandomValues)|Math\.random/.test(readFileSync(join(root, file), 'utf8')) &&
      !may.some((place) => place.test(file)),
  )
  expect(
    wrong,
    listed('Draw with randomId, randomNumber or randomBytes of src/core/runtime/crypto.ts:', wrong),
  ).toEqual([])
})

test('no file is longer than 400 lines', () => {
  const long = sources.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401)
  expect(long).toEqual([])
})

test('no folder holds more than 20 files', () => {
  const counts = new Map<string, number>()
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(([, count]) => count > 20).map(([folder, count]) => `${folder}: ${count}`)
  expect(crowded, listed('Group the files of these folders in subfolders:', crowded)).toEqual([])
})
