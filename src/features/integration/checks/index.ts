/** Checks records and releases before they are published, and writes patches that mend their findings. */
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import * as args from './args.ts'
import { linkStateOption } from './collections.ts'
import { gateHooks, judgePublishing } from './gate.ts'
import { createSiteCheck } from './management.ts'
import { type CheckReport, type Patch, publishingOf } from './model.ts'
import { appliedSchema, reportSchema, reportView } from './view.ts'

const path = `/checks/${parameter('record', '[\\w:]+')}` as const
const editors = can('edit_posts')

/** Texts, links and pictures of many kinds are looked at: the rules are loaded with the first check. */
const reportOn = async (context: Context, record: string): Promise<CheckReport> =>
  (await import('./late.ts')).reportOn(context, args.recordOf(record))

const checks = feature(
  'checks',
  'site-api/v1',
  [
    endpoint({
      path,
      methods: ['GET'],
      args: { record: args.record },
      summary: 'Check a record, or what a release would publish, before visitors see it',
      permission: editors,
      hidesRecords: true,
      responses: { 200: reportSchema },
      handler: async (context) => reportView(await reportOn(context, context.args.record)),
    }),
    endpoint({
      path: `${path}/apply`,
      methods: ['POST'],
      args: args.applyArgs,
      summary: 'Write the patch of a finding, by the route of the record; with Prefer: dry-run it is tried',
      permission: editors,
      hidesRecords: true,
      responses: { 200: appliedSchema },
      handler: async (context) => {
        const { record, finding, patch: given } = context.args
        // The cast: the route that writes the patch judges its values.
        const patch = (given as Patch | undefined) ?? (await patchOf(context, record, finding ?? ''))
        const { applyPatch } = await import('./late.ts')
        return {
          patch: { ...patch, says: patch.says ?? '' },
          answer: await applyPatch(context, patch, { isOwn: given === undefined }),
        }
      },
    }),
  ],
  {
    contributes: { gates: [{ hooks: gateHooks, judge: judgePublishing }] },
    background: {
      name: 'outside-links',
      run: async (context) =>
        publishingOf(context.app).linksEveryMs === undefined
          ? Number.POSITIVE_INFINITY
          : (await import('./late.ts')).checkLinks(context),
    },
    persisted: { options: [{ name: linkStateOption, isDerived: true }] },
    siteExtensions: { check: createSiteCheck },
    isHistorical: true,
  },
)

async function patchOf(context: Context, record: string, id: string): Promise<Patch> {
  const { findings } = await reportOn(context, record)
  const finding = findings.find((one) => one.id === id)
  if (!finding) throw new ApiError('check_no_finding', 'The record has no such finding, or no longer.', 404)
  if (!finding.patch) throw new ApiError('check_no_patch', 'No patch mends this finding: it needs a person.', 409)
  return finding.patch
}

/**
 * Checks of records before they are published: over HTTP below `site-api/v1/checks`, as `api.site.check`, and as the gate of the option
 * `publishing`.
 *
 * ```ts
 * import { checkFeatures, content, profile } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...checkFeatures] })
 * ```
 */
export const checkFeatures = [checks] as const
