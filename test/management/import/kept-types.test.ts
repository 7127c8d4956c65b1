/** Types and taxonomies that the profile lacks, kept by an import until a profile declares them. */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import * as whole from '../../../src/index.ts'
import { reportText } from '../../../src/management/import/report-text.ts'
import { content } from '../../../src/profiles/content.ts'
import type { Parsed } from '../../support/parsed.ts'
import { basic, createTestSite } from '../../support/site.ts'
import { openStorage } from '../../support/storage.ts'
import { author, cdata, exportFile, inPieces, item, site as oldSite, type WrittenItem } from './export-file.ts'

/** Two services share a storage, and the first one that ends closes it. */
const log = { error: () => undefined }

const ann = author('ann', 'ann@old.example', 'Ann Old')
const kept = { keepUnknown: true }

async function openSite() {
  let storage: Storage | undefined
  const site = await createTestSite({
    profile: content,
    storage(opened) {
      storage = opened
      return opened
    },
  })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const imported = (parts: readonly string[], options: whole.ImportOptions = kept) =>
    site.api.site.import(inPieces(exportFile(ann, ...parts), 999), options)
  // The cast: the site was opened on it.
  return { ...site, imported, storage: storage as Storage }
}

const term = (id: number, taxonomy: string, slug: string, name: string, parent = '') =>
  `<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${taxonomy}</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_parent>${parent}</wp:term_parent><wp:term_name>${cdata(name)}</wp:term_name><wp:termmeta><wp:meta_key>colour</wp:meta_key><wp:meta_value>blue</wp:meta_value></wp:termmeta></wp:term>`

