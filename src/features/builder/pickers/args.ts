/** Arguments of the picker routes. Lists, maps and conditions are parsed by argument-formats.ts. */
import { type Arg, type ArgCheck, bool, int, loose, type SchemaNode, str } from '../../../core/declare/args.ts'
import { type Parsed, parseMap, parseTexts } from './argument-formats.ts'
import { parseMetaQuery } from './meta-conditions.ts'
import { parseTaxQuery } from './term-conditions.ts'

const problemOf =
  (parse: (input: unknown) => Parsed<unknown>): ArgCheck =>
  (input: unknown) => {
    const parsed = parse(input)
    return 'problem' in parsed ? parsed.problem : undefined
  }

/** The index publishes the default; the handler receives the input as sent, or undefined. */
const parsedArg = (node: SchemaNode, parse: (input: unknown) => Parsed<unknown>): Arg<unknown, false> => ({
  ...loose({ node }, problemOf(parse)),
  publishedDefault: true,
})

export const excludedPostTypes = [
  'e-floating-buttons',
  'e-landing-page',
  'builder_library',
  'attachment',
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
]

const types = (description: string, fallback: readonly string[] | null) =>
  parsedArg({ type: 'array', default: fallback, description }, parseTexts)

const conversion = (node: SchemaNode) =>
  parsedArg({ description: 'The names of the members of the answer, by the names of the fields.', ...node }, parseMap)

const term = str({
  default: '',
  description: 'What to search for.',
  check: (text: string, { app }) => {
    const maxLength = app.limits.searchCharacters
    return text.length > maxLength
      ? { code: 'rest_too_long', message: `A search has at most ${maxLength} characters.` }
      : undefined
  },
})

const itemsCount = int({ default: 100, description: 'How many items to find, at most 100.' })

const metaQuery = parsedArg(
  { type: 'array', default: null, description: 'Conditions on the meta of the items.' },
  parseMetaQuery,
)

/** The default names of the response members, by field. */
export const defaultNames = {
  post: { ID: 'id', post_title: 'label', post_type: 'groupLabel' },
  term: { term_id: 'id', name: 'label', taxonomy: 'groupLabel' },
  user: { ID: 'id', display_name: 'label', role: 'groupLabel' },
} as const

export const postArgs = {
  included_types: types('Post types to search.', null),
  excluded_types: types('Post types to leave out.', excludedPostTypes),
  term,
  keys_conversion_map: conversion({ type: 'array', default: defaultNames.post }),
  items_count: itemsCount,
  is_public: bool({ default: true, description: 'Whether to search published posts only.' }),
  meta_query: metaQuery,
  tax_query: parsedArg(
    { type: 'array', default: null, description: 'Conditions on the terms of the posts.' },
    parseTaxQuery,
  ),
}

export const termArgs = {
  included_types: types('Taxonomies to search.', null),
  excluded_types: types('Taxonomies to leave out.', null),
  term,
  keys_conversion_map: conversion({ default: defaultNames.term }),
  items_count: itemsCount,
  hide_empty: bool({ default: false, description: 'Whether to leave out terms that no published post has.' }),
  meta_query: metaQuery,
}

export const userArgs = {
  term,
  keys_conversion_map: conversion({ type: ['array', 'string'], default: defaultNames.user }),
  items_count: itemsCount,
}
