/**
 * Routes of the builder's pickers: posts, terms and users by a part of their name or by id. Nothing is listed without a
 * term.
 */
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { defaultNames, excludedPostTypes, postArgs, termArgs, userArgs } from './args.ts'
import { type Parsed, parseMap, parseTexts } from './argument-formats.ts'
import { parseMetaQuery } from './meta-conditions.ts'
import { pickPosts, pickTerms, pickUsers } from './model.ts'
import { parseTaxQuery } from './term-conditions.ts'
import { type PickerRecord, pickerSchema, pickerView, postRecord, termRecord, userRecord } from './view.ts'

/** The parsed value of an argument that has passed its check. */
const parsedValue = <T>(parsed: Parsed<T>): T => {
  if ('problem' in parsed) throw new TypeError(parsed.problem)
  return parsed.value
}

export const pickers = feature('pickers', 'builder/v1', [
  endpoint({
    path: '/post',
    methods: ['GET'],
    args: postArgs,
    summary: 'Find posts by part of the title or by id',
    permission: can('edit_posts'),
    responses: { 200: pickerSchema },
    handler: async (context) => {
      const { args, app } = context
      const namesIn = (input: unknown) => parsedValue(parseTexts(input)).map((name) => app.names.toNeutral(name))
      const query = {
        ...queryOf(args),
        included: args.included_types === undefined ? undefined : namesIn(args.included_types),
        excluded: args.excluded_types === undefined ? excludedPostTypes : namesIn(args.excluded_types),
        onlyPublic: args.is_public,
        meta: parsedValue(parseMetaQuery(args.meta_query)),
        terms: parsedValue(parseTaxQuery(args.tax_query)),
      }
      const posts = query.term === '' ? [] : await pickPosts(context, query)
      return listView(posts.map(postRecord), args.keys_conversion_map ?? defaultNames.post)
    },
  }),
  endpoint({
    path: '/term',
    methods: ['GET'],
    args: termArgs,
    summary: 'Find terms by part of the name or by id',
    permission: can('edit_posts'),
    responses: { 200: pickerSchema },
    handler: async (context) => {
      const { args } = context
      const query = {
        ...queryOf(args),
        included: args.included_types === undefined ? undefined : parsedValue(parseTexts(args.included_types)),
        excluded: args.excluded_types === undefined ? [] : parsedValue(parseTexts(args.excluded_types)),
        onlyUsed: args.hide_empty,
        meta: parsedValue(parseMetaQuery(args.meta_query)),
      }
      const terms = query.term === '' ? [] : await pickTerms(context, query)
      return listView(terms.map(termRecord), args.keys_conversion_map ?? defaultNames.term)
    },
  }),
  endpoint({
    path: '/user',
    methods: ['GET'],
    args: userArgs,
    summary: 'Find users by part of the name or by id',
    permission: can('edit_posts'),
    responses: { 200: pickerSchema },
    handler: async (context) => {
      const query = queryOf(context.args)
      const users = query.term === '' ? [] : await pickUsers(context, query)
      return listView(users.map(userRecord), context.args.keys_conversion_map ?? defaultNames.user)
    },
  }),
])

const maxCount = 100

const queryOf = ({ term, items_count: count }: { readonly term: string; readonly items_count: number }) => ({
  term: term.trim(),
  count: Math.min(Math.max(count, 1), maxCount),
})

function listView(records: readonly PickerRecord[], namesByField: unknown) {
  const names = parsedValue(parseMap(namesByField))
  return { success: true, data: { value: records.map((record) => pickerView(record, names)) } }
}
