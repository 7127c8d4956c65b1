/** Finds the places of a record that store a text, and makes the patches that change it there. */
import type { Json } from '../../../../contract/storage.ts'
import { escapeHtml } from '../../../../core/runtime/escape-html.ts'
import { type BuilderElement, isObject, settingsOf, walk } from '../../../shared/elements.ts'
import type { CheckedSubject, FindingPlace, Patch, TextChange } from '../model.ts'

/** Changes a stored text; the same text: nothing is to be changed. */
type ChangeText = (text: string) => string

export const idOfElement = ({ id }: BuilderElement): string | undefined => (typeof id === 'string' ? id : undefined)

/** Finds the place of a text: the element `drawnIn`, else the first element of the document, or the content, that has it in one of its forms. */
export function placeOf(subject: CheckedSubject, words: string, drawnIn?: string): Partial<FindingPlace> {
  if (drawnIn !== undefined) return { element: drawnIn }
  const pattern = new RegExp(quoted(words))
  const test = (text: string) => pattern.test(text)
  for (const element of walk(subject.elements)) {
    const id = idOfElement(element)
    if (id !== undefined && someText(settingsOf(element), test)) return { element: id }
  }
  return subject.elements.length === 0 && test(subject.post.content) ? { member: 'content' } : {}
}

function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner) => someText(inner, test))
}

/** How a patch finds what it changes: within HTML, and as a whole setting. */
export interface TextEdit {
  /** It stops at the next tag that begins: from tags that never end, each would be read to the end of the text otherwise. */
  readonly inHtml: RegExp
  readonly to: (...match: string[]) => string
  /** A setting that is this text as a whole. */
  readonly setting?: (text: string) => string | undefined
}

/** The patch with all of these edits; undefined: they change nothing. */
export function patchOf(subject: CheckedSubject, says: string, edit: TextEdit): Omit<Patch, 'record'> | undefined {
  const { elements, post } = subject
  if (elements.length === 0) {
    const content = changesIn(post.content, edit)
    return content.length > 0 ? { says, content } : undefined
  }
  const change: ChangeText = (text) => edit.setting?.(text) ?? text.replace(edit.inHtml, edit.to)
  const settings = settingsWith(elements, change)
  return Object.keys(settings).length > 0 ? { says, settings } : undefined
}

function changesIn(text: string, { inHtml, to }: TextEdit): TextChange[] {
  const changes = new Map<string, string>()
  for (const [from, ...groups] of text.matchAll(inHtml)) changes.set(from, to(from, ...groups))
  return [...changes].filter(([from, after]) => from !== after).map(([from, after]) => ({ from, to: after }))
}

/** The settings that differ, by element. */
function settingsWith(elements: readonly BuilderElement[], change: ChangeText): NonNullable<Patch['settings']> {
  const changed: { [element: string]: { [setting: string]: Json } } = {}
  for (const element of walk(elements)) {
    const id = idOfElement(element)
    if (id === undefined) continue
    for (const [name, value] of Object.entries(settingsOf(element))) {
      const after = withTexts(value, change)
      // The cast: settings are JSON.
      if (after !== value) changed[id] = { ...changed[id], [name]: after as Json }
    }
  }
  return changed
}

/** The same value where no text changes. */
function withTexts(value: unknown, change: ChangeText): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) {
    const after = value.map((one) => withTexts(one, change))
    return after.some((one, at) => one !== value[at]) ? after : value
  }
  if (!isObject(value)) return value
  const after = Object.entries(value).map(([name, inner]) => [name, withTexts(inner, change)] as const)
  return after.some(([name, inner]) => inner !== value[name]) ? Object.fromEntries(after) : value
}

/** A pattern for an address or another text as HTML has it. */
export const quoted = (text: string): string => {
  const forms = [...new Set([text, escapeHtml(text), text.replaceAll('&', '&amp;')])]
  return `(?:${forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})`
}
