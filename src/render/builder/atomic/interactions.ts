/** Interactions tell a script of the page how to animate an element that appears. The engine itself adds no motion. */
import { isObject, numberOf, ownValue, textOf } from '../document/values.ts'
import type { Attributes } from '../html/nodes.ts'
import type { AtomicSettings } from './settings.ts'
import { untagged } from './tagged.ts'

const maxItems = 100
/** `load-fade-in-left-300-0`; the direction is optional. */
const TEXT = /^(?:load|scrollIn)-(?:fade|slide|scale)-(?:in|out)-(?:left|right|top|bottom)?-\d{1,6}-\d{1,6}$/

/** Returns no attributes for an element without interactions. */
export function interactionAttributes({ element, context }: AtomicSettings): Attributes {
  const stored = untagged(readStored(ownValue(element.raw, 'interactions')), context)
  const items = isObject(stored) ? ownValue(stored, 'items') : stored
  const texts = (Array.isArray(items) ? items : []).slice(0, maxItems).map(itemText)
  const known = texts.filter((text) => TEXT.test(text))
  return known.length === 0 ? {} : { 'data-interaction-id': element.id, 'data-interactions': JSON.stringify(known) }
}

/** Parses JSON text; objects stay as they are. */
function readStored(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  try {
    return JSON.parse(stored)
  } catch {
    return undefined
  }
}

/** Older data stores the whole text; newer data stores its parts in groups. */
function itemText(item: unknown): string {
  if (typeof item === 'string') return item
  const parts = new Map<string, unknown>()
  collect(item, parts)
  const text = (name: string) => textOf(parts.get(name))
  const whole = text('animation') || text('animation_id')
  if (TEXT.test(whole)) return whole
  const time = (name: string, byDefault: number) => Math.round(timeOf(parts.get(name)) ?? byDefault)
  return [
    text('trigger'),
    text('effect'),
    text('type'),
    text('direction'),
    time('duration', 300),
    time('delay', 0),
  ].join('-')
}

const GROUPS: ReadonlySet<string> = new Set(['animation', 'timing_config', 'timing', 'config'])

function collect(value: unknown, parts: Map<string, unknown>): void {
  if (!isObject(value)) return
  for (const [name, one] of Object.entries(value)) {
    if (GROUPS.has(name) && isObject(one)) collect(one, parts)
    else if (!parts.has(name)) parts.set(name, one)
  }
}

/** Returns milliseconds from a number or a size. */
function timeOf(value: unknown): number | undefined {
  if (!isObject(value)) return numberOf(value)
  const size = numberOf(ownValue(value, 'size'))
  return size !== undefined && ownValue(value, 'unit') === 's' ? size * 1000 : size
}
