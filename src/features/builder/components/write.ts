/** Creating, publishing, archiving and renaming components. */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Json, Post, Storage } from '../../../storage/contract.ts'
import {
  type BuilderElement,
  editModeKey,
  elementsKey,
  mapElements,
  templateTypeKey,
} from '../../shared/elements/model.ts'
import {
  archivedKey,
  byComponent,
  type Component,
  componentType,
  draftKeys,
  findComponents,
  modifiedNow,
  newComponent,
  openDrafts,
  propsKey,
  readAutosaves,
  readDrafts,
  readMeta,
  referenceOf,
  referTo,
  uidKey,
} from './model.ts'
import { cleanTitle, type NewComponent, type SentComponent, validated } from './validation.ts'

interface ComponentEvent {
  readonly id: number
}

/** What it tells listeners. */
export interface ComponentsEvents {
  'component.created': ComponentEvent & { readonly uid: string; readonly status: string }
  'component.published': ComponentEvent
  'component.archived': ComponentEvent
  'component.renamed': ComponentEvent & { readonly title: string }
  /** A change that waits to be published. */
  'component.drafted': ComponentEvent
}

declare module '../../../core/declare/events.ts' {
  interface EventPayloads extends ComponentsEvents {}
}

export type WriteStatus = 'publish' | 'draft' | 'autosave'
type WriteCall = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'emit'>
type Entry = { readonly id: number; readonly key: string; readonly value: Json }

/** Ids by how it went, in the order of the request. */
export interface Outcome {
  readonly done: readonly number[]
  readonly failed: readonly number[]
}

// ---------------------------------------------------------------- creation

/**
 * Counts creations. Whoever creates moves it on from where it stood before the rules were looked at, so of two who
 * create at once one looks again, and sees what the other made.
 */
export const turnOption = 'builder_component_turn'
const maxRounds = 100

function oneAtATime<T>(storage: Storage, look: () => MaybePromise<T>, rounds = maxRounds): MaybePromise<T> {
  return andThen(storage.options.read([turnOption]), ({ [turnOption]: turn = null }) =>
    andThen(look(), (seen) =>
      andThen(storage.options.swap(turnOption, turn, Number(turn ?? 0) + 1), (isMine) => {
        if (isMine) return seen
        if (rounds === 0)
          throw new ApiError('rest_conflict', 'Too many others create components. Please try again.', 409)
        return oneAtATime(storage, look, rounds - 1)
      }),
    ),
  )
}

/** Answers the new ids by uid. */
export function createComponents(
  context: WriteCall,
  items: readonly SentComponent[],
  status: WriteStatus,
): MaybePromise<[uid: string, id: number][]> {
  const { storage, emit } = context
  const stored = status === 'publish' ? 'publish' : 'draft'
  return andThen(
    oneAtATime(storage, () => validated(storage, items)),
    (made) => {
      const rows = made.map(({ title }) => newComponent(context, title, stored))
      return andThen(storage.posts.insert(rows), (ids) => {
        const created = made.map(({ uid }, index): [string, number] => [uid, ids[index] ?? 0])
        const byUid = new Map(created)
        const entries = made.flatMap((component) => metaOf(component, byUid))
        return andThen(storage.meta.write('post', entries), () => {
          for (const [uid, id] of created) {
            emit('component.created', { id, uid, status: stored })
            if (stored === 'publish') emit('component.published', { id })
          }
          return created
        })
      })
    },
  )
}

function metaOf({ uid, elements, overridableProps }: NewComponent, ids: ReadonlyMap<string, number>): Entry[] {
  const id = ids.get(uid) ?? 0
  const values: { readonly [key: string]: Json } = {
    [uidKey]: uid,
    [editModeKey]: 'builder',
    [templateTypeKey]: componentType,
    [elementsKey]: JSON.stringify(withIds(elements, ids)),
    // The cast: an interface cannot say of itself that it is JSON.
    ...(overridableProps ? { [propsKey]: overridableProps as unknown as Json } : {}),
  }
  return Object.entries(values).map(([key, value]) => ({ id, key, value }))
}

/** Choice: uses of components of the same request are stored with the ids that those are given. */
function withIds(elements: readonly BuilderElement[], ids: ReadonlyMap<string, number>): BuilderElement[] {
  return mapElements(elements, (element) => {
    const id = ids.get(String(referenceOf(element) ?? ''))
    return id === undefined ? element : referTo(element, id)
  })
}

// ---------------------------------------------------------------- publishing

