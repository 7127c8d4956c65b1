/** Checks the declarations of types and taxonomies, alone and beside the other features of the profile: one sentence for each mistake. */
import { nameAdvice } from '../../../contract/nearest-name.ts'
import { type Args, anything, bool, callable, object, required, str } from '../../../core/declare/args.ts'
import type { Feature } from '../../../core/declare/feature.ts'
import { optionProblems } from '../../../core/request/option-check.ts'
import { menuItemTypeName, menuTaxonomyName } from '../../../site/menu-items.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import {
  type ContentTaxonomy,
  contentTypes,
  patternCategoryTaxonomy,
  type Support,
} from '../../content/content-types/model.ts'
import { fieldProblems } from './field-problems.ts'

/** An object type, so that the compiler requires every entry here. */
const supports: { readonly [S in Support]: true } = {
  ...{ title: true, editor: true, excerpt: true, author: true, thumbnail: true, comments: true, trackbacks: true },
  ...{ 'custom-fields': true, 'post-formats': true, 'page-attributes': true, sticky: true },
  ...{ revisions: true, autosave: true, builder: true },
}

const builtInTypes = [...contentTypes.map(({ name }) => name), 'revision', menuItemTypeName, 'cms_block']
const builtInTaxonomies: readonly string[] = [
  ...[categories, tags, 'post_format', menuTaxonomyName],
  patternCategoryTaxonomy.name,
]

/** Names are kept with records, and imports keep the names of other systems. */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}_.%-]{0,31}$/u
const baseForm = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u

/** The first parts of addresses that the pages of a site have. */
const takenAddresses = ['author', 'category', 'feed', 'page', 'search', 'sitemap', 'tag']
/** A taxonomy gives its records an argument and a member of this name. */
const takenMembers =
  `author comment_status content context date date_gmt excerpt exclude featured_media format guid id include link
  menu_order meta modified modified_gmt offset order orderby page parent password per_page ping_status search slug status sticky template
  title type`.split(/\s+/)

const labels = object(
  {
    singular: required(str({ description: "a text, such as 'Recipe'" })),
    plural: required(str({ description: "a text, such as 'Recipes'" })),
  },
  { description: "an object, such as { singular: 'Recipe', plural: 'Recipes' }", additionalProperties: true },
)
const shared = {
  name: required(str({ description: "a text, such as 'recipe'" })),
  labels: required(labels),
  restBase: required(str({ description: "a text, such as 'recipes'" })),
  isHierarchical: bool({ description: 'true or false' }),
  isViewable: bool({ description: 'true or false' }),
  capabilityWord: str({ description: "a text, such as 'recipes'" }),
  // `fieldProblems` checks them.
  fields: anything(),
}

const typeOptions: Args = {
  ...shared,
  supports: required({ node: { type: 'array', description: "a list, such as ['title', 'editor']" } }),
  taxonomies: { node: { type: 'array', description: 'a list, such as [cuisines.declaration]' } },
  isSearchable: bool({ description: 'true or false' }),
  inMenus: bool({ description: 'true or false' }),
  mayBeEmpty: bool({ description: 'true or false' }),
  templates: callable({ description: 'a function that returns the names of templates' }),
  capabilities: { node: { type: 'object', description: "an object, such as { create_posts: 'upload_files' }" } },
}
const taxonomyOptions: Args = {
  ...shared,
  granted: { node: { type: 'object', description: "an object, such as { manage_terms: 'manage_categories', ... }" } },
  defaultTerm: callable({ description: 'a function that returns the id of a term' }),
}

type Given = { readonly [name: string]: unknown }
const given = (options: unknown): Given => (typeof options === 'object' && options !== null ? { ...options } : {})

const ownerOf = (word: string, { name }: Given) => `${word} '${typeof name === 'string' ? name : ''}'`

