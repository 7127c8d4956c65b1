/** Writes the class names, ids, custom attributes and styles that all new-generation elements share. */
import { nameOf, objectOf, textOf } from '../document/values.ts'
import { type Attributes, type ClassList, written } from '../html/nodes.ts'
import { baseClass } from './base-styles.ts'
import { interactionAttributes } from './interactions.ts'
import type { AtomicSettings } from './settings.ts'
import { AtomicStyles } from './styles/collector.ts'

/** Returns `<type>-base` and the class names of the styles that the element lists. */
export function classesOf(settings: AtomicSettings, type: string): ClassList {
  const { element, context } = settings
  const styles = AtomicStyles.of(context.pass)
  styles.define(element, context)
  const names = settings.list('classes').map((entry) => styles.use(textOf(entry), context, element))
  return [baseClass(type, context.pass), ...[...new Set(names)].map(written)]
}

/** Returns the id, the custom attributes and the interactions of the element. */
export function ownAttributes(settings: AtomicSettings): Attributes {
  const id = nameOf(settings.text('_cssid'))
  return {
    ...customAttributes(settings),
    ...interactionAttributes(settings),
    id: id === '' ? undefined : written(id),
  }
}

const NAME = /^[a-z][a-z0-9_-]*$/
const RESERVED =
  /^(?:on.*|style|href|src|srcset|srcdoc|action|formaction|ping|id|class|data-id|data-e-type|data-element_type|data-action-link|data-interactions|data-interaction-id)$/

function customAttributes(settings: AtomicSettings): Attributes {
  const entries = settings.list('attributes').flatMap((entry): [string, ReturnType<typeof written>][] => {
    const pair = objectOf(settings.inner({ entry }, 'entry')?.value)
    const name = (settings.textOf(settings.inner(pair, 'key')) ?? '').trim().toLowerCase()
    const value = settings.textOf(settings.inner(pair, 'value')) ?? ''
    return NAME.test(name) && !RESERVED.test(name) ? [[name, written(value)]] : []
  })
  // A browser reads the first of several attributes with one name, so the first wins here.
  return Object.fromEntries(entries.reverse())
}
