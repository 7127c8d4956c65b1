/** The entity tag of a post: for conditional reads and for If-Match on writes. */
import type { Context } from '../../../core/declare/context.ts'
import type { EntityTag } from '../../../core/declare/endpoint.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { addressesOf } from '../../../site/permalink.ts'
import type { Settings } from '../../../site/settings.ts'
import { type Extras, readExtras } from './extras.ts'
import type { FoundPost, RecordType } from './model.ts'
import { createRowCache } from './row-cache.ts'

type TagContext = Pick<Context, 'storage' | 'app' | 'settings'> & { readonly resource: FoundPost }

const maxCachedTags = 10_000
const cachedTags = createRowCache<EntityTag>(maxCachedTags)

/** For reads; a cached tag is returned without a promise. */
export function readTag(type: RecordType, context: TagContext): MaybePromise<EntityTag> {
  if (type.published.isHierarchical) return linkedTag(type, context)
  return cachedTags.get(context, context.resource, String(context.resource.id)) ?? computeReadTag(type, context)
}

async function computeReadTag(type: RecordType, context: TagContext): Promise<EntityTag> {
  const tag = await writeTag(type, context)
  cachedTags.set(context, context.resource, String(context.resource.id), tag, 1)
  return tag
}

/** The response to a read of a page depends on the slugs of the pages above, too. */
async function linkedTag(type: RecordType, context: TagContext): Promise<EntityTag> {
  const [tag, [address = '']] = await Promise.all([writeTag(type, context), addressesOf([context.resource], context)])
  return { state: tag.state, view: `${tag.view}x${sha256Of(address).slice(0, 10)}` }
}

/** For writes, which must compare with what is stored now. */
export async function writeTag(type: RecordType, { storage, settings, resource }: TagContext): Promise<EntityTag> {
  const [extras] = await readExtras(type, storage, [resource])
  return tagOf(resource, extras as Extras, settings)
}

/**
 * The state covers what a write could overwrite. Revisions only change the view: if they counted, the autosave of one
 * editor would fail the save of another.
 */
export function tagOf(post: FoundPost, { terms, meta, revisions }: Extras, settings: Settings): EntityTag {
  const { version: _version, trashedFrom: _from, ...row } = post
  const members = [sortedEntries(row), terms.map(({ id }) => id), sortedEntries(meta)]
  const state = sha256Of(JSON.stringify(members)).slice(0, 20)
  return { state, view: `${revisions.count.toString(36)}x${revisions.latest.toString(36)}x${settings.tag}` }
}

/** Storages may return the members of a row in any order. */
const sortedEntries = (value: object) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