/** The mistakes of a declaration of a type that concern no other feature. */
export function typeProblems(options: unknown): string[] {
  const type = given(options)
  const owner = ownerOf('contentType', type)
  return [
    ...formProblems(owner, typeOptions, type),
    ...listOf(type['supports']).flatMap((one) =>
      typeof one === 'string' && Object.hasOwn(supports, one)
        ? []
        : [`${owner}: there is no support ${String(one)}: ${nameAdvice(String(one), Object.keys(supports), 'they')}`],
    ),
    ...(listOf(type['taxonomies']).every(isTaxonomy)
      ? []
      : [`${owner}: taxonomies takes what taxonomy() declares, such as [cuisines.declaration], or categoryTaxonomy.`]),
    ...fieldProblems(type['fields'], { owner, kind: 'post' }),
  ]
}

export function taxonomyProblems(options: unknown): string[] {
  const declared = given(options)
  const owner = ownerOf('taxonomy', declared)
  const { restBase } = declared
  return [
    ...formProblems(owner, taxonomyOptions, declared),
    ...(takenMembers.includes(String(restBase))
      ? [`${owner}: the restBase ${restBase} is a member that all records have; choose another.`]
      : []),
    ...fieldProblems(declared['fields'], { owner, kind: 'term' }),
  ]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isTaxonomy = (value: unknown): value is Pick<ContentTaxonomy, 'name'> =>
  typeof value === 'object' && value !== null && 'name' in value && 'restBase' in value && 'granted' in value

function formProblems(owner: string, options: Args, declared: Given): string[] {
  const { name, restBase } = declared
  const problems = optionProblems(options, declared).map((sentence) => `${owner}: ${sentence}`)
  if (typeof name === 'string' && !nameForm.test(name)) {
    problems.push(
      `${owner}: the name must begin with a letter or a digit, and have at most 32 letters, digits and _ . % - (such as 'recipe').`,
    )
  }
  if (typeof restBase === 'string' && !baseForm.test(restBase)) {
    problems.push(`${owner}: the restBase must be letters, digits, _ and -, such as 'recipes', not '${restBase}'.`)
  } else if (takenAddresses.includes(String(restBase))) {
    problems.push(`${owner}: pages of the site have addresses below /${restBase}/; choose another restBase.`)
  }
  return problems
}

// ---------------------------------------------------------------- beside the other features

/** Finds what a declared type has that other features of the profile have too, and what it lacks there. */
export function typeProblemsBeside(options: unknown, others: readonly Feature[]): string[] {
  const type = given(options)
  const owner = ownerOf('contentType', type)
  const names = new Set<unknown>([...builtInTypes, ...others.flatMap(({ persisted }) => persisted?.postTypes ?? [])])
  const declared = taxonomyNamesOf(others)
  const lacking = listOf(type['taxonomies'])
    .filter(isTaxonomy)
    .filter(({ name }) => !declared.has(name))
  return [
    ...(names.has(type['name']) ? [`${owner}: the site has a type ${type['name']} already; choose another name.`] : []),
    ...baseProblem(owner, type, others),
    ...lacking.map(
      ({ name }) =>
        `${owner}: the taxonomy ${name} is not in the profile: add what taxonomy({ name: '${name}', ... }) returned to its features.`,
    ),
  ]
}

export function taxonomyProblemsBeside(options: unknown, others: readonly Feature[]): string[] {
  const declared = given(options)
  const owner = ownerOf('taxonomy', declared)
  return [
    ...(taxonomyNamesOf(others).has(declared['name'])
      ? [`${owner}: the site has a taxonomy ${declared['name']} already; choose another name.`]
      : []),
    ...baseProblem(owner, declared, others),
  ]
}

const taxonomyNamesOf = (others: readonly Feature[]) =>
  new Set<unknown>([...builtInTaxonomies, ...others.flatMap(({ persisted }) => persisted?.taxonomies ?? [])])

function baseProblem(owner: string, { restBase }: Given, others: readonly Feature[]): string[] {
  const holder = others.find(({ namespace, endpoints }) =>
    endpoints?.some(({ path }) => namespace === 'cms/v2' && path === `/${restBase}`),
  )
  return holder
    ? [`${owner}: the feature ${holder.name} has the route /${restBase} already; choose another restBase.`]
    : []
}
