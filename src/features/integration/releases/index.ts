/** Releases: named sets of changes that are written, read, reviewed, published and undone as one. */
import type { Storage, Where } from '../../../contract/storage.ts'
import { list } from '../../../core/declare/args.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { digits, parameter } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { noBody } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import type { NamedRelease, ReleaseAccess } from '../../../core/pipeline/releases/release-access.ts'
import { dueTimes } from '../../../core/pipeline/scheduled-tasks.ts'
import { findingView } from '../checks/view.ts'
import { historyOf } from '../history/model.ts'
import * as args from './args.ts'
import { releases } from './collections.ts'
import { createSiteReleases } from './management.ts'
import {
  changesOf,
  createRelease,
  dropChange,
  findRelease,
  idOfName,
  markChanged,
  readChanges,
  releaseCapability,
  releaseOf,
  removeRelease,
  requireOpen,
  requireReleases,
} from './model.ts'
import type { Decisions } from './plan.ts'
import { addPreview, endPreview, isToken, openToken, previewsOf } from './previews.ts'
import { type PublishedRelease, publishRelease, undoRelease } from './publish.ts'
import { listChanges } from './read.ts'
import { changeRelease, publishDue } from './review.ts'
import { siteWith } from './site-with.ts'
import { writeToRelease } from './write.ts'

const editors = can(releaseCapability)
const path = `/releases/${digits('id')}` as const

const resource = ({ args: { id }, storage }: { readonly args: { readonly id: number }; readonly storage: Storage }) =>
  findRelease(storage, id)

const access: ReleaseAccess = {
  kindOf: (name, app) => {
    if (name === 'releases') return 'none'
    if (name === 'batch') return 'batch'
    return historyOf(app).isHistorical(name) ? 'rows' : 'live'
  },
  read: async (named) => (await readRelease(named)).shown,
  write: writeToRelease,
}

async function readRelease({ name, user, app, storage }: NamedRelease) {
  const id = isToken(name) ? await openToken(storage, name, app.clock()) : idOfName(name)
  if (!isToken(name)) requireReleases(user)
  await findRelease(storage, id)
  return siteWith(app, storage, changesOf(await readChanges(storage, id)))
}

