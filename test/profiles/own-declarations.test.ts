/** Mistakes of declarations are said when an api is created, all at once; capabilities that no role has, as soon as the roles are known. */
import { expect, test } from 'vitest'
import {
  args,
  content,
  contentType,
  createSiteApi,
  d1,
  type Feature,
  full,
  metaFields,
  OptionsError,
  profile,
  taxonomy,
} from '../../src/index.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

/** A host without a compiler may write any options. */
type Loose = { readonly [name: string]: unknown }
const type = (more: Loose = {}): Feature =>
  contentType({
    name: 'recipe',
    labels: { singular: 'Recipe', plural: 'Recipes' },
    restBase: 'recipes',
    supports: ['title'],
    ...more,
  } as never)
const kind = (more: Loose = {}) =>
  taxonomy({
    name: 'cuisine',
    labels: { singular: 'Cuisine', plural: 'Cuisines' },
    restBase: 'cuisines',
    ...more,
  } as never)
const fields = (declared: Loose): Feature => metaFields(declared as never)

const told: string[] = []
const created = (features: readonly Feature[], of: typeof content | typeof d1 | typeof full = content) => {
  told.length = 0
  const own = profile({ ...of, name: 'own', features: [...of.features, ...features] as readonly Feature[] })
  return createSiteApi({
    storage: memoryStorage(),
    profile: own,
    url: 'https://quay.example',
    log: { error: (said) => void told.push(said) },
  })
}
const problemsOf = (features: readonly Feature[], of?: typeof d1): readonly string[] => {
  try {
    created(features, of)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(OptionsError)
    return (error as OptionsError).problems
  }
}

