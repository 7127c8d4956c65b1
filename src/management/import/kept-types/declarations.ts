/** Writes the declarations of kept types and taxonomies as a TypeScript module for the host's profile. */

import { categories, tags } from '../../../site/post-keys.ts'
import type { FieldKind, ObservedTaxonomy, ObservedType } from './observations.ts'

interface DeclarationOptions {
  readonly types: readonly ObservedType[]
  readonly taxonomies: readonly ObservedTaxonomy[]
  /** The types whose records have parents of the same type. */
  readonly hierarchical: ReadonlySet<string>
  readonly declaredTaxonomies: ReadonlySet<string>
}

/** The last parts of routes, and first parts of addresses, that a profile has already. */
const takenBases = new Set(
  `api author blocks categories category comments feed font-collections font-families global-styles media menu-items
  menu-locations menus navigation page pages posts search settings sitemap statuses tag tags taxonomies template-parts
  templates themes types uploads users`.split(/\s+/),
)

const fieldBuilders: { readonly [kind in FieldKind]: string } = {
  text: 'args.str()',
  number: 'args.num()',
  boolean: 'args.bool()',
  texts: 'args.list(args.str())',
  list: 'args.list(args.anything())',
  object: 'args.object({}, { additionalProperties: true })',
  any: 'args.anything()',
}

const builtIn: ReadonlyMap<string, string> = new Map([
  [categories, 'categoryTaxonomy'],
  [tags, 'tagTaxonomy'],
])

export function declarationsOf(options: DeclarationOptions): string {
  const { types, taxonomies, hierarchical, declaredTaxonomies } = options
  const variables = createUnique()
  const bases = createUnique(takenBases)
  const named = new Map(taxonomies.map(({ name }) => [name, variables(`${camel(name)}Taxonomy`)]))
  const declaredTaxonomyTexts = taxonomies.map((taxonomy) =>
    taxonomyText(taxonomy, { variable: `${named.get(taxonomy.name)}`, base: bases(plural(slug(taxonomy.name))) }),
  )
  const typeVariables = types.map(({ name }) => variables(`${camel(name)}Type`))
  const typeTexts = types.map((type, index) =>
    typeText(type, {
      variable: `${typeVariables[index]}`,
      base: bases(type.base || plural(slug(type.name))),
      isHierarchical: hierarchical.has(type.name),
      taxonomies: [...type.taxonomies].flatMap((name) => variableOf(name, named)),
      others: [...type.taxonomies].filter((name) => declaredTaxonomies.has(name) && !builtIn.has(name)),
    }),
  )
  const body = [...declaredTaxonomyTexts, ...typeTexts].join('\n')
  const used = ['args', ...builtIn.values()].filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  const functions = [types.length > 0 ? 'contentType' : '', taxonomies.length > 0 ? 'taxonomy' : '']
  const imports = [...used, ...functions].filter((name) => name !== '').sort()
  const features = [...named.values(), ...typeVariables]
  return [
    `import { ${imports.join(', ')} } from 'site-api'\n`,
    body,
    '// In a profile: profile({ ...full, features: [...full.features, ...keptFeatures] })',
    `export const keptFeatures = [${features.join(', ')}] as const\n`,
  ].join('\n')
}

/** The declaration of fields of records that every site has. */
export function metaFieldsText(fields: ReadonlyMap<string, ReadonlyMap<string, FieldKind>>): string {
  const kinds = [...fields].flatMap(([kind, own]) => [
    `  ${kind}: {`,
    ...[...own].map(([key, type]) => `    ${memberName(key)}: ${fieldBuilders[type]},`),
    '  },',
  ])
  return [
    "import { args, metaFields } from 'site-api'\n",
    '// In a profile: profile({ ...full, features: [...full.features, ownFields] })',
    'export const ownFields = metaFields({',
    ...kinds,
    '})\n',
  ].join('\n')
}

