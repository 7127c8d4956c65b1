/** Says what uses what: documents, templates, components, classes, variables, colors, media, terms, menus, shortcodes. */
import { int, list, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { can } from '../../../core/declare/permissions.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'
import { referenceCheck } from './checks.ts'
import { createSiteUsage } from './management.ts'
import { usageStateOption } from './model.ts'
import { brokenReferences, orphanKinds, orphansOf, reachedBy, recordNamed, usageOf } from './read.ts'
import { ensureGraph } from './rebuild.ts'
import { observeUsage } from './record.ts'
import { usageTests } from './site-tests.ts'

export type { SiteUsage } from './management.ts'
export type { BrokenReference, RecordUse, Usage } from './read.ts'

const record = required(
  str({
    description:
      'A record: post:12, page:12, media:12, template:12, term:3, user:1, class:g-1, variable:v-1, color:primary.',
    check: (value: string) => (recordNamed(value) === undefined ? 'It names no record.' : undefined),
    example: 'media:12',
  }),
)
const limit = int({ minimum: 1, maximum: 1000, default: 100, description: 'The most entries.' })

const useSchema = fields(
  {
    record: str({ description: 'Its kind and its ID.' }),
    parts: list(str(), { description: 'Where the name is: row, terms:category, meta:_builder_data, value.' }),
    type: sometimes(str({ description: 'The type of a post.' })),
    title: sometimes(str({ description: 'The title of a post.' })),
    status: sometimes(str({ description: 'The status of a post.' })),
  },
  { title: 'Record in use' },
)
const uses = (description: string) => list(useSchema, { description })

/** Titles of drafts and private posts of all authors are shown. */
const permission = can('edit_others_posts')

const complete = ({ storage, app }: Context) => ensureGraph(storage, app.references)
const neutral = (text: string) => recordNamed(text) ?? text

/**
 * The routes below `site-api/v1/usage`, and `api.site.usage`. `full` has it.
 *
 * ```ts
 * import { content, profile, usage } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, usage] })
 * ```
 */
export const usage = feature(
  'usage',
  'site-api/v1',
  [
    endpoint({
      path: '/usage',
      methods: ['GET'],
      args: { record },
      summary: 'Show what a record uses, and who uses it',
      permission,
      responses: {
        200: fields(
          {
            record: str({ description: 'The record: media, pages and templates are posts.' }),
            uses: uses('The records that it names.'),
            used_by: uses('The records that name it.'),
            reached: uses('The records that show it, also through others: a change of it reaches them.'),
          },
          { title: 'Usage' },
        ),
      },
      handler: async (context) => {
        await complete(context)
        const name = neutral(context.args.record)
        const found = await usageOf(context.storage, name)
        const reached = await reachedBy(context.storage, [name])
        return { record: found.record, uses: found.uses, used_by: found.usedBy, reached }
      },
    }),
    endpoint({
      path: '/usage/orphans',
      methods: ['GET'],
      args: { kind: required(oneOf(orphanKinds, { description: 'The kind of records.' })), limit },
      summary: 'List records that nothing names',
      permission,
      responses: { 200: uses('Oldest first.') },
      handler: async (context) => {
        await complete(context)
        return orphansOf(context.storage, context.args.kind, context.args.limit)
      },
    }),
    endpoint({
      path: '/usage/broken',
      methods: ['GET'],
      args: { limit },
      summary: 'List references to records that are not there',
      permission,
      responses: {
        200: list(
          fields(
            {
              source: str({ description: 'The record that names it.' }),
              part: str({ description: 'Where the name is.' }),
              target: str({ description: 'The record that is not there.' }),
            },
            { title: 'Broken reference' },
          ),
          { description: 'Oldest first.' },
        ),
      },
      handler: async (context) => {
        await complete(context)
        return brokenReferences(context.storage, context.args.limit)
      },
    }),
  ],
  {
    observer: observeUsage,
    contributes: { siteTests: usageTests, checks: [referenceCheck] },
    persisted: { options: [{ name: usageStateOption, isDerived: true }] },
    siteExtensions: { usage: createSiteUsage },
  },
)
