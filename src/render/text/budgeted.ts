/** Renders texts within a budget of work. A text over the budget is shown as plain text, which costs a fraction. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import type { Render } from '../render.ts'

/** The part of a budget that texts need. */
export interface TextBudget {
  /** Takes the work of a text; false: it is over the budget. */
  take(units: number): boolean
  /** Takes the work of showing a text that costs nothing else; false: nothing is left for it. */
  show(characters: number): boolean
}

/** For a text whose work was taken from a budget before. */
export const unlimited: TextBudget = { take: () => true, show: () => true }

const charactersOfUnit = 200
/** A mark that begins markup, a paragraph or a typographic replacement costs as much as some letters more. */
const markWeight = 8
/** Texts up to this length are not counted letter by letter. */
const shortLength = 4000

/** Estimates the work of a text in units: one for 200 characters of plain prose, more where it has many marks. */
export function textWork(text: string): number {
  if (text.length <= shortLength) return Math.ceil(text.length / charactersOfUnit)
  let marks = 0
  for (let at = 0; at < text.length; at++) if (isMark(text.charCodeAt(at))) marks++
  return Math.ceil((text.length + markWeight * marks) / charactersOfUnit)
}

/** Line ends, `"`, `&`, `'`, `<` and `[`. */
const isMark = (code: number): boolean =>
  code === 10 || code === 34 || code === 38 || code === 39 || code === 60 || code === 91

/** Removes what looks like tags and comments, and escapes the rest; empty lines separate paragraphs. The cost is linear. */
function asPlainText(html: string): string {
  const text = escapeHtml(html.replace(/<[^<>]*>/g, '').trim())
  return text === '' ? '' : `<p>${text.replace(/\n{2,}/g, '</p>\n<p>')}</p>\n`
}

/** The beginning of a text: an excerpt needs no more, and a request that has no work left shows no more. */
const beginning = 20_000

/** Returns a text over the budget: whole, or its beginning. */
export const plainText = (html: string, budget: TextBudget): string =>
  asPlainText(budget.show(html.length) ? html : html.slice(0, beginning))

const longWord = 1000

/** How many times the work of an excerpt the work of a content is: only its words are looked for. */
const contentPerExcerpt = 6

/** Returns a service that takes the work of each text from the budget. */
export function budgeted(render: Render, budget: TextBudget): Render {
  return {
    title: (raw) => render.title(budget.take(textWork(raw)) ? raw : raw.slice(0, beginning)),
    content: (raw, context) => (budget.take(textWork(raw)) ? render.content(raw, context) : plainText(raw, budget)),
    excerpt(post, options) {
      const source = post.excerpt.trim() === '' ? post.content : post.excerpt
      const ofBeginning = (length: number) =>
        render.excerpt({ excerpt: '', content: asPlainText(source.slice(0, length)) }, options)
      if (!budget.take(Math.ceil(textWork(source) / contentPerExcerpt))) return ofBeginning(beginning)
      const excerpt = render.excerpt(post, options)
      // A text without blanks is one word.
      return excerpt.length > beginning && source === post.content ? ofBeginning(longWord) : excerpt
    },
  }
}