const comment = (id: number, text: string) =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>Bo</wp:comment_author><wp:comment_approved>1</wp:comment_approved><wp:comment_date_gmt>2024-01-01 10:00:00</wp:comment_date_gmt><wp:comment_content>${cdata(text)}</wp:comment_content></wp:comment>`

const project = (given: WrittenItem) =>
  item({ type: 'acme_project', link: `${oldSite}/projects/${given.slug ?? 'x'}/`, ...given })

const parts = [
  term(21, 'craft', 'wood', 'Wood'),
  term(22, 'craft', 'oak', 'Oak', 'wood'),
  item({ id: 1, slug: 'ordinary', terms: [['craft', 'oak', 'Oak']] }),
  project({
    ...{ id: 10, slug: 'alpha', title: 'Alpha', content: '<p>First</p>', excerpt: 'Short' },
    terms: [
      ['craft', 'oak', 'Oak'],
      ['category', 'news', 'News'],
    ],
    meta: [
      ['client', 'Dee & Sons\' "Yard"'],
      ['stages', 'a:2:{i:0;s:4:"plan";i:1;s:5:"build";}'],
      ['size', 'a:1:{s:5:"width";i:4;}'],
      ['_hidden', 'note'],
      ['_thumbnail_id', '30'],
    ],
    more: comment(5, 'Well made'),
  }),
  project({ id: 11, slug: 'beta', parent: 10, status: 'draft' }),
  project({ id: 12, slug: 'gamma', status: 'wc-completed', date: '2098-01-01 10:00:00' }),
  item({ id: 13, type: 'message', slug: 'hello', link: `${oldSite}/?post_type=message&p=13` }),
  item({ id: 14, type: 'nav_menu_item', slug: '14', title: 'Alpha', meta: menuItem(10) }),
  item({ id: 30, type: 'attachment', status: 'inherit', slug: 'saw' }),
]

function menuItem(target: number): WrittenItem['meta'] {
  const fields = { type: 'post_type', object: 'acme_project', object_id: String(target), menu_item_parent: '0' }
  return Object.entries(fields).map(([name, value]) => [`_menu_item_${name}`, value] as const)
}

test('stores items of unknown types as private records, and counts them', async () => {
  const { imported, as, visitor, storage } = await openSite()
  const { counts, problems } = await imported(parts)
  expect(counts).toMatchObject({
    ...{ acme_project: { created: 3 }, message: { created: 1 }, posts: { created: 1 }, media: { created: 1 } },
    ...{ craft: { created: 2 }, comments: { created: 1 }, nav_menu_item: { created: 1 } },
  })
  expect(problems).toEqual([
    { kind: 'type-kept', what: 'acme_project', count: 3, examples: expect.any(Array) },
    { kind: 'type-kept', what: 'message', count: 1, examples: expect.any(Array) },
  ])
  const order = { by: 'id', descending: false } as const
  const query = { types: ['acme_project', 'message'], order, offset: 0, limit: 10 }
  const rows = await storage.posts.read((await storage.posts.query(query)).idsPage.map(({ id }) => id))
  expect(rows.map(({ slug, status }) => [slug, status])).toEqual([
    ...[
      ['alpha', 'private'],
      ['beta', 'draft'],
      ['gamma', 'private'],
    ],
    ...[['hello', 'private']],
  ])
  const was = await storage.meta.read(
    'post',
    rows.map(({ id }) => id),
    ['_import_status'],
  )
  expect(was.map(({ value }) => value)).toEqual(['publish', 'wc-completed', 'publish'])
  // No route of the profile shows them.
  const shown: Parsed[] = (await visitor('GET', '/cms/v2/comments', { query: { per_page: 100 } })).body
  expect(shown.filter(({ author_name: name }) => name === 'Bo')).toEqual([])
  const listed = await as('ada')('GET', '/cms/v2/comments', { query: { _embed: 1, per_page: 100 } })
  expect(listed.status).toBe(200)
  expect((await visitor('GET', '/cms/v2/search', { query: { search: 'Alpha' } })).body).toEqual([])
})

test('leaves out the unknown without the option, and the service’s own types with it', async () => {
  const { imported } = await openSite()
  const without = await imported(parts, {})
  expect(without.counts).not.toHaveProperty('acme_project')
  expect(without.declarations).toBeUndefined()
  expect(reportText(without)).toContain('items of an unknown type were left out')
  const other = await openSite()
  const own = ['revision', 'elementor_snippet', '__proto__', 'a b', '<b>', 'x'.repeat(65)]
  const { problems, counts } = await other.imported(own.map((type, index) => item({ id: 40 + index, type })))
  expect(problems.map(({ kind, what }) => `${kind} ${what}`)).toEqual(own.map((type) => `unknown-type ${type}`))
  expect(counts).toEqual({ users: { created: 1, updated: 0, existing: 0 } })
})

test('keeps a bounded number of types', async () => {
  const { imported } = await openSite()
  const many = Array.from({ length: 103 }, (_, index) =>
    item({
      id: index + 1,
      type: `kind_${index}`,
      terms: [1, 2, 3].map((n) => [`of_${index}_${n}`, 'a', 'A'] as const),
    }),
  )
  const { problems } = await imported(many)
  const sum = (kind: string) =>
    problems.filter((problem) => problem.kind === kind).reduce((total, { count }) => total + count, 0)
  expect([sum('type-kept'), sum('unknown-type'), sum('other-taxonomy')]).toEqual([100, 3, 100])
})

test('a second import changes nothing, finds the records without the option too, and declares the same', async () => {
  const { imported, api } = await openSite()
  const first = await imported(parts)
  const before = await api.site.export()
  const second = await imported(parts)
  expect(second.counts).toMatchObject({
    ...{ acme_project: { created: 0, existing: 3 }, message: { created: 0, existing: 1 } },
    ...{ craft: { created: 0, existing: 2 }, comments: { created: 0, existing: 1 } },
  })
  expect(second.declarations).toBe(first.declarations)
  expect(await api.site.export()).toEqual(before)
  // An item of a later file refers to a kept record.
  await imported([item({ id: 15, type: 'nav_menu_item', slug: '15', title: 'Again', meta: menuItem(12) })], {})
  const documents = (await api.site.export()).documents ?? []
  const again = documents.find(({ title }) => title === 'Again')
  expect(again?.meta_references).toMatchObject({ _menu_item_post: expect.stringMatching(/gamma$/) })
})

test('the export has the kept records, and a site that is seeded with it exports the same', async () => {
  const { imported, api } = await openSite()
  await imported(parts)
  const document = await api.site.export()
  expect(document.options).toMatchObject({ kept_types: ['acme_project', 'message'] })
  const alpha = (document.documents ?? []).find(({ slug }) => slug === 'alpha')
  expect(alpha).toMatchObject({
    ...{ type: 'acme_project', status: 'private', terms: { craft: ['oak'] }, categories: ['news'] },
    meta: { client: 'Dee & Sons\' "Yard"', stages: ['plan', 'build'], _hidden: 'note' },
  })
  const other = await createTestSite({ profile: content, seed: document })
  onTestFinished(() => other.dispose())
  const without = ({ options: { url: _, home: __, ...options } = {}, ...rest }: Parsed) => ({ ...rest, options })
  expect(without(await other.api.site.export())).toEqual(without(document))
})

test('prints declarations that compile, and with them the records are there over REST', async () => {
  const { imported, storage } = await openSite()
  const report = await imported(parts)
  const { declarations = '' } = report
  expect(reportText(report)).toContain(declarations)
  expect(mistakesIn(declarations)).toEqual([])
  const { keptFeatures } = modulesOf(declarations)
  const profile = whole.profile({ ...content, name: 'kept', features: [...content.features, ...keptFeatures] })
  const api = whole.createSiteApi({ storage, profile, log, passwordCost: 10 })
  onTestFinished(() => api.close())
  const get = async (path: string, isVisitor = false) => {
    const headers: HeadersInit = isVisitor ? {} : { authorization: basic('ada') }
    const response = await api.fetch(new Request(`https://quay.example/api${path}`, { headers }))
    return { status: response.status, body: (await response.json()) as Parsed }
  }
  const { body: records } = await get('/cms/v2/projects?status=private,draft&context=edit&orderby=slug&order=asc')
  const { body: crafts } = await get('/cms/v2/crafts?orderby=slug&order=asc')
  expect(crafts).toMatchObject([
    { slug: 'oak', parent: crafts[1].id, meta: { colour: 'blue' } },
    { slug: 'wood', parent: 0 },
  ])
  expect(records).toMatchObject([
    {
      ...{ slug: 'alpha', status: 'private', title: { raw: 'Alpha' }, content: { raw: '<p>First</p>' } },
      ...{ excerpt: { raw: 'Short' }, crafts: [crafts[0].id], featured_media: expect.any(Number), parent: 0 },
      meta: { client: 'Dee & Sons\' "Yard"', stages: ['plan', 'build'], size: { width: 4 } },
    },
    { slug: 'beta', status: 'draft', parent: records[0].id },
    { slug: 'gamma', status: 'private' },
  ])
  expect(records[0].categories).toHaveLength(1)
  expect((await get(`/cms/v2/comments?post=${records[0].id}`)).body).toMatchObject([{ author_name: 'Bo' }])
  expect((await get('/cms/v2/messages?status=private')).body).toMatchObject([{ slug: 'hello' }])
  expect((await get('/cms/v2/projects', true)).body).toEqual([])
  expect((await get(`/cms/v2/projects/${records[0].id}`, true)).status).toBe(401)
  // Visitors had no pages of messages, so the type is not theirs.
  expect((await get('/cms/v2/types/message?context=edit')).body).toMatchObject({ viewable: false })
  expect((await get('/cms/v2/types/acme_project?context=edit')).body).toMatchObject({
    viewable: true,
    hierarchical: true,
  })
  // The profile now has the type: an update takes the status of the file.
  await api.site.import(inPieces(exportFile(ann, ...parts)), { update: true })
  expect((await get('/cms/v2/projects', true)).body).toMatchObject([{ slug: 'alpha', status: 'publish' }])
})

