/** The words of a page: those of its elements with the settings that hold them, and the whole as Markdown. */
import { isAuthorText } from '../../render/builder/widgets/author-texts.ts'
import { type BuilderElement, elementId, elementName, isObject, settingsOf, walk } from '../elements.ts'
import { toMarkdown } from '../markdown/from-html.ts'
import type { PageRecord } from './agent-site.ts'

/** Lists and objects inside settings. */
const maxDepth = 12

/** Returns a copy of a value with its texts for readers changed. The path of a text names its setting: `tabs.0.tab_title`. */
function mapTexts(
  value: unknown,
  change: (text: string, path: string) => string,
  name = '',
  path = '',
  depth = 0,
): unknown {
  if (depth > maxDepth) return value
  if (typeof value === 'string') return name !== '' && isAuthorText(name, value) ? change(value, path) : value
  if (Array.isArray(value))
    return value.map((inner, at) => mapTexts(inner, change, name, joined(path, `${at}`), depth + 1))
  if (!isObject(value)) return value
  // Values of the current generation have the words of their type in place of a name.
  const isTyped = typeof value['$$type'] === 'string'
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key.startsWith('_') || key === '$$type'
        ? inner
        : mapTexts(
            inner,
            change,
            isTyped || /^(?:value|content)$/.test(key) ? name || key : key,
            joined(path, key),
            depth + 1,
          ),
    ]),
  )
}

const joined = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

interface ElementText {
  readonly setting: string
  readonly text: string
}

export function textsOf(element: BuilderElement): readonly ElementText[] {
  const texts: ElementText[] = []
  mapTexts(settingsOf(element), (text, setting) => {
    texts.push({ setting, text })
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
