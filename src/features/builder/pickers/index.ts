/** The pickers of the page builder: posts, terms and users by a part of their name. There is no list of everything. */
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { excludedPostTypes, postArgs, termArgs, userArgs, usualNames } from './args.ts'
import { type Read, readMap, readTexts } from './argument-formats.ts'
import { readMetaQuery } from './meta-conditions.ts'
import { pickPosts, pickTerms, pickUsers } from './model.ts'
import { readTaxQuery } from './term-conditions.ts'
import { type PickerRecord, picked, pickedForm, postRecord, termRecord, userRecord } from './view.ts'

/** The arguments were checked: each of these forms can be read. */
const taken = <T>(made: Read<T>): T => {
  if ('problem' in made) throw new TypeError(made.problem)
  return made.value
}

export const pickers = feature('pickers', 'builder/v1', [
  endpoint({
    path: '/post',
    methods: ['GET'],
    args: postArgs,
    summary: 'Find posts by a part of their title, or by id',
    permission: can('edit_posts'),
    responses: { 200: pickedForm },
    handler: (context) => {
      const { args, app } = context
      const typesIn = (sent: unknown) => taken(readTexts(sent)).map((name) => app.names.toNeutral(name))
      const asked = {
        ...wanted(args),
        included: args.included_types === undefined ? undefined : typesIn(args.included_types),
        excluded: args.excluded_types === undefined ? excludedPostTypes : typesIn(args.excluded_types),
        onlyPublic: args.is_public,
        meta: taken(readMetaQuery(args.meta_query)),
        terms: taken(readTaxQuery(args.tax_query)),
      }
      return answer(context, 'post', asked.term, () =>
        andThen(pickPosts(context, asked), (rows) => rows.map(postRecord)),
      )
    },
  }),
  endpoint({
    path: '/term',
    methods: ['GET'],
    args: termArgs,
    summary: 'Find terms by a part of their name, or by id',
    permission: can('edit_posts'),
    responses: { 200: pickedForm },
    handler: (context) => {
      const { args } = context
      const asked = {
        ...wanted(args),
        included: args.included_types === undefined ? undefined : taken(readTexts(args.included_types)),
        excluded: args.excluded_types === undefined ? [] : taken(readTexts(args.excluded_types)),
        onlyUsed: args.hide_empty,
        meta: taken(readMetaQuery(args.meta_query)),
      }
      return answer(context, 'term', asked.term, () =>
        andThen(pickTerms(context, asked), (rows) => rows.map(termRecord)),
      )
    },
  }),
  endpoint({
    path: '/user',
    methods: ['GET'],
    args: userArgs,
    summary: 'Find users by a part of their name, or by id',
    permission: can('edit_posts'),
    responses: { 200: pickedForm },
    handler: (context) => {
      const asked = wanted(context.args)
      return answer(context, 'user', asked.term, () =>
        andThen(pickUsers(context, asked), (rows) => rows.map(userRecord)),
      )
    },
  }),
])

const mostItems = 100

const wanted = ({ term, items_count: count }: { readonly term: string; readonly items_count: number }) => ({
  term: term.trim(),
  count: Math.min(Math.max(count, 1), mostItems),
})

/** Nothing is looked for when nothing is asked. */
function answer(
  { args }: Context<{ readonly keys_conversion_map?: unknown }>,
  kind: keyof typeof usualNames,
  term: string,
  find: () => MaybePromise<PickerRecord[]>,
): MaybePromise<unknown> {
  const names = readMap(args.keys_conversion_map ?? usualNames[kind])
  const found = term === '' ? [] : find()
  return andThen(found, (records) => ({
    success: true,
    data: { value: records.map((record) => picked(record, taken(names))) },
  }))
}
