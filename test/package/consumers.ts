/**
 * Compiles and runs projects of hosts as npm makes them, with the package alone and without optional peers: CommonJS, and types of
 * the host in declarations. Reads what an editor shows in them.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { entries, home } from './packed.ts'
import { run } from './run.ts'
import { compilersIn } from './types.ts'

const common = `import { createSiteApi, full } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
export const api = createSiteApi({ storage: memoryStorage(), profile: full, url: 'https://example.com' })
api.call('GET', '/cms/v2/posts/{id}', { id: 99 }).catch(({ code }) => console.log(code))
`
const own = `import { anyone, args, content, contentType, endpoint, feature, profile, taxonomy } from 'site-api'
export const cuisines = taxonomy({ name: 'cuisine', labels: { singular: 'Cuisine', plural: 'Cuisines' }, restBase: 'cuisines', fields: { heat: args.int() } })
export const recipes = contentType({
  name: 'recipe', labels: { singular: 'Recipe', plural: 'Recipes' }, restBase: 'recipes',
  supports: ['title', 'editor', 'revisions'], taxonomies: [cuisines.declaration], fields: { servings: args.int() },
})
const hello = feature('hello', 'hello/v1', [
  endpoint({ path: '/greet', methods: ['GET'], args: { name: args.str() }, permission: anyone, handler: ({ args: { name } }) => ({ name }) }),
])
export const kitchen = profile({ ...content, name: 'kitchen', features: [...content.features, cuisines, recipes, hello] })
`
/** The entries that load no optional peer. */
const alone = entries
  .filter(({ name }) => !/express|fastify|next|mcp/.test(name))
  .map(({ name }, at) => `export * as entry${at} from '${name}'\n`)
  .join('')

const projects = {
  commonjs: { type: 'commonjs', files: { 'site.ts': common, 'all.ts': alone } },
  declarations: { type: 'module', files: { 'site.ts': own } },
} as const

export async function checkConsumers(blank: string): Promise<readonly string[]> {
  const folder = join(blank, 'consumers')
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(home, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const problems: string[] = []
  // The oldest and the newest, which is quick.
  for (const [at, compiler] of compilersIn(blank).slice(1).entries()) {
    for (const name of ['commonjs', 'declarations'] as const) {
      problems.push(...(await projectProblems(join(folder, `${name}-${at}`), compiler, name)))
    }
  }
  return [...problems, ...hoverProblems(join(folder, 'editor'))]
}

async function projectProblems(folder: string, compiler: string, name: keyof typeof projects) {
  const { type, files } = projects[name]
  mkdirSync(folder)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', version: '1.0.0', type }))
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', strict: true, types: ['node'], skipLibCheck: false },
    ...{ declaration: true, composite: true, outDir: 'out' },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const { said, code } = await run(
    process.execPath,
    [join(compiler, 'bin/tsc'), '-p', '.', '--pretty', 'false'],
    folder,
  )
  if (code !== 0) return [`${name}, ${compiler}: ${said.slice(0, 2000)}`]
  const started = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'out/site.js'], folder)
  const expected = name === 'commonjs' ? 'rest_post_invalid_id' : ''
  return started.said.trim() === expected ? [] : [`${name}, ${compiler}: out/site.js says ${started.said}`]
}

const edited = `import { content, full, profile } from 'site-api'
import { createClient } from 'site-api/client'
const client = createClient<typeof full>({ url: '/api' })
client.get('/cms/v2/posts', { /*1*/per_page: 5, /*2*/orderby: 'date', /*3*/categories: [1] })
client.post('/cms/v2/posts', { /*4*/title: 'Tide', /*5*/sticky: true })
export const /*6*/own = profile({ ...content, name: 'own', features: [...content.features] })
`

/** Asks the language service for the words after the numbers. */
function hoverProblems(folder: string): readonly string[] {
  mkdirSync(folder)
  const file = join(folder, 'edited.mts')
  writeFileSync(file, edited)
  const options = { module: ts.ModuleKind.NodeNext, strict: true, types: ['node'], skipLibCheck: true }
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  })
  return [...edited.matchAll(/\/\*(\d)\*\/(\w+)/g)].flatMap(([mark = '', number, word]) => {
    const info = service.getQuickInfoAtPosition(file, edited.indexOf(mark) + mark.length)
    const shown = ts.displayPartsToString(info?.displayParts)
    if (number === '6') return /\bPostsFeature\b/.test(shown) ? [] : [`the profile is shown as ${shown}`]
    return ts.displayPartsToString(info?.documentation) === '' ? [`the argument ${word} has no description`] : []
  })
}