test('declarations hold whatever names a file has', async () => {
  const { storage, dispose } = await openStorage()
  const opened: whole.SiteApi[] = []
  onTestFinished(async () => {
    for (const api of opened) await api.close()
    await dispose()
  })
  const names = [
    'posts',
    'book',
    'book-',
    'books',
    'a.b',
    '7days',
    'новости',
    'pa_%d1%86',
    'class',
    'quiz',
    'api',
    'constructor',
  ]
  const file = exportFile(
    ...names.map((type, index) =>
      item({
        ...{ id: index + 1, type, terms: [[type, 'one', 'One']] },
        meta: [
          ["it's", '1'],
          ['two words', 'b:1;'],
          ['mixed', index % 2 ? 'text' : 'a:1:{i:0;i:5;}'],
          ['list', 'a:1:{i:0;i:5;}'],
          ['number', 'd:0.5;'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the key must not be read as one
          ['a${1}`', 'x'],
        ],
      }),
    ),
  )
  const api = whole.createSiteApi({ storage, log, profile: content })
  opened.push(api)
  const { declarations = '' } = await api.site.import(inPieces(file), kept)
  expect(mistakesIn(declarations)).toEqual([])
  const { keptFeatures } = modulesOf(declarations)
  const profile = whole.profile({ ...content, name: 'kept', features: [...content.features, ...keptFeatures] })
  const declared = whole.createSiteApi({ storage, log, profile })
  opened.push(declared)
  const { data } = await declared.call<Parsed>('GET', '/cms/v2/types', {}, { as: 'system' })
  expect(Object.keys(data)).toEqual(expect.arrayContaining(names))
  for (const name of names) {
    const { data: rows } = await declared.call<Parsed>(
      ...(['GET', `/cms/v2/${data[name].rest_base}`, { status: 'private' }, { as: 'system' }] as const),
    )
    expect(rows).toHaveLength(1)
  }
})

/** The mistakes that the compiler finds in a module of a host. Once is enough: it reads the whole project, which takes its time. */
function mistakesIn(text: string): string[] {
  if (process.env['TEST_STORAGE'] !== 'sqlite') return []
  const root = join(import.meta.dirname, '../../..')
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const file = join(root, 'kept-types.ts')
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram(
    [file],
    { ...options, noUnusedLocals: true },
    {
      ...host,
      fileExists: (name) => name === file || host.fileExists(name),
      readFile: (name) => (name === file ? text : host.readFile(name)),
      getSourceFile: (name, version, ...rest) =>
        name === file ? ts.createSourceFile(name, text, version) : host.getSourceFile(name, version, ...rest),
    },
  )
  const source = program.getSourceFile(file)
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
}

/** Runs the module with the package as it is here. */
function modulesOf(text: string): { readonly keptFeatures: readonly whole.Feature[] } {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } })
  const exports = { keptFeatures: [] }
  new Function('require', 'exports', outputText)(() => whole, exports)
  return exports
}
