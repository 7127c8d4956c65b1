/** Media are files with a record each, uploaded in the body, in a form or by their address. */
import type { Context } from '../../../core/declare/context.ts'
import { EDITABLE, endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import { feature } from '../../../core/declare/feature.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { result } from '../../../core/declare/result.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { keepsFiles } from '../../../services/media.ts'
import { mediaType } from '../content-types/model.ts'
import { mayList } from '../posts/content-type.ts'
import { mayReadAttached, type RecordType } from '../posts/model.ts'
import { deleteArgs, editArgs, idArg, listArgs, processArgs, readArgs, writeArgsWith } from './args.ts'
import { editPicture, makeMissingSizes } from './edit.ts'
import { listMedia } from './list.ts'
import { siteMedia } from './management.ts'
import {
  type FoundMedium,
  findMedium,
  type MovesTo,
  mayDelete,
  mayEditPicture,
  mayProcess,
  mayRead,
  mayUpdate,
  mayUpload,
  mediaRecords,
  mediaRecordsIn,
  mediumTag,
  withPosts,
} from './model.ts'
import { pictureParts } from './optimization/management.ts'
import { receiveUpload } from './receive.ts'
import { mediaSchemasOf } from './schema.ts'
import { createMedium, uploadOf } from './upload.ts'
import { mediaViews, type ViewContext, withoutLinks } from './view.ts'
import { removeMedium, updateMedium, type WriteContext } from './write.ts'

async function viewOf(context: Context<never, unknown>, medium: FoundMedium, viewContext: ViewContext) {
  const [view] = await mediaViews(context, [medium], viewContext)
  return view as { readonly [member: string]: unknown }
}

async function created(context: Context<never, unknown>, medium: FoundMedium, viewContext: ViewContext) {
  const { settings, app } = context
  const location = `${settings.apiRoot}${app.names.toPublic(mediaRecords.route)}/${medium.id}`
  const tag = tagText(await mediumTag({ ...context, resource: medium }))
  const view = await viewOf(context, medium, viewContext)
  return result(view, { status: 201, headers: { Location: location, ETag: tag } })
}

/** The picture from which a request makes sizes or another picture. */
const storedMedium = async (context: Parameters<typeof mediumTag>[0]) => ({
  ...(await mediumTag(context)),
  exists: true,
})

/** One endpoint depends on the posts that a file may be moved to. */
function createEndpoints(movesTo: MovesTo, { meta }: RecordType) {
  const schemas = mediaSchemasOf(meta)
  const { createArgs, writeArgs } = writeArgsWith(meta)
  return [
    endpoint({
      path: '/media',
      methods: ['GET'],
      cacheable: true,
      summary: 'List media',
      paged: true,
      args: listArgs,
      permission: mayList(mediaRecords) as never,
      responses: { 200: schemas.media },
      handler: listMedia,
    }),
    endpoint({
      path: '/media',
      methods: ['POST'],
      summary: 'Upload a file',
      isOffered: keepsFiles,
      args: createArgs,
      permission: mayUpload,
      responses: { 201: schemas.medium },
      receive: receiveUpload,
      // Storing bytes takes its time; the record is written in a separate transaction.
      atomic: false,
      handler: async (context) => {
        const create = context as never
        return created(create, await createMedium(create, uploadOf(create)), 'edit')
      },
    }),
    endpoint({
      path: `/media/${digits('id')}`,
      methods: ['GET'],
      cacheable: true,
      summary: 'Read a medium',
      args: readArgs,
      resource: findMedium,
      permission: mayRead,
      etag: mediumTag,
      responses: { 200: schemas.medium },
      handler: (context) => viewOf(context as never, context.resource, context.args.context),
    }),
    endpoint({
      path: `/media/${digits('id')}`,
      methods: EDITABLE,
      summary: 'Change a medium',
      args: { ...idArg, ...writeArgs },
      resource: findMedium,
      permission: mayUpdate(movesTo),
      etag: mediumTag,
      merges: { partial: ['meta'], keepsAbsent: true },
      responses: { 200: schemas.medium },
      handler: async (context) => {
        const medium = await updateMedium(context as unknown as WriteContext & { readonly resource: FoundMedium })
        const tag = tagText(await mediumTag({ ...context, resource: medium }))
        return result(await viewOf(context as never, medium, 'edit'), { headers: { ETag: tag } })
      },
    }),
    endpoint({
      path: `/media/${digits('id')}`,
      methods: ['DELETE'],
      summary: 'Remove a medium and its files',
      args: deleteArgs,
      resource: findMedium,
      permission: mayDelete,
      etag: mediumTag,
      responses: { 200: schemas.removed },
      handler: async (context) => {
        if (!context.args.force) {
          throw new ApiError('rest_trash_not_supported', 'Media have no trash: send force=true to remove it.', 501)
        }
        const previous = withoutLinks(await viewOf(context as never, context.resource, 'edit'))
        await removeMedium(context, context.resource)
        return { deleted: true as const, previous }
      },
    }),
    endpoint({
      path: `/media/${digits('id')}/post-process`,
      methods: ['POST'],
      summary: 'Make the missing sizes of a picture',
      isOffered: keepsFiles,
      args: processArgs,
      resource: findMedium,
      permission: mayProcess,
      stored: storedMedium,
      responses: { 200: schemas.medium },
      atomic: false,
      handler: async (context) => {
        await makeMissingSizes(context)
        return viewOf(context as never, await findMedium(context), 'edit')
      },
    }),
    endpoint({
      path: `/media/${digits('id')}/edit`,
      methods: ['POST'],
      summary: 'Make a new picture from one',
      isOffered: keepsFiles,
      args: editArgs,
      resource: findMedium,
      permission: mayEditPicture,
      stored: storedMedium,
      responses: { 201: schemas.medium },
      atomic: false,
      handler: async (context) => created(context as never, await editPicture(context as never), 'view'),
    }),
  ] as const
}

const lastNumber = (link: URL) => Number(link.pathname.slice(link.pathname.lastIndexOf('/') + 1))

/** Media behind links, such as the featured picture of a post: those that the caller may read. */
const embeddedMedia: Embedder = {
  path: /^\/cms\/v2\/media\/\d+$/,
  load: async (found, context) => {
    const rows = await context.storage.posts.read([...new Set(found.map(lastNumber))])
    const media = await withPosts(
      context.storage,
      rows.filter(({ type }) => type === mediaRecords.name),
    )
    const visible = media.filter((medium) => mayReadAttached(context, medium))
    const views = await mediaViews(context, visible, 'embed')
    const byId = new Map(visible.map(({ id }, index) => [id, views[index]]))
    return new Map(
      found.flatMap((link) => (byId.has(lastNumber(link)) ? [[link.href, byId.get(lastNumber(link))] as const] : [])),
    )
  },
}

const mediaFeature = (movesTo: MovesTo) =>
  feature('media', 'cms/v2', createEndpoints(movesTo, mediaRecords), {
    isHistorical: true,
    completed: (read) => createEndpoints(movesTo, mediaRecordsIn(read)),
    embedders: [embeddedMedia],
    contributes: { contentTypes: [mediaType] },
    ...pictureParts,
    siteExtensions: { media: siteMedia, ...pictureParts.siteExtensions },
  })

export const media = mediaFeature('edited posts')

/** Interface: who may edit a file attaches it to any post. Choice: to a post that the caller may read. */
export const mediaAsRecorded = mediaFeature('readable posts')