const variableOf = (taxonomy: string, named: ReadonlyMap<string, string>): string[] => {
  const variable = named.get(taxonomy)
  if (variable !== undefined) return [`${variable}.declaration`]
  const known = builtIn.get(taxonomy)
  return known === undefined ? [] : [known]
}

interface Naming {
  readonly variable: string
  readonly base: string
}

function taxonomyText({ name, isHierarchical, fields, uses }: ObservedTaxonomy, { variable, base }: Naming): string {
  return [
    uses.size > 0 ? `// Terms of records of: ${[...uses].join(', ')}.` : '',
    `export const ${variable} = taxonomy({`,
    ...members(name, base),
    isHierarchical ? '  isHierarchical: true,' : '',
    ...fieldLines(fields),
    '})\n',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function typeText(
  { name, supports, fields, isViewable }: ObservedType,
  naming: Naming & {
    readonly isHierarchical: boolean
    readonly taxonomies: readonly string[]
    readonly others: readonly string[]
  },
): string {
  const { variable, base, isHierarchical, taxonomies, others } = naming
  return [
    others.length > 0 ? `// Records have terms of these taxonomies of your profile too: ${others.join(', ')}.` : '',
    `export const ${variable} = contentType({`,
    ...members(name, base),
    `  supports: [${['title', ...supports, 'revisions'].map(quoted).join(', ')}],`,
    isHierarchical ? '  isHierarchical: true,' : '',
    taxonomies.length > 0 ? `  taxonomies: [${taxonomies.join(', ')}],` : '',
    isViewable ? '' : '  // Visitors had no pages of them.\n  isViewable: false,',
    ...fieldLines(fields),
    '})\n',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function members(name: string, base: string): string[] {
  const words = label(name)
  return [
    `  name: ${quoted(name)},`,
    `  labels: { singular: ${quoted(singular(words))}, plural: ${quoted(plural(words))} },`,
    `  restBase: ${quoted(base)},`,
  ]
}

function fieldLines(fields: ReadonlyMap<string, FieldKind>): string[] {
  if (fields.size === 0) return []
  const lines = [...fields].map(([key, kind]) => `    ${memberName(key)}: ${fieldBuilders[kind]},`)
  return ['  fields: {', ...lines, '  },']
}

/** As a literal: names come from the file. */
const quoted = (text: string): string => (/^[\w -]*$/.test(text) ? `'${text}'` : JSON.stringify(text))
const memberName = (key: string): string => (/^[A-Za-z]\w*$/.test(key) ? key : quoted(key))

/** Makes texts unique with a number. */
function createUnique(taken: ReadonlySet<string> = new Set()): (wanted: string) => string {
  const used = new Set(taken)
  return (wanted) => {
    let free = wanted
    for (let number = 2; used.has(free); number++) free = `${wanted}-${number}`.replace(/^(\w+)-(\d+)$/, '$1$2')
    used.add(free)
    return free
  }
}

const words = (name: string): string[] => name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Only letters of ASCII: an escaped name of another script is made of digits. */
function camel(name: string): string {
  const [first = '', ...rest] = words(name).map((word) => word.replace(/[^A-Za-z0-9]/g, ''))
  const joined = first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[a-z]/.test(joined) ? joined : `kept${joined}`
}

function slug(name: string): string {
  const ascii = words(name)
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .replace(/^-+|-+$/g, '')
  return /^[a-z]/.test(ascii) ? ascii : `kept-${ascii}`.replace(/-$/, '')
}

function label(name: string): string {
  const text = words(name).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** By the rules of most English nouns: whoever declares the type reads them. */
function plural(noun: string): string {
  if (/(?:[^s]s|ies)$/.test(noun)) return noun
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:ss|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

function singular(noun: string): string {
  if (/[^aeiou]ies$/.test(noun)) return `${noun.slice(0, -3)}y`
  return /[^s]s$/.test(noun) ? noun.slice(0, -1) : noun
}
