/** Writes a patch by the route of its record: the rules of posts, media and remediations are those of any write. */
import type { Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { PendingEvent } from '../../../core/declare/events.ts'
import { inProcessIncoming } from '../../../core/request/incoming.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import {
  type BuilderElement,
  elementsKey,
  isObject,
  mapElements,
  parseElements,
  settingsOf,
} from '../../shared/elements.ts'
import { mending, type Patch } from './model.ts'
import { idOfPost, mayEdit, noSuchRecord } from './run.ts'

interface WriteRequest {
  readonly path: string
  readonly body: { readonly [member: string]: unknown }
}

/** `isOwn`: the patch is one of a finding, which mends; else it is of the caller, and no more than any write. */
export async function applyPatch(context: Context, patch: Patch, { isOwn = false } = {}): Promise<unknown> {
  const { path, body } = await requestOf(context, patch)
  const { names } = context.app
  const incoming = inProcessIncoming('batch', 'POST', names.toPublic(path), '', body)
  if (isOwn) mending.add(incoming)
  const events: PendingEvent[] = []
  const { storage, subrequests } = context
  const response = await subrequests.run(incoming, { storage, insideTransaction: true, events })
  // The cast: the routes answer JSON.
  const answer: unknown = JSON.parse(String(response.body ?? 'null'))
  if (response.status >= 400) throw refusalIn(answer, response.status)
  await subrequests.runFinalHooks(context, events)
  subrequests.addEvents(events)
  return answer
}

function refusalIn(answer: unknown, status: number): ApiError {
  const { code = '', message = '', data = {} } = isObject(answer) ? answer : {}
  const { status: _status, ...rest } = isObject(data) ? data : {}
  return new ApiError(String(code), String(message), status, rest)
}

async function requestOf(context: Context, patch: Patch): Promise<WriteRequest> {
  if (patch.remediation) return { path: '/a11y/v1/remediation/item', body: patch.remediation }
  const [post] = await context.storage.posts.read([idOfPost(patch.record) ?? 0])
  if (!post || !mayEdit(context.user, post, context.app)) throw noSuchRecord()
  const type = publicTypesOf(context.app).find(({ name }) => name === post.type)
  const members = { ...patch.members, ...contentOf(post, patch, context.app.limits.bodyBytes) }
  const elements = patch.settings && (await elementsWith(context.storage, post, patch.settings))
  if (!type) return { path: `/site-api/v1/documents/${post.id}`, body: { ...members, ...(elements && { elements }) } }
  const meta = elements && { meta: { [context.app.names.toPublic(elementsKey)]: JSON.stringify(elements) } }
  return { path: `/cms/v2/${type.published.restBase}/${post.id}`, body: { ...members, ...meta } }
}

/** Somebody has changed the part that the finding names. */
const noSuchPlace = () =>
  new ApiError('check_patch_outdated', 'The record has changed since: check it again for a new patch.', 409)

/** `most` bounds the text, since replacements may multiply each other. */
function contentOf({ content: stored }: Post, { content }: Patch, most: number): { readonly content?: string } {
  if (!content) return {}
  let changed = stored
  for (const { from, to } of content) {
    const parts = from === '' ? [] : changed.split(from)
    if (parts.length < 2) throw noSuchPlace()
    if (changed.length + (parts.length - 1) * (to.length - from.length) > most) {
      throw new ApiError('check_patch_too_large', `The content with this patch has more than ${most} characters.`, 413)
    }
    changed = parts.join(to)
  }
  return { content: changed }
}

async function elementsWith(
  storage: Storage,
  { id }: Post,
  settings: NonNullable<Patch['settings']>,
): Promise<readonly BuilderElement[]> {
  const [entry] = await storage.meta.read('post', [id], [elementsKey])
  const changed = new Set<string>()
  const elements = mapElements(parseElements(entry?.value), (element) => {
    const own = String(element['id'])
    const changes = Object.hasOwn(settings, own) ? settings[own] : undefined
    if (!changes) return element
    changed.add(own)
    const after = Object.entries({ ...settingsOf(element), ...changes }).filter(([, value]) => value !== null)
    return { ...element, settings: Object.fromEntries(after) }
  })
  if (Object.keys(settings).some((one) => !changed.has(one))) throw noSuchPlace()
  return elements
}
