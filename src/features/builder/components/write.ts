/** Creates, publishes, archives and renames components. */

import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { requireUnlocked } from '../../shared/access/edit-locks.ts'
import { type BuilderElement, editModeKey, elementsKey, mapElements, templateTypeKey } from '../../shared/elements.ts'
import { warnOfUnknownTypes } from '../../shared/rendered-documents.ts'
import {
  archivedKey,
  type Component,
  componentType,
  draftKeys,
  findComponents,
  modifiedNow,
  newComponent,
  newestByComponent,
  openDrafts,
  propsKey,
  readAutosaves,
  readDrafts,
  readMeta,
  referenceOf,
  uidKey,
  withReference,
} from './records.ts'
import { type ComponentInput, cleanTitle, type NewComponent, validateComponents } from './validation.ts'

interface ComponentEvent {
  readonly id: number
}

/** Events of components. */
export interface ComponentsEvents {
  'component.created': ComponentEvent & { readonly uid: string; readonly status: string }
  'component.published': ComponentEvent
  'component.archived': ComponentEvent
  'component.renamed': ComponentEvent & { readonly title: string }
  /** A change was stored in a draft. */
  'component.drafted': ComponentEvent
}

type WriteStatus = 'publish' | 'draft' | 'autosave'
type WriteContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit' | 'warnings'>
type MetaEntry = { readonly id: number; readonly key: string; readonly value: Json }

/** The ids that succeeded and those that failed, in the order of the request. */
export interface Outcome {
  readonly done: readonly number[]
  readonly failed: readonly number[]
}

// ---------------------------------------------------------------- creation

/**
 * Counts creations. A creation validates first and then advances the counter by compare-and-swap. If another creation
 * has advanced it, validation runs again and sees the other components.
 */
export const creationsOption = 'builder_component_turn'
const maxRetries = 100

async function validateAlone(storage: Storage, items: readonly ComponentInput[]): Promise<NewComponent[]> {
  for (let retries = 0; retries <= maxRetries; retries++) {
    const { [creationsOption]: count = null } = await storage.options.read([creationsOption])
    const components = await validateComponents(storage, items)
    if (await storage.options.swap(creationsOption, count, Number(count ?? 0) + 1)) return components
  }
  throw new ApiError('rest_conflict', 'Too many others create components. Please try again.', 409)
}

/** Returns the new ids by uid. Throws 422 for invalid components; then it creates none. */
export async function createComponents(
  context: WriteContext,
  items: readonly ComponentInput[],
  status: WriteStatus,
): Promise<[uid: string, id: number][]> {
  const { storage, emit } = context
  const storedStatus = status === 'publish' ? 'publish' : 'draft'
  const components = await validateAlone(storage, items)
  const elements = components.flatMap((component) => component.elements)
  await warnOfUnknownTypes(context, elements, 'items')
  const ids = await storage.posts.insert(components.map(({ title }) => newComponent(context, title, storedStatus)))
  const created = components.map(({ uid }, index): [string, number] => [uid, ids[index] ?? 0])
  const idsByUid = new Map(created)
  await storage.meta.write(
    'post',
    components.flatMap((component) => metaOf(component, idsByUid)),
  )
  for (const [uid, id] of created) {
    emit('component.created', { id, uid, status: storedStatus })
    if (storedStatus === 'publish') emit('component.published', { id })
  }
  return created
}

function metaOf({ uid, elements, overridableProps }: NewComponent, ids: ReadonlyMap<string, number>): MetaEntry[] {
  const id = ids.get(uid) ?? 0
  const values: { readonly [key: string]: Json } = {
    [uidKey]: uid,
    [editModeKey]: 'builder',
    [templateTypeKey]: componentType,
    [elementsKey]: JSON.stringify(withIds(elements, ids)),
    // The cast: TypeScript does not assign an interface to an index signature.
    ...(overridableProps ? { [propsKey]: overridableProps as unknown as Json } : {}),
  }
  return Object.entries(values).map(([key, value]) => ({ id, key, value }))
}

/** Choice: instances of components of the same request are stored with the new ids instead of the uids. */
function withIds(elements: readonly BuilderElement[], ids: ReadonlyMap<string, number>): BuilderElement[] {
  return mapElements(elements, (element) => {
    const id = ids.get(String(referenceOf(element) ?? ''))
    return id === undefined ? element : withReference(element, id)
  })
}

// ---------------------------------------------------------------- publishing

