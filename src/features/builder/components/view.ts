/** Responses of the component routes and their schemas. */

import type { Storage } from '../../../contract/storage.ts'
import { anything, bool, int, list, nullable, num, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { either, emptyList, exactly, fields, mapOf, openFields } from '../../../core/declare/response-schema.ts'
import { storedState } from '../../../core/pipeline/etag.ts'
import { type BuilderElement, elementsKey, isObject, parseElements, walk } from '../../shared/elements.ts'
import { envelopedSchema, failure } from '../../shared/envelope.ts'
import {
  archivedKey,
  findComponents,
  limits,
  newestByComponent,
  readComponents,
  readDrafts,
  readMeta,
} from './records.ts'

export const listSchema = envelopedSchema(
  list(fields({ id: int(), name: str(), uid: str(), isArchived: bool() }, { title: 'Component' }), {
    description: 'The newest components, with what the caller has changed in a draft.',
  }),
)

const stylesSchema = either(mapOf(anything({ description: 'A style of an element.' })), emptyList())

export const stylesByComponentSchema = envelopedSchema(
  either(mapOf(stylesSchema, { description: 'The styles of all elements, by the id of the component.' }), emptyList()),
)

export const createdSchema = envelopedSchema(
  either(mapOf(int(), { description: 'The ids of the new components, by uid.' }), emptyList()),
)

export const nothingSchema = envelopedSchema(exactly(null))

const propSchema = openFields(
  {
    overrideKey: str(),
    label: str(),
    elementId: str(),
    elType: str(),
    widgetType: str(),
    propKey: str(),
    groupId: str(),
  },
  { title: 'Overridable property' },
)

const propsSchema = either(
  fields({
    props: mapOf(propSchema, { description: 'The properties by key.' }),
    groups: fields({
      items: mapOf(openFields({ id: str(), label: str(), props: list(str()) }), { description: 'The groups by id.' }),
      order: list(str(), { description: 'The ids of the groups.' }),
    }),
  }),
  exactly(null),
)

export const overridablePropsSchema = envelopedSchema(propsSchema)

export const propsByComponentSchema = envelopedSchema(
  either(mapOf(propsSchema, { description: 'By the ids of the components.' }), emptyList()),
)

const elementsSchema = list(openFields({ id: str(), elType: str() }), {
  description: 'The elements that the component is made of.',
})

export const elementsOfComponentsSchema = envelopedSchema(
  either(elementsSchema, mapOf(elementsSchema, { description: 'By the ids of the components.' })),
)

export const publishedSchema = envelopedSchema(
  fields({ success: list(num()), failed: list(num()) }, { title: 'Published components' }),
)
export const outcomeSchema = envelopedSchema(
  fields({ failedIds: list(num()), successIds: list(num()) }, { title: 'Outcome for components' }),
)
export const lockedSchema = envelopedSchema(fields({ locked: exactly(true) }))
export const unlockedSchema = envelopedSchema(fields({ unlocked: exactly(true) }))

export const lockStatusSchema = envelopedSchema(
  fields({
    is_current_user_allow_to_edit: bool({ description: 'True when nobody else holds the lock.' }),
    locked_by: nullable(str({ description: 'The name of whoever holds the lock.' })),
  }),
)

/** Title and archive flag are those of the caller's draft, if there is one. */
export async function readList({ storage, user }: Pick<Context, 'storage' | 'user'>) {
  const components = await readComponents(storage, limits.inUse)
  const drafts = newestByComponent(await readDrafts(storage, components, user.id))
  const meta = await readMeta(storage, [...drafts.values()], [archivedKey])
  return components.map(({ post, uid, isArchived }) => {
    const draft = drafts.get(post.id)
    return {
      id: post.id,
      name: draft?.title ?? post.title,
      uid,
      isArchived: draft ? meta.get(draft.id)?.has(archivedKey) === true : isArchived,
    }
  })
}

/** Clients read the list, with their drafts: it has one tag. */
export async function storedComponents({ storage, user }: Pick<Context, 'storage' | 'user'>) {
  const components = await readComponents(storage, limits.inUse)
  const drafts = await readDrafts(storage, components, user.id)
  const rows = [...components.map(({ post }) => post), ...drafts]
  return storedState(rows.map(({ id, version }) => [id, version]))
}

type Styles = { readonly [id: string]: unknown }
type StylesByComponent = readonly (readonly [id: number, styles: Styles])[]

/** Collects the styles of all elements of each component, by the id of the component. */
export async function readStyles({ storage }: Pick<Context, 'storage'>): Promise<StylesByComponent> {
  const components = await readComponents(storage, limits.styled)
  const ids = components.map(({ post }) => post.id)
  const meta = await readMeta(
    storage,
    components.map(({ post }) => post),
    [elementsKey],
  )
  return ids.map((id) => [id, stylesIn(parseElements(meta.get(id)?.get(elementsKey)))] as const)
}

function stylesIn(elements: readonly BuilderElement[]): Styles {
  const maps = [...walk(elements)].map(({ styles }) => styles).filter(isObject)
  return Object.fromEntries(maps.flatMap(Object.entries))
}

/** Interface: an empty map is sent as an empty list. */
export const mapView = <T>(
  entries: Iterable<readonly [string | number, T]>,
): { readonly [key: string]: T } | readonly [] => {
  const map = Object.fromEntries(entries)
  return Object.keys(map).length === 0 ? [] : map
}

interface OneOrSeveral {
  readonly componentId?: number | undefined
  readonly componentIds?: readonly number[] | undefined
}

/** Reads the value of one component, or those of several by their ids; null for a component that has none. */
export async function ofOneOrSeveral<T>(
  storage: Storage,
  { componentId = 0, componentIds }: OneOrSeveral,
  read: (storage: Storage, ids: readonly number[]) => Promise<ReadonlyMap<number, T>>,
): Promise<T | null | { readonly [id: string]: T | null } | readonly []> {
  if (componentIds === undefined && componentId <= 0) {
    throw failure('invalid_component_id', 'This is no id of a component.', 400)
  }
  const found = await findComponents(storage, componentIds ?? [componentId])
  const ids = found.map(({ post }) => post.id)
  const values = await read(storage, ids)
  if (componentIds) return mapView(ids.map((id) => [id, values.get(id) ?? null] as const))
  if (ids.length === 0) throw failure('component_not_found', 'There is no such component.', 404)
  return values.get(componentId) ?? null
}
