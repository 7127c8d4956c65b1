/** The entity tag of a post: for conditional reads and for If-Match on writes. */

import type { MaybePromise } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { EntityTag } from '../../../core/declare/endpoint.ts'
import { sortedEntries, stateDigest } from '../../../core/pipeline/etag.ts'
import { createRowCache, noteReads } from '../../../core/pipeline/response/row-cache.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { type DrawnContent, drawnContents, isDrawn } from '../../shared/drawn-contents.ts'
import { digestOf, isBuilt, type RenderedDocument, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import type { FoundPost, RecordType } from './model.ts'
import {
  keepDrawnContent,
  keepRelatedRows,
  type RelatedRows,
  readRelatedRows,
  readRelatedRowsToChange,
} from './related-rows.ts'

type TagContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user'> & { readonly resource: FoundPost }

const maxCachedTags = 10_000
const cachedTags = createRowCache<EntityTag>(maxCachedTags, { showsSettings: true })

export function readTag(type: RecordType, context: TagContext): MaybePromise<EntityTag> {
  if (type.published.isHierarchical) return linkedTag(type, context)
  return cachedTags.get(context, context.resource, tagKey(type, context)) ?? computeReadTag(type, context)
}

const tagKey = ({ meta }: RecordType, { user, resource }: TagContext) => `${resource.id}:${meta.hiddenFrom(user)}`

async function computeReadTag(type: RecordType, context: TagContext): Promise<EntityTag> {
  const noted = noteReads(context)
  const { tag, isRowOnly } = await fullTag(type, context)
  noted?.end()
  if (isRowOnly) cachedTags.set(context, context.resource, tagKey(type, context), tag, { size: 1, noted })
  return tag
}

/** The response to a read of a page depends on the slugs of the pages above, too. */
async function linkedTag(type: RecordType, context: TagContext): Promise<EntityTag> {
  const [{ tag }, [address = '']] = await Promise.all([
    fullTag(type, context),
    addressesOf([context.resource], context),
  ])
  return { state: tag.state, view: `${tag.view}x${sha256Of(address).slice(0, 10)}` }
}

/** `isRowOnly`: it depends on nothing but the row; a built post, or one whose blocks are drawn, also shows other rows. */
async function fullTag(type: RecordType, context: TagContext) {
  const { storage, resource } = context
  const [found] = await readRelatedRows(type, storage, [resource])
  // The cast: one for each post.
  const related = found as RelatedRows
  keepRelatedRows(resource, related)
  const built = await renderedDocumentOf(context, resource, related.meta)
  const drawn = built ? undefined : await drawnContentOf(context, resource, related)
  if (drawn) keepDrawnContent(resource, drawn)
  const isRowOnly = !isBuilt(related.meta) && !isDrawn(context, resource)
  return { tag: tagOf(type, context, { post: resource, related }, built ?? drawn), isRowOnly }
}

/** The content of a post whose blocks show other rows. */
export async function drawnContentOf(
  context: Omit<TagContext, 'resource'>,
  row: FoundPost,
  { meta }: RelatedRows,
): Promise<DrawnContent | undefined> {
  const [drawn] = await drawnContents(context, [{ row, footnotes: meta['footnotes'] }])
  return drawn
}

/** Computes the tag for writes, which must compare with the stored state, and compare it alone. */
export async function writeTag(type: RecordType, context: TagContext): Promise<EntityTag> {
  const { storage, resource } = context
  const related = await readRelatedRowsToChange(type, storage, resource)
  return tagOf(type, context, { post: resource, related }, undefined)
}

/**
 * The state covers what a write could overwrite. Revisions only change the view: if they counted, the autosave of one
 * editor would fail the save of another.
 */
export function tagOf(
  type: RecordType,
  { settings, user }: Pick<Context, 'settings' | 'user'>,
  { post, related: { terms, meta, revisions } }: { readonly post: FoundPost; readonly related: RelatedRows },
  texts: RenderedDocument | DrawnContent | undefined,
): EntityTag {
  const { version: _version, trashedFrom: _from, ...row } = post
  const state = stateDigest([
    sortedEntries(row),
    terms.map(({ id }) => id),
    sortedEntries(type.meta.withoutHidden(meta, user)),
  ])
  const history = `${revisions.count.toString(36)}x${revisions.latest.toString(36)}`
  return { state, view: `${history}x${settings.tag}${digestOf(texts)}` }
}