test.each([
  ['a built-in type', () => type({ name: 'post' }), /'post': the site has a type post already/],
  ['media', () => type({ name: 'attachment' }), /attachment already/],
  ['no name', () => type({ name: '' }), /the name must begin/],
  ['a name with a blank', () => type({ name: 'Recipe Card' }), /'Recipe Card': the name must begin/],
  ['a long name', () => type({ name: 'a'.repeat(40) }), /at most 32 letters/],
  ['a base with a slash', () => type({ restBase: '/recipes' }), /not '\/recipes'/],
  ['an empty base', () => type({ restBase: '' }), /restBase must be/],
  ['the base of another feature', () => type({ restBase: 'posts' }), /the feature posts has the route \/posts already/],
  ['a base of pages', () => type({ restBase: 'feed' }), /addresses below \/feed\//],
  ['a support', () => type({ supports: ['titel'] }), /no support titel: did you mean title\?/],
  ['supports that are no list', () => type({ supports: 'title' }), /supports must be a list/],
  ['an option', () => type({ isHierachical: true }), /isHierachical: did you mean isHierarchical\?/],
  ['no labels', () => type({ labels: undefined }), /labels must be an object/],
  ['half of the labels', () => type({ labels: { singular: 'Recipe' } }), /labels\.plural must be a text.* missing/],
  [
    'a taxonomy without its feature',
    () => type({ taxonomies: [kind().declaration] }),
    /the taxonomy cuisine is not in the profile/,
  ],
  ['a feature as a taxonomy', () => type({ taxonomies: ['cuisine'] }), /takes what taxonomy\(\) declares/],
  [
    'a field of the service',
    () => type({ fields: { _builder_data: args.str() } }),
    /the field '_builder_data' must begin/,
  ],
  ['a field that is a word', () => type({ fields: { servings: 'int' } }), /the field servings must be a builder/],
  ['a built-in taxonomy', () => kind({ name: 'category' }), /'category': the site has a taxonomy category already/],
  [
    'a taxonomy that is called like a member',
    () => kind({ restBase: 'status' }),
    /status is a member that all records have/,
  ],
  ['an option of a taxonomy', () => kind({ hierarchical: true }), /no option hierarchical/],
  ['a kind of records', () => fields({ posts: {} }), /no fields of posts: did you mean post\?/],
  ['fields as a list', () => fields({ post: ['subtitle'] }), /the fields must be an object of builders/],
  ['a field that users have', () => fields({ user: { nickname: args.str() } }), /has a field nickname already/],
  [
    'an option of a field',
    () => fields({ post: { a: args.field(args.str(), { isSearchd: true } as never) } }),
    /isSearchd: did you mean isSearched\?/,
  ],
  ['a searched number', () => fields({ post: { a: args.field(args.int(), { isSearched: true }) } }), /is no text/],
  [
    'a revision of a user',
    () => fields({ user: { a: args.field(args.int(), { isRevisioned: true }) } }),
    /no revisions of a user/,
  ],
])('refuses %s with one sentence', (_, make, sentence) => {
  expect(problemsOf([make()])).toEqual([expect.stringMatching(sentence)])
})

test('says all mistakes at once, those between features too', () => {
  const problems = problemsOf([
    type({ name: 'post' }),
    type({ name: 'card', restBase: '/cards', supports: ['titel'], taxonomies: [kind().declaration] }),
    type({ name: 'twin', restBase: 'twins' }),
    type({ name: 'twin', restBase: 'others' }),
    fields({ post: { subtitle: args.str() } }),
    fields({ post: { subtitle: args.str() } }),
  ])
  expect(problems.map((one) => one.replace(/[;:].*/, ''))).toEqual([
    ...["contentType 'post'", "contentType 'card'", "contentType 'card'", "contentType 'card'"],
    ...["contentType 'twin'", "contentType 'twin'"],
    ...['metaFields', 'metaFields'],
  ])
  expect(problemsOf([fields({ comment: { stars: args.int() } })], d1)).toEqual([expect.stringContaining('no routes')])
})

test('a declaration without options is refused with the others', () => {
  const problems = problemsOf([contentType(undefined as never) as Feature, taxonomy(undefined as never)])
  expect(problems).toHaveLength(7)
  expect(problems[0]).toBe("contentType '': The option name must be a text, such as 'recipe'; it is missing.")
})

test('what is right stays right, also two declarations of fields', async () => {
  const cuisines = kind({ isHierarchical: true })
  const right = [
    cuisines,
    type({ taxonomies: [cuisines.declaration], isHierarchical: true, fields: { servings: args.int() } }),
  ]
  const api = created([...right, fields({ post: { a: args.str() } }), fields({ post: { b: args.str() } })], full)
  await api.index()
  expect(told).toEqual([])
})

test('says in the log which capabilities no role has, once, until a role gets them', async () => {
  const declared = [
    type({ capabilityWord: 'recipes' }),
    fields({ post: { fee: args.field(args.num(), { writeCapability: 'set_fees' }) } }),
  ]
  const api = created(declared)
  await api.index()
  await api.index()
  expect(told).toEqual([
    expect.stringMatching(/^No role .* the type recipe asks for \(edit_recipes, .*grant\('editor', \['edit_recipes'/),
    expect.stringMatching(/a field of post asks for \(set_fees\)/),
  ])
  const [names = ''] = told[0]?.match(/\[.*\]/) ?? []
  await api.site.roles.grant('editor', JSON.parse(names.replaceAll("'", '"')))
  expect((await api.site.roles.read())['editor']).toMatchObject({ edit_recipes: true, edit_pages: true })
  await expect(api.site.roles.grant('editr', [])).rejects.toThrow('did you mean editor?')
  const { id } = await api.site.users.create({ login: 'edith', roles: ['editor'] })
  const { status } = await api.call('POST', '/cms/v2/recipes', { title: 'Soup' }, { as: id })
  expect(status).toBe(201)
  await api.site.roles.revoke('editor', ['edit_recipes'])
  await expect(api.call('POST', '/cms/v2/recipes', { title: 'Soup' }, { as: id })).rejects.toMatchObject({
    status: 403,
  })
})
