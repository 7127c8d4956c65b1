/** Components insert the elements of another document, with the values that an instance overrides. */
import { idOf, isObject, objectOf, ownValue, textOf } from '../document/values.ts'
import { enterDocument } from '../elements/document.ts'
import { drawElements } from '../elements/draw.ts'
import type { ElementType } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import type { DocumentRecord } from '../records/documents.ts'
import { componentType } from '../records/keys.ts'
import { AtomicSettings } from './settings.ts'
import { AtomicStyles } from './styles/collector.ts'
import { givenFor, isTagged } from './tagged.ts'

export const component: ElementType = (element, scope, pass) => {
  const settings = new AtomicSettings(element, { pass, scope })
  const instance = settings.read('component_instance')
  const id = idOf(settings.inner(instance?.value, 'component_id')?.value)
  if (id === undefined) return undefined
  const document = pass.document(id)
  if (!document || !isUsable(document)) {
    pass.warnings.add('missing_reference', element.id)
    return undefined
  }
  if (document.isUnreadable) pass.warnings.add('unreadable', element.id)
  const entered = enterDocument(document, scope, pass)
  if (!entered) return undefined
  const overrides = overridesOf(settings.inner(instance?.value, 'overrides')?.value, scope)
  const content = drawElements(document.elements, { ...entered, overrides }, pass)
  AtomicStyles.of(pass).leaveComponent(id)
  return content
}

const isUsable = ({ post: { type, status, password } }: DocumentRecord): boolean =>
  type === componentType && status === 'publish' && password === ''

const maxOverrides = 1000

/**
 * Returns the overrides of an instance by key. Keys of an outer component are replaced by their values here, because inner
 * components never see them.
 */
function overridesOf(list: unknown, scope: Scope): ReadonlyMap<string, unknown> {
  const overrides = new Map<string, unknown>()
  for (const entry of Array.isArray(list) ? list.slice(0, maxOverrides) : []) {
    if (!isObject(entry) || ownValue(entry, 'disabled') === true) continue
    const value = objectOf(ownValue(entry, 'value'))
    const isWrapped = ownValue(entry, '$$type') === 'overridable'
    const inner = isWrapped ? objectOf(ownValue(objectOf(ownValue(value, 'origin_value')), 'value')) : value
    const key = textOf(ownValue(inner, 'override_key'))
    if (key === '') continue
    const given = isWrapped ? givenFor(value, scope) : undefined
    overrides.set(key, given ? unwrapped(given.value) : resolved(ownValue(inner, 'override_value'), scope))
  }
  return overrides
}

/** An outer override may contain a value that is stored as an override. */
const unwrapped = (value: unknown): unknown =>
  isTagged(value) && value['$$type'] === 'override' ? ownValue(objectOf(value['value']), 'override_value') : value

/** Returns the value of an outer override when the stored value names one. */
function resolved(value: unknown, scope: Scope): unknown {
  if (!isTagged(value) || value['$$type'] !== 'overridable') return value
  const stored = objectOf(ownValue(value, 'value'))
  const given = givenFor(stored, scope)
  return given ? given.value : ownValue(stored, 'origin_value')
}