/** What waits in the newest draft of each becomes the component; drafts that are older are forgotten with it. */
export function publishComponents(context: WriteCall, ids: readonly number[]): MaybePromise<Outcome> {
  const { storage, emit } = context
  return andThen(findComponents(storage, ids), (components) =>
    andThen(
      all([readDrafts(storage, components), readAutosaves(storage, components)] as const),
      ([drafts, autosaves]) => {
        const waiting = byComponent(drafts)
        return andThen(readMeta(storage, [...waiting.values()], draftKeys), (meta) => {
          const updates = components.map(({ post }) => {
            const draft = waiting.get(post.id)
            return {
              id: post.id,
              changes: { status: 'publish', ...modifiedNow(context), ...(draft ? { title: draft.title } : {}) },
            }
          })
          const entries = [...waiting].flatMap(([id, draft]) =>
            draftKeys.map((key): Entry => ({ id, key, value: meta.get(draft.id)?.get(key) ?? null })),
          )
          const writes = all([
            storage.posts.update(updates),
            storage.meta.write('post', entries),
            storage.posts.remove(autosaves.map(({ id }) => id)),
          ])
          return andThen(writes, () => {
            for (const { post } of components) emit('component.published', { id: post.id })
            return outcome(ids, components)
          })
        })
      },
    ),
  )
}

// ---------------------------------------------------------------- archiving and renaming

/** There is no way back. Doing it again changes nothing. */
export function archiveComponents(
  context: WriteCall,
  ids: readonly number[],
  status: WriteStatus,
): MaybePromise<Outcome> {
  const { storage, app, emit } = context
  return andThen(findComponents(storage, ids), (components) =>
    andThen(targetsOf(context, components, status), (targets) => {
      const at = new Date(app.clock()).toISOString().slice(0, 19)
      const open = components.filter(({ post, isArchived }) => !isArchived || isDraft(targets, post))
      return andThen(readMeta(storage, targetsFor(targets, open), [archivedKey]), (meta) => {
        const changed = open.filter(({ post }) => !meta.has(targets.get(post.id)?.id ?? 0))
        const entries = targetsFor(targets, changed).map(({ id }): Entry => ({ id, key: archivedKey, value: { at } }))
        const updates = targetsFor(targets, changed).map(({ id }) => ({ id, changes: modifiedNow(context) }))
        return andThen(all([storage.meta.write('post', entries), storage.posts.update(updates)]), () => {
          for (const { post } of changed) {
            emit(isDraft(targets, post) ? 'component.drafted' : 'component.archived', { id: post.id })
          }
          return outcome(ids, components)
        })
      })
    }),
  )
}

export interface SentTitle {
  readonly componentId: number
  readonly title: string
}

/** Interface: neither the length nor other components with the title matter here. */
export function renameComponents(
  context: WriteCall,
  sent: readonly SentTitle[],
  status: WriteStatus,
): MaybePromise<Outcome> {
  const { storage, emit } = context
  const titles = new Map(sent.map(({ componentId, title }) => [componentId, cleanTitle(title)]))
  const named = [...titles.keys()].filter((id) => titles.get(id) !== '')
  return andThen(findComponents(storage, named), (components) =>
    andThen(targetsOf(context, components, status), (targets) => {
      const updates = components.map(({ post }) => ({
        id: targets.get(post.id)?.id ?? 0,
        changes: { title: titles.get(post.id) ?? '', ...modifiedNow(context) },
      }))
      return andThen(storage.posts.update(updates), () => {
        for (const { post } of components) {
          if (isDraft(targets, post)) emit('component.drafted', { id: post.id })
          else emit('component.renamed', { id: post.id, title: titles.get(post.id) ?? '' })
        }
        return outcome([...titles.keys()], components)
      })
    }),
  )
}

type Targets = ReadonlyMap<number, Post>

const isDraft = (targets: Targets, { id }: Post) => targets.get(id)?.id !== id

const targetsFor = (targets: Targets, components: readonly Component[]): Post[] =>
  components.flatMap(({ post }) => targets.get(post.id) ?? [])

/** Interface: what is published at once goes into the draft that the caller has already; otherwise into the component. */
function targetsOf(context: WriteCall, components: readonly Component[], status: WriteStatus): MaybePromise<Targets> {
  if (status !== 'publish') return openDrafts(context, components)
  return andThen(readDrafts(context.storage, components, context.user.id), (drafts) => {
    const own = byComponent(drafts)
    return new Map(components.map(({ post }) => [post.id, own.get(post.id) ?? post]))
  })
}

function outcome(asked: readonly number[], components: readonly Component[]): Outcome {
  const found = new Set(components.map(({ post }) => post.id))
  const ids = [...new Set(asked)]
  return { done: ids.filter((id) => found.has(id)), failed: ids.filter((id) => !found.has(id)) }
}
