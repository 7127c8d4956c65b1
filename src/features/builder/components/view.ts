/** Components as they are listed. */

import { anything, bool, int, list, nullable, num, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  either,
  emptyList,
  exactly,
  fields,
  mapOf,
  openFields,
  type ResponseSchema,
} from '../../../core/declare/response-schema.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import {
  type Css,
  rulesOf,
  type StyleDefinition,
  type StyleRule,
  type VariableValue,
} from '../../shared/atomic-styles/model.ts'
import { type BuilderElement, elementsKey, isObject, parseElements, walk } from '../../shared/elements/model.ts'
import { archivedKey, byComponent, limits, readComponents, readDrafts, readMeta } from './model.ts'

/** The form of what `enveloped` of the model makes. */
export const envelopedForm = <T>(inner: ResponseSchema<T>) => fields({ data: inner, meta: emptyList() })

export const listForm = envelopedForm(
  list(fields({ id: int(), name: str(), uid: str(), isArchived: bool() }, { title: 'Component' }), {
    description: 'The newest components, with what the caller has changed in a draft.',
  }),
)

const stylesForm = either(mapOf(anything({ description: 'A style of an element.' })), emptyList())

export const stylesByComponentForm = envelopedForm(
  either(mapOf(stylesForm, { description: 'The styles of all elements, by the id of the component.' }), emptyList()),
)

export const createdForm = envelopedForm(
  either(mapOf(int(), { description: 'The ids of the new components, by uid.' }), emptyList()),
)

export const nothingForm = envelopedForm(exactly(null))

const propForm = openFields(
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

export const overridablePropsForm = envelopedForm(
  either(
    fields({
      props: mapOf(propForm, { description: 'The properties by key.' }),
      groups: fields({
        items: mapOf(openFields({ id: str(), label: str(), props: list(str()) }), { description: 'The groups by id.' }),
        order: list(str(), { description: 'The ids of the groups.' }),
      }),
    }),
    exactly(null),
  ),
)

export const publishedForm = envelopedForm(
  fields({ success: list(num()), failed: list(num()) }, { title: 'Published components' }),
)
export const outcomeForm = envelopedForm(
  fields({ failedIds: list(num()), successIds: list(num()) }, { title: 'Outcome for components' }),
)
export const lockedForm = envelopedForm(fields({ locked: exactly(true) }))
export const unlockedForm = envelopedForm(fields({ unlocked: exactly(true) }))

export const lockStatusForm = envelopedForm(
  fields({
    is_current_user_allow_to_edit: bool({ description: 'True when nobody else holds the lock.' }),
    locked_by: nullable(str({ description: 'The name of whoever holds the lock.' })),
  }),
)

/** Title and archive flag as the caller has left them in a draft, if there is one. */
export function listView({ storage, user }: Pick<Context, 'storage' | 'user'>) {
  return andThen(readComponents(storage, limits.inUse), (components) =>
    andThen(readDrafts(storage, components, user.id), (drafts) => {
      const own = byComponent(drafts)
      return andThen(readMeta(storage, [...own.values()], [archivedKey]), (meta) =>
        components.map(({ post, uid, isArchived }) => {
          const draft = own.get(post.id)
          return {
            id: post.id,
            name: draft?.title ?? post.title,
            uid,
            isArchived: draft ? meta.get(draft.id)?.has(archivedKey) === true : isArchived,
          }
        }),
      )
    }),
  )
}

export type Styles = { readonly [id: string]: unknown }
type StylesByComponent = readonly (readonly [id: number, styles: Styles])[]

/** The styles of all elements of each component, by the id of the component. */
export function readStyles({ storage }: Pick<Context, 'storage'>): MaybePromise<StylesByComponent> {
  return andThen(readComponents(storage, limits.inUse), (components) => {
    const posts = components.map(({ post }) => post)
    return andThen(readMeta(storage, posts, [elementsKey]), (meta) =>
      posts.map(({ id }) => [id, stylesIn(parseElements(meta.get(id)?.get(elementsKey)))] as const),
    )
  })
}

function stylesIn(elements: readonly BuilderElement[]): Styles {
  const maps = [...walk(elements)].map(({ styles }) => styles).filter(isObject)
  return Object.fromEntries(maps.flatMap(Object.entries))
}

/** Interface: a map without entries is sent as a list. */
export const mapView = <T>(
  entries: Iterable<readonly [string | number, T]>,
): { readonly [key: string]: T } | readonly [] => {
  const map = Object.fromEntries(entries)
  return Object.keys(map).length === 0 ? [] : map
}

/** The same as rules: each style holds for elements with its id as a class. */
export function styleRules(css: Css, styles: StylesByComponent, variable: VariableValue): StyleRule[] {
  const definitions = styles.flatMap(([, one]) => Object.values(one)).filter(isObject)
  // The cast: `rulesOf` looks at each part before it is used.
  return definitions.flatMap((one) =>
    rulesOf(css, one as unknown as StyleDefinition, String(one['id'] ?? ''), variable),
  )
}
