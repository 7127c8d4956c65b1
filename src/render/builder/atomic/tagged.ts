/**
 * Resolves tagged values of new-generation elements: `{ "$$type": kind, "value": … }`. Overrides of component instances and
 * dynamic values are resolved here, so that all readers get plain kinds only.
 */
import { limits } from '../document/limits.ts'
import { isObject, objectOf, ownValue, type RawSettings, textOf } from '../document/values.ts'
import { answerOf } from '../elements/dynamic-values.ts'
import { variableKinds } from '../kit/variables.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'

export interface Tagged {
  /** The kind of the value. Values without a tag and values of dynamic tags are `plain`. */
  readonly kind: string
  readonly value: unknown
}

/** The pass and the scope in which a value is resolved. */
export interface ValueContext {
  readonly pass: Pass
  readonly scope: Scope
}

/** Kinds whose value is a text, a number or a boolean. */
const SCALARS: ReadonlySet<string> = new Set('string number boolean html escaped-html url color'.split(' '))
const KINDS: ReadonlySet<string> = new Set([
  ...SCALARS,
  ...variableKinds,
  ...(
    'html-v2 html-v3 size classes attributes key-value link query image image-src image-attachment-id video-src video-attachment-id svg-src dimensions ' +
    'border-radius border-width layout-direction box-shadow shadow background background-overlay background-color-overlay ' +
    'background-gradient-overlay background-image-overlay background-image-size-scale background-image-position-offset ' +
    'gradient-color-stop color-stop object-position filter backdrop-filter css-filter-func blur intensity hue-rotate ' +
    'color-tone drop-shadow transform transform-functions transform-move transform-scale transform-rotate transform-skew ' +
    'transform-origin perspective-origin transition selection-size flex stroke overrides override component-instance'
  ).split(' '),
])

/** Returns undefined for a value that is absent, disabled, of an unknown kind, or nested in too many tags. */
export function tagged(value: unknown, context: ValueContext, depth = 1): Tagged | undefined {
  if (value === undefined || value === null) return undefined
  if (!isTagged(value)) return { kind: 'plain', value }
  if (depth > limits.tags || ownValue(value, 'disabled') === true) return undefined
  const kind = textOf(value['$$type'])
  const inner = ownValue(value, 'value')
  if (kind === 'overridable') return overridden(objectOf(inner), context, depth)
  if (kind === 'dynamic') return { kind: 'plain', value: dynamicValue(objectOf(inner), context) }
  if (!KINDS.has(kind) || inner === undefined || inner === null) return undefined
  return SCALARS.has(kind) && isTagged(inner) ? tagged(inner, context, depth + 1) : { kind, value: inner }
}

export const isTagged = (value: unknown): value is RawSettings => isObject(value) && Object.hasOwn(value, '$$type')

/** Returns the value that the instance sets, else the default of the component. */
function overridden(value: RawSettings, context: ValueContext, depth: number): Tagged | undefined {
  const given = givenFor(value, context.scope)
  if (!given) return tagged(ownValue(value, 'origin_value'), context, depth + 1)
  // The override belongs to the document that contains the instance, so it is resolved without the overrides of this component.
  const { overrides: _, ...scope } = context.scope
  return tagged(given.value, { ...context, scope }, depth + 1)
}

/** Returns the override of an `overridable` value, if the instance sets one. */
export function givenFor(value: RawSettings, { overrides }: Scope): { readonly value: unknown } | undefined {
  const key = textOf(ownValue(value, 'override_key'))
  return key !== '' && overrides?.has(key) ? { value: overrides.get(key) } : undefined
}

/** Returns an empty text for an unknown tag: the setting is present but empty. */
function dynamicValue(value: RawSettings, context: ValueContext): unknown {
  const settings = untagged(ownValue(value, 'settings'), context)
  return answerOf(textOf(ownValue(value, 'name')), objectOf(settings), context.pass, context.scope) ?? ''
}

/** Removes all tags from a value, for settings of dynamic tags and interactions. */
export function untagged(value: unknown, context: ValueContext, depth = 1): unknown {
  if (depth > limits.tags * 2) return undefined
  if (isTagged(value)) {
    if (ownValue(value, 'disabled') === true) return undefined
    return untagged(ownValue(value, 'value'), context, depth + 1)
  }
  if (Array.isArray(value)) return value.slice(0, limits.items).map((one) => untagged(one, context, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, untagged(one, context, depth + 1)]))
}

/** Returns whether tags are nested more deeply than the limit allows. */
export function isTooDeep(value: unknown, tags = 0, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inside = isTagged(value) ? tags + 1 : tags
  if (inside > limits.tags || level > limits.tags * 5) return true
  return Object.values(value).some((one) => isTooDeep(one, inside, level + 1))
}