/** The newest draft of each component becomes the component. All autosaves of the components are removed. */
export async function publishComponents(context: WriteContext, ids: readonly number[]): Promise<Outcome> {
  const { storage, emit } = context
  await requireUnlocked(context, ids)
  const components = await findComponents(storage, ids)
  const [allDrafts, autosaves] = await Promise.all([
    readDrafts(storage, components),
    readAutosaves(storage, components),
  ])
  const drafts = newestByComponent(allDrafts)
  const meta = await readMeta(storage, [...drafts.values()], draftKeys)
  const updates = components.map(({ post }) => {
    const draft = drafts.get(post.id)
    return {
      id: post.id,
      changes: { status: 'publish', ...modifiedNow(context), ...(draft ? { title: draft.title } : {}) },
    }
  })
  const entries = [...drafts].flatMap(([id, draft]) =>
    draftKeys.map((key): MetaEntry => ({ id, key, value: meta.get(draft.id)?.get(key) ?? null })),
  )
  await Promise.all([
    storage.posts.update(updates),
    storage.meta.write('post', entries),
    storage.posts.remove(autosaves.map(({ id }) => id)),
  ])
  for (const { post } of components) emit('component.published', { id: post.id })
  return outcome(ids, components)
}

// ---------------------------------------------------------------- archiving and renaming

/** Archiving is permanent. Archiving an archived component changes nothing. */
export async function archiveComponents(
  context: WriteContext,
  ids: readonly number[],
  status: WriteStatus,
): Promise<Outcome> {
  const { storage, app, emit } = context
  await requireUnlocked(context, ids)
  const components = await findComponents(storage, ids)
  const targets = await findTargets(context, components, status)
  const at = new Date(app.clock()).toISOString().slice(0, 19)
  const candidates = components.filter(({ post, isArchived }) => !isArchived || isDraft(targets, post))
  const meta = await readMeta(storage, targetsOf(targets, candidates), [archivedKey])
  const changed = candidates.filter(({ post }) => !meta.has(targets.get(post.id)?.id ?? 0))
  const changedTargets = targetsOf(targets, changed)
  await Promise.all([
    storage.meta.write(
      'post',
      changedTargets.map(({ id }): MetaEntry => ({ id, key: archivedKey, value: { at } })),
    ),
    storage.posts.update(changedTargets.map(({ id }) => ({ id, changes: modifiedNow(context) }))),
  ])
  for (const { post } of changed) {
    emit(isDraft(targets, post) ? 'component.drafted' : 'component.archived', { id: post.id })
  }
  return outcome(ids, components)
}

interface TitleInput {
  readonly componentId: number
  readonly title: string
}

/** Interface: renaming does not check the rules of new titles (length, uniqueness). */
export async function renameComponents(
  context: WriteContext,
  inputs: readonly TitleInput[],
  status: WriteStatus,
): Promise<Outcome> {
  const { storage, emit } = context
  await requireUnlocked(
    context,
    inputs.map(({ componentId }) => componentId),
  )
  const titles = new Map(inputs.map(({ componentId, title }) => [componentId, cleanTitle(title)]))
  const components = await findComponents(
    storage,
    [...titles.keys()].filter((id) => titles.get(id) !== ''),
  )
  const targets = await findTargets(context, components, status)
  await storage.posts.update(
    components.map(({ post }) => ({
      id: targets.get(post.id)?.id ?? 0,
      changes: { title: titles.get(post.id) ?? '', ...modifiedNow(context) },
    })),
  )
  for (const { post } of components) {
    if (isDraft(targets, post)) emit('component.drafted', { id: post.id })
    else emit('component.renamed', { id: post.id, title: titles.get(post.id) ?? '' })
  }
  return outcome([...titles.keys()], components)
}

/** The post that a write changes, by component id: the component or a draft of it. */
type Targets = ReadonlyMap<number, Post>

const isDraft = (targets: Targets, { id }: Post) => targets.get(id)?.id !== id

const targetsOf = (targets: Targets, components: readonly Component[]): Post[] =>
  components.flatMap(({ post }) => targets.get(post.id) ?? [])

/** Interface: with `status: publish` a write changes the caller's draft if there is one, otherwise the component. */
async function findTargets(
  context: WriteContext,
  components: readonly Component[],
  status: WriteStatus,
): Promise<Targets> {
  if (status !== 'publish') return openDrafts(context, components)
  const drafts = newestByComponent(await readDrafts(context.storage, components, context.user.id))
  return new Map(components.map(({ post }) => [post.id, drafts.get(post.id) ?? post]))
}

function outcome(requestedIds: readonly number[], components: readonly Component[]): Outcome {
  const existing = new Set(components.map(({ post }) => post.id))
  const ids = [...new Set(requestedIds)]
  return { done: ids.filter((id) => existing.has(id)), failed: ids.filter((id) => !existing.has(id)) }
}
