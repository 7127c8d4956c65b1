/** Replaces words in the texts of pages: in what readers see, never in tags, addresses or names of options; or in addresses alone. */
import { elementId, mapElements, settingsOf } from '../elements.ts'
import { escapeHtml } from '../markdown/inline.ts'
import type { PageChanges, PageRecord } from './agent-site.ts'
import { around } from './difference.ts'
import { isShown, type Leaf, mapLeaves } from './page-texts.ts'

export interface Replacement {
  readonly find: string
  readonly replace: string
  readonly where: 'text' | 'links'
  readonly ignoresCase: boolean
  readonly wholeWords: boolean
}

/** One place that changes, with some words around it. */
interface TextChange {
  readonly part: string
  readonly setting?: string
  readonly before: string
  readonly after: string
}

interface ReplacedPage {
  readonly changes: PageChanges
  readonly places: readonly TextChange[]
}

export function replaceInPage(record: PageRecord, replacement: Replacement): ReplacedPage {
  const replacer = new Replacer(replacement)
  const isText = replacement.where === 'text'
  const changed = {
    title: isText ? replacer.plain(record.title, { part: 'title' }) : record.title,
    excerpt: replacer.html(record.excerpt, { part: 'excerpt' }),
    content: record.elements ? record.content : replacer.html(record.content, { part: 'content' }),
  }
  const elements =
    record.elements &&
    mapElements(record.elements, (element) => {
      const part = elementId(element)
      const count = replacer.places.length
      const settings = mapLeaves(settingsOf(element), (leaf, at) =>
        typeof leaf === 'string' ? replacer.setting(leaf, at, part) : leaf,
      )
      return replacer.places.length === count ? element : { ...element, settings }
    })
  const places = replacer.places
  const changes: PageChanges = {
    ...Object.fromEntries(
      Object.entries(changed).filter(([name, value]) => value !== record[name as keyof typeof changed]),
    ),
    ...(elements && places.some(({ setting }) => setting !== undefined) ? { elements } : {}),
  }
  return { changes, places }
}

type Place = Pick<TextChange, 'part' | 'setting'>

/** Tags and comments; the pieces between them are texts. */
const tags = /(<!--[\s\S]*?(?:-->|$)|<[^<>]*>)/
const addresses = /(\s(?:href|src|action)\s*=\s*["'])([^"'<>]*)/gi

class Replacer {
  readonly places: TextChange[] = []
  readonly #replacement: Replacement
  readonly #pattern: RegExp

  constructor(replacement: Replacement) {
    const { find, ignoresCase, wholeWords } = replacement
    this.#replacement = replacement
    const either = [...new Set([find, escapeHtml(find), escapeHtml(find).replaceAll('&quot;', '"')])]
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\s+/g, '(?:\\s|&nbsp;)+'))
      .join('|')
    const bounded = wholeWords ? `(?<![\\p{L}\\p{N}])(?:${either})(?![\\p{L}\\p{N}])` : `(?:${either})`
    this.#pattern = new RegExp(bounded, ignoresCase ? 'giu' : 'gu')
  }

  plain(text: string, place: Place): string {
    const { replace } = this.#replacement
    return this.#changed(
      text,
      text.replace(this.#pattern, () => replace),
      place,
    )
  }

  /** A replacement is text, so that its signs do not become tags. */
  html(text: string, place: Place): string {
    const { replace, where } = this.#replacement
    const isMarkup = tags.test(text) || /&#?\w+;/.test(text)
    const written = isMarkup || /[<>]/.test(replace) ? escapeHtml(replace).replaceAll('&quot;', '"') : replace
    const pieces = text.split(tags).map((piece, at) => {
      const isTag = at % 2 === 1
      if (where === 'text') return isTag ? piece : piece.replace(this.#pattern, () => written)
      return isTag && !piece.startsWith('<!--')
        ? piece.replace(
            addresses,
            (_, name: string, address: string) => name + address.replace(this.#pattern, () => escapeHtml(replace)),
          )
        : piece
    })
    return this.#changed(text, pieces.join(''), place)
  }

  setting(text: string, at: Leaf, part: string): string {
    const place = { part, setting: at.path }
    if (this.#replacement.where === 'text') return isShown(at, text) ? this.html(text, place) : text
    const isAddress = /(?:^|\.)(?:url|href)$/.test(at.path) || /^(?:url|href|link)$/.test(at.name)
    if (isAddress) return this.plain(text, place)
    return text.includes('<') ? this.html(text, place) : text
  }

  #changed(before: string, after: string, place: Place): string {
    if (before === after) return before
    let start = 0
    while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
    let end = 0
    while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
    this.places.push({
      ...place,
      before: around(before, start, before.length - start - end),
      after: around(after, start, after.length - start - end),
    })
    return after
  }
}
