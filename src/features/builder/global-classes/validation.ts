/** Validates classes sent by a client; errors list the reasons that clients know. */
import { type ApiError, isApiError } from '../../../core/declare/errors.ts'
import { isSafeStyleValue, type StyleDefinition } from '../../shared/atomic-styles.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { failure } from '../../shared/envelope.ts'

export const limits = { classes: 100, label: 50 } as const

export interface GlobalClass extends StyleDefinition {
  readonly type: 'class'
  readonly sync_to_v3?: boolean
}

export interface ClassList {
  readonly items: { readonly [id: string]: GlobalClass }
  readonly order: readonly string[]
}

export const limitExceeded = (count: number) =>
  failure('global_classes_limit_exceeded', `There can be ${limits.classes} classes at most.`, 400, {
    current_count: count,
    max_allowed: limits.classes,
  })

/** Throws 400, in this order: too many items, invalid items, invalid order. */
export function validateItems(items: BuilderElement, order: readonly string[]): ClassList['items'] {
  const classes = validateClasses(items)
  validateOrder(Object.keys(items), order)
  return classes
}

/** Throws 400: too many items, invalid items. */
export function validateClasses(items: BuilderElement): ClassList['items'] {
  const problems = Object.entries(items).map(([key, item]) => problemsOf(key, item))
  const valid = problems.filter(({ length }) => length === 0).length
  if (valid > limits.classes) throw limitExceeded(valid)
  const all = problems.flat()
  if (all.length > 0) throw failure('invalid_items', `These items are wrong: ${joinProblems(all)}`, 400)
  // The casts: each item was validated above.
  return Object.fromEntries(
    Object.entries(items).map(([id, item]) => [id, cleanClass(item as BuilderElement)]),
  ) as never
}

/** Returns the reason as a text where the value cannot be a class. */
export function readClass(id: string, given: unknown): GlobalClass | string {
  try {
    const [read] = Object.values(validateClasses({ [id]: given }))
    return read ?? 'it is no class'
  } catch (error) {
    if (isApiError(error)) return (error as ApiError).message.replace(/\.$/, '')
    throw error
  }
}

const joinProblems = (problems: readonly string[]) => problems.slice(0, limits.classes).join(', ')

function validateOrder(ids: readonly string[], order: readonly string[]): void {
  const missing = new Set(ids)
  // The second occurrence of an id counts as excess.
  const excess = order.filter((id) => !missing.delete(id))
  const problems = [...excess.map((id) => `${id}: excess`), ...[...missing].map((id) => `${id}: missing`)]
  if (problems.length > 0) throw failure('invalid_order', `The order is wrong: ${joinProblems(problems)}`, 400)
}

/** Unknown members are not stored. */
function cleanClass({ id, type, label, variants, sync_to_v3: sync }: BuilderElement) {
  return { id, type, label, variants, ...(typeof sync === 'boolean' ? { sync_to_v3: sync } : {}) }
}

// ---------------------------------------------------------------- one class

/** Lists the problems, each as `path: reason`. */
function problemsOf(key: string, input: unknown): string[] {
  if (!isObject(input)) return [`${key}: missing_or_invalid`]
  const { id, type, label, variants, sync_to_v3: sync } = input
  const isList = Array.isArray(variants)
  return [
    ...problem(`${key}.id`, problemOfId(key, id)),
    ...problem(`${key}.type`, type === 'class' ? undefined : 'missing_or_invalid'),
    ...problem(`${key}.label`, problemOfLabel(label)),
    ...problem(`${key}.variants`, isList ? undefined : 'missing_or_invalid'),
    ...(isList ? variants.flatMap((variant, index) => problemsOfVariant(`${key}.variants.${index}`, variant)) : []),
    ...problem(`${key}.sync_to_v3`, isSync(sync) ? undefined : 'invalid_type'),
  ]
}

const problem = (path: string, reason: string | undefined): string[] =>
  reason === undefined ? [] : [`${path}: ${reason}`]

const isSync = (sync: unknown) => sync === undefined || sync === null || typeof sync === 'boolean'

const maxIdLength = 64

function problemOfId(key: string, id: unknown): string | undefined {
  if (typeof id !== 'string') return 'missing_or_invalid'
  const reduced = id.toLowerCase().replace(/[^a-z0-9_-]/g, '')
  if (reduced === '' || reduced.length > maxIdLength) return 'missing_or_invalid'
  return reduced === key && id === reduced ? undefined : 'mismatching_value'
}

/** The label is used as a class name in style sheets. */
function problemOfLabel(label: unknown): string | undefined {
  if (typeof label !== 'string') return 'missing_or_invalid'
  if (label.length > limits.label) return 'class_name_too_long'
  if (label.length < 2) return 'class_name_too_short'
  if (label === 'container') return 'reserved_class_name'
  if (/^\d/.test(label)) return 'class_name_starts_with_digit'
  if (/\s/.test(label)) return 'class_name_contains_spaces'
  if (!/^[\w-]+$/.test(label)) return 'class_name_invalid_chars'
  if (label.startsWith('--')) return 'class_name_double_hyphen'
  return /^-\d/.test(label) ? 'class_name_starts_with_hyphen_digit' : undefined
}

/** States of an element; null means none. */
export const states = ['hover', 'active', 'focus', 'focus-visible', 'checked', 'e--selected'] as const

function problemsOfVariant(path: string, input: unknown): string[] {
  if (!isObject(input)) return [`${path}: invalid_type`]
  const { meta, props, custom_css: css } = input
  return [
    ...problemsOfMeta(`${path}.meta`, meta),
    ...problemsOfProps(`${path}.props`, props),
    ...problem(`${path}.custom_css`, problemOfCustomCss(css)),
  ]
}

function problemsOfMeta(path: string, meta: unknown): string[] {
  if (meta === undefined) return [`${path}: missing`]
  if (!isObject(meta)) return [`${path}: invalid_type`]
  const { breakpoint, state } = meta
  const isName = typeof breakpoint === 'string' && /^[\w-]{1,32}$/.test(breakpoint)
  return [
    ...problem(`${path}.breakpoint`, isName ? undefined : 'missing_or_invalid_value'),
    ...problem(`${path}.state`, isState(state) ? undefined : 'missing_or_invalid_value'),
  ]
}

const isState = (state: unknown) => state === null || states.some((name) => name === state)

/** Interface: clients may send an empty map as an empty list. */
function problemsOfProps(path: string, props: unknown): string[] {
  if (Array.isArray(props) && props.length === 0) return []
  if (!isObject(props)) return [`${path}: missing_or_invalid_value`]
  return Object.entries(props).flatMap(([name, value]) => {
    const isProperty = /^[a-zA-Z-]{1,64}$/.test(name)
    return isProperty && isSafeStyleValue(value) ? [] : [`${path}.${name}: missing_or_invalid_value`]
  })
}

const maxCustomCss = 27_000

/** Null or `{ raw }`: text in base64, sanitized when a style sheet is generated. */
function problemOfCustomCss(css: unknown): string | undefined {
  if (css === undefined || css === null) return undefined
  if (!isObject(css) || typeof css['raw'] !== 'string') return 'invalid_type'
  const { raw } = css
  const isText = raw.length <= maxCustomCss && /^[A-Za-z0-9+/]*={0,2}$/.test(raw)
  return isText ? undefined : 'missing_or_invalid_value'
}
