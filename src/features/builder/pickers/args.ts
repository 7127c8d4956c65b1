/** Arguments of the pickers. Lists, maps and conditions come in several forms, so forms.ts reads them. */
import { type Arg, type ArgCheck, bool, int, loose, type SchemaNode, str } from '../../../core/declare/args.ts'
import { type Read, readMap, readTexts } from './argument-formats.ts'
import { readMetaQuery } from './meta-conditions.ts'
import { readTaxQuery } from './term-conditions.ts'

const problemOf =
  (read: (sent: unknown) => Read<unknown>): ArgCheck =>
  (sent: unknown) => {
    const made = read(sent)
    return 'problem' in made ? made.problem : undefined
  }

/** The index shows the default; the handler is given what was sent, or nothing. */
const form = (node: SchemaNode, read: (sent: unknown) => Read<unknown>): Arg<unknown, false> => ({
  ...loose({ node }, problemOf(read)),
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

const types = (what: string, fallback: readonly string[] | null) =>
  form({ type: 'array', default: fallback, description: what }, readTexts)

const conversion = (node: SchemaNode) =>
  form({ description: 'The names of the members of the answer, by the names of the fields.', ...node }, readMap)

const term = str({
  default: '',
  description: 'What to search for.',
  check: (text: string, { app }) => {
    const most = app.limits.searchCharacters
    return text.length > most
      ? { code: 'rest_too_long', message: `A search has at most ${most} characters.` }
      : undefined
  },
})

const itemsCount = int({ default: 100, description: 'Number of items to return, at most 100.' })

const metaQuery = form(
  { type: 'array', default: null, description: 'Conditions on the meta of the items.' },
  readMetaQuery,
)

/** Under which names fields are answered when the caller names none. */
export const usualNames = {
  post: { ID: 'id', post_title: 'label', post_type: 'groupLabel' },
  term: { term_id: 'id', name: 'label', taxonomy: 'groupLabel' },
  user: { ID: 'id', display_name: 'label', role: 'groupLabel' },
} as const

export const postArgs = {
  included_types: types('Post types to search.', null),
  excluded_types: types('Post types to leave out.', excludedPostTypes),
  term,
  keys_conversion_map: conversion({ type: 'array', default: usualNames.post }),
  items_count: itemsCount,
  is_public: bool({ default: true, description: 'Whether to search published posts only.' }),
  meta_query: metaQuery,
  tax_query: form({ type: 'array', default: null, description: 'Conditions on the terms of the posts.' }, readTaxQuery),
}

export const termArgs = {
  included_types: types('Taxonomies to search.', null),
  excluded_types: types('Taxonomies to leave out.', null),
  term,
  keys_conversion_map: conversion({ default: usualNames.term }),
  items_count: itemsCount,
  hide_empty: bool({ default: false, description: 'Whether to leave out terms that no published post has.' }),
  meta_query: metaQuery,
}

export const userArgs = {
  term,
  keys_conversion_map: conversion({ type: ['array', 'string'], default: usualNames.user }),
  items_count: itemsCount,
}