const releasesFeature = feature(
  'releases',
  'site-api/v1',
  [
    endpoint({
      path: '/releases',
      methods: ['GET'],
      args: args.listArgs,
      summary: 'List the releases, the newest first',
      permission: editors,
      paged: true,
      responses: { 200: list(args.releaseSchema) },
      handler: async (context) => {
        const { page, per_page: perPage, state } = context.args
        const where: Where | undefined = state === undefined ? undefined : { field: 'state', is: state }
        const { rows, total } = await context.storage.records.query(releases, {
          ...(where && { where }),
          order: [{ by: 'id', descending: true }],
          ...{ offset: (page - 1) * perPage, limit: perPage, total: true },
        })
        return pageOf(context, { rows: rows.map((row) => args.releaseView(releaseOf(row))), total, page, perPage })
      },
    }),
    endpoint({
      path: '/releases',
      methods: ['POST'],
      args: args.createArgs,
      summary: 'Make a release: a named set of changes that are published together',
      permission: editors,
      responses: { 201: args.releaseSchema },
      handler: async ({ args: { name, note = '' }, storage, user, app }) => {
        const made = await createRelease(storage, { name, note, user: user.id, now: app.clock() })
        return result(args.releaseView(made), { status: 201 })
      },
    }),
    endpoint({
      path,
      methods: ['GET'],
      args: args.oneArgs,
      summary: 'Read a release',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 200: args.releaseSchema },
      handler: ({ resource: release }) => args.releaseView(releaseOf(release)),
    }),
    endpoint({
      path,
      methods: EDITABLE,
      args: args.changeArgs,
      summary: 'Rename a release, review it, or set the time at which it is published',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 200: args.releaseSchema },
      handler: async ({
        args: { name, note, state, publish_at: publishAt },
        resource: release,
        storage,
        app,
        user,
      }) => {
        return args.releaseView(await changeRelease({ storage, app, user }, release, { name, note, state, publishAt }))
      },
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      args: args.oneArgs,
      summary: 'Remove a release with its changes; of one that is published the site keeps them',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 204: noBody() },
      handler: async ({ args: { id }, storage }) => {
        await removeRelease(storage, id)
        return result(undefined, { status: 204 })
      },
    }),
    endpoint({
      path: `${path}/changes`,
      methods: ['GET'],
      args: args.changesArgs,
      summary: 'List what a release changes: by member, element and word, with the conflicts',
      permission: editors,
      hidesRecords: true,
      paged: true,
      resource,
      responses: { 200: args.changesSchema },
      handler: async (context) => {
        const { id, page, per_page: perPage } = context.args
        const { rows, total } = await listChanges(context, id, { offset: (page - 1) * perPage, limit: perPage })
        return pageOf(context, { rows: rows.map(args.changeView), total, page, perPage })
      },
    }),
    endpoint({
      path: `${path}/changes`,
      methods: ['DELETE'],
      args: args.dropArgs,
      summary: 'Take a record out of a release',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 204: noBody() },
      handler: async ({ args: { id, record }, resource: release, storage, app }) => {
        requireOpen(release)
        await dropChange(storage, id, record)
        await markChanged(storage, id, app.clock())
        return result(undefined, { status: 204 })
      },
    }),
    endpoint({
      path: `${path}/previews`,
      methods: ['GET'],
      args: args.oneArgs,
      summary: 'List the previews of a release',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 200: args.previewsSchema },
      handler: ({ resource: release, app }) => previewsOf(release, app.clock()),
    }),
    endpoint({
      path: `${path}/previews`,
      methods: ['POST'],
      args: args.previewArgs,
      summary: 'Make a link that shows the site with a release to whoever has it',
      permission: editors,
      hidesRecords: true,
      showsSecret: true,
      resource,
      responses: { 201: args.newPreviewSchema },
      handler: async ({ args: { days }, resource: release, storage, app, user, settings }) => {
        const made = await addPreview(storage, release, { now: app.clock(), days, user: user.id, home: settings.home })
        return result(made, { status: 201 })
      },
    }),
    endpoint({
      path: `${path}/previews/${parameter('preview', '[\\w-]+')}`,
      methods: ['DELETE'],
      args: args.endPreviewArgs,
      summary: 'End a preview: its link shows nothing any more',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 204: noBody() },
      handler: async ({ args: { preview }, resource: release, storage }) => {
        await endPreview(storage, release, preview)
        return result(undefined, { status: 204 })
      },
    }),
    endpoint({
      path: `${path}/publish`,
      methods: ['POST'],
      args: args.decideArgs,
      summary: 'Publish all changes of a release, or none: conflicts are named, and decided in the call',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 200: args.publishedSchema },
      handler: async (context) => publishedView(await publishRelease(context, context.args.id, decided(context.args))),
    }),
    endpoint({
      path: `${path}/undo`,
      methods: ['POST'],
      args: args.decideArgs,
      summary: 'Take back all changes of a published release; what was edited since is named, and decided in the call',
      permission: editors,
      hidesRecords: true,
      resource,
      responses: { 200: args.publishedSchema },
      handler: async (context) => publishedView(await undoRelease(context, context.args.id, decided(context.args))),
    }),
  ],
  {
    persisted: { options: [dueTimes] },
    scheduledTask: publishDue,
    siteExtensions: { releases: createSiteReleases },
    contributes: { releases: [access] },
    problems: (others) =>
      others.some(({ name }) => name === 'history') ? [] : ['releaseFeatures need historyFeatures: take both.'],
  },
)

/** The cast: the argument takes these words only. */
const decided = ({ decide = {} }: { readonly decide?: object | undefined }): Decisions => decide as Decisions

const publishedView = ({ release, records, findings }: PublishedRelease) => ({
  ...{ release: args.releaseView(release), records },
  ...(findings.length > 0 && { findings: findings.map(findingView) }),
})

/**
 * Releases: changes of any records that are written apart, read as the site would be with them, and published and undone as one: over HTTP
 * below `site-api/v1/releases`, and as `api.site.releases`. They build on the history.
 *
 * ```ts
 * import { content, historyFeatures, profile, releaseFeatures } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...historyFeatures, ...releaseFeatures] })
 * ```
 */
export const releaseFeatures = [releasesFeature] as const
