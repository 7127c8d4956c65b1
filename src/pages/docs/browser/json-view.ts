/** A JSON value as a tree that folds. The text of an unfolded tree is the JSON itself. */
import { element } from '../../browser/elements.ts'

/** Deeper levels are folded at first, and so is everything beyond a number of lines. */
const openLevels = 3
const mostLines = 1500

interface JsonView {
  readonly view: HTMLElement
  readonly foldAll: (isOpen: boolean) => void
}

export function createJsonView(value: unknown): JsonView {
  const budget = { lines: mostLines }
  const view = element('div', { class: 'json' }, nodeView(value, { lead: [], tail: '', level: 0, budget }))
  return {
    view,
    foldAll: (isOpen) => {
      // Opening a node creates those below it.
      const all = view.getElementsByTagName('details')
      for (let at = 0; at < all.length; at++) setOpen(all[at] as HTMLDetailsElement, isOpen || at === 0)
    },
  }
}

interface Place {
  /** The name of the member. */
  readonly lead: readonly (Node | string)[]
  /** A comma, except after the last. */
  readonly tail: string
  readonly level: number
  readonly budget: { lines: number }
}

function nodeView(value: unknown, place: Place): HTMLElement {
  const { lead, tail, level, budget } = place
  budget.lines--
  const isTree = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isTree) return element('div', { class: 'leaf' }, ...lead, leafView(value), tail)
  const [open, close, size] = Array.isArray(value)
    ? ['[', ']', sizeOf(value.length, 'item')]
    : ['{', '}', sizeOf(Object.keys(value).length, 'member')]
  const summary = element('summary', { 'data-size': ` ${size} ${close}` }, ...lead, open)
  const details = element('details', {}, summary)
  fillers.set(details, () => details.append(...childViews(value, place), element('div', {}, close, tail)))
  details.addEventListener('toggle', () => details.open && fill(details))
  if (level < openLevels && budget.lines > 0) setOpen(details, true)
  return details
}

/** Functions that create the children of a node when it opens for the first time. */
const fillers = new WeakMap<HTMLDetailsElement, () => void>()

function fill(details: HTMLDetailsElement): void {
  fillers.get(details)?.()
  fillers.delete(details)
}

function setOpen(details: HTMLDetailsElement, isOpen: boolean): void {
  if (isOpen) fill(details)
  details.open = isOpen
}

function childViews(value: object, { level, budget }: Place): HTMLElement[] {
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return entries.map(([name, member], at) =>
    nodeView(member, {
      lead: isList ? [] : [element('span', { class: 'key' }, JSON.stringify(name)), ': '],
      tail: at === entries.length - 1 ? '' : ',',
      level: level + 1,
      budget,
    }),
  )
}

const sizeOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const leafView = (value: unknown) => element('span', { class: `is-${typeof value}` }, String(JSON.stringify(value)))
