/** The words of a page: those of its elements with the settings that hold them, and the whole as Markdown. */
import { isAuthorText } from '../../render/builder/widgets/author-texts.ts'
import { type BuilderElement, elementId, elementName, isObject, settingsOf, walk } from '../elements.ts'
import { toMarkdown } from '../markdown/from-html.ts'
import type { PageRecord } from './agent-site.ts'

/** Lists and objects inside settings. */
const maxDepth = 12

export interface Leaf {
  /** The name of the setting. Values of the current generation have the name of the setting that holds them. */
  readonly name: string
  /** The path of the setting: `tabs.0.tab_title`. */
  readonly path: string
}

/** Returns a copy of settings with each text and number replaced by what `change` returns. */
export function mapLeaves(
  value: unknown,
  change: (leaf: string | number, at: Leaf) => unknown,
  at: Leaf = { name: '', path: '' },
  depth = 0,
): unknown {
  if (typeof value === 'string' || typeof value === 'number') return change(value, at)
  if (depth > maxDepth) return value
  if (Array.isArray(value)) {
    return value.map((inner, index) => mapLeaves(inner, change, { ...at, path: below(at.path, `${index}`) }, depth + 1))
  }
  if (!isObject(value)) return value
  const isTyped = typeof value['$$type'] === 'string'
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = at.name !== '' && (isTyped || /^(?:value|content)$/.test(key)) ? at.name : key
      return [key, key === '$$type' ? inner : mapLeaves(inner, change, { name, path: below(at.path, key) }, depth + 1)]
    }),
  )
}

const below = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

/** Whether readers see a text of this setting. */
export const isShown = ({ name, path }: Leaf, text: string): boolean =>
  !path.startsWith('_') && isAuthorText(name, text)

interface ElementText {
  readonly setting: string
  readonly text: string
}

export function textsOf(element: BuilderElement): readonly ElementText[] {
  const texts: ElementText[] = []
  mapLeaves(settingsOf(element), (text, at) => {
    if (typeof text === 'string' && isShown(at, text)) texts.push({ setting: at.path, text })
    return text
  })
  return texts
}

/** 1 to 6 for headings; undefined for all other elements. */
function headingLevel(element: BuilderElement): number | undefined {
  if (!/^(?:e-)?heading$|-title$/.test(elementName(element))) return undefined
  const { header_size: size, tag } = settingsOf(element)
  const named = isObject(tag) ? tag['value'] : (tag ?? size)
  const [, level = '2'] = /^h([1-6])$/.exec(typeof named === 'string' ? named : '') ?? []
  return Number(level)
}

/** Writes the words of the elements as Markdown, one after the other. */
function elementsMarkdown(elements: readonly BuilderElement[]): string {
  const parts: string[] = []
  for (const { element } of walk(elements)) {
    const level = headingLevel(element)
    for (const { text } of textsOf(element)) {
      const words = toMarkdown(text)
      if (words !== '') parts.push(level === undefined ? words : `${'#'.repeat(level)} ${words.replace(/^#+ /, '')}`)
    }
  }
  return parts.join('\n\n')
}

/** The words of a page as its editors wrote them. */
export const pageMarkdown = ({ elements, content }: Pick<PageRecord, 'elements' | 'content'>): string =>
  elements ? elementsMarkdown(elements) : toMarkdown(content)

export const formOf = ({ elements, content }: PageRecord): 'builder' | 'blocks' | 'html' =>
  elements ? 'builder' : /<!--\s+[a-z-]+:[a-z]/.test(content) ? 'blocks' : 'html'

/** The name of a widget, so that an outline reads as a list of parts. */
export const partLabel = (element: BuilderElement): string => {
  const level = headingLevel(element)
  return `[${elementId(element)}] ${elementName(element)}${level === undefined ? '' : ` h${level}`}`
}
