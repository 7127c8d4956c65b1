/** The tool `outline` lists the parts of a page, each with the id by which other tools change it. */
import { type BuilderElement, elementId, elementsIn, walk } from '../elements.ts'
import { toMarkdown } from '../markdown/from-html.ts'
import type { PageRecord } from '../site/agent-site.ts'
import { partsOf } from '../site/content-parts.ts'
import { cut } from '../site/difference.ts'
import { formOf, partLabel, textsOf } from '../site/page-texts.ts'
import { TaskError } from '../site/task-error.ts'
import { pageArgument, type Task } from './task.ts'

/** Lines of an outline; a page of more is cut. */
const maxLines = 400

export const outline: Task = {
  name: 'outline',
  title: 'Outline of a page',
  description:
    'The parts of a page in order, one a line, indented by depth: [part] kind: first words. With part: that part alone with all its ' +
    'settings or its source. change_text takes the ids of parts.',
  arguments: () => ({
    page: pageArgument,
    part: { type: ['string', 'integer'], description: 'The id of one part, to see all of it.', maxLength: 60 },
  }),
  required: ['page'],
  writes: false,
  isOffered: ({ kinds }) => kinds.length > 0,
  async run(site, { page, part }) {
    const record = await site.page(page)
    const { id, kind, title, status, link } = record
    const head = { id, type: kind.name, title, status, link, form: formOf(record) }
    if (part !== undefined) return { ...head, part: partOf(record, String(part)) }
    const lines = record.elements ? elementLines(record.elements) : contentLines(record.content)
    const left = lines.length - maxLines
    return { ...head, outline: [...lines.slice(0, maxLines), ...(left > 0 ? [`(${left} more parts)`] : [])].join('\n') }
  },
}

const elementLines = (elements: readonly BuilderElement[]): readonly string[] =>
  [...walk(elements)].map(({ element, depth }) => {
    const words = textsOf(element)
      .map(({ text }) => toMarkdown(text).replace(/\s+/g, ' '))
      .join(' | ')
    return `${'  '.repeat(depth)}${partLabel(element)}${words === '' ? '' : `: ${cut(words, 100)}`}`
  })

const contentLines = (content: string): readonly string[] =>
  partsOf(content).map(({ part, name, markdown }) => `[${part}] ${name}: ${cut(markdown.replace(/\s+/g, ' '), 100)}`)

export function elementOf(elements: readonly BuilderElement[], part: string): BuilderElement {
  for (const { element } of walk(elements)) if (elementId(element) === part) return element
  throw noPart(part)
}

export const noPart = (part: string) =>
  new TaskError('mcp_no_part', `The page has no part ${part}: the tool outline lists its parts.`, 404)

function partOf({ elements, content }: PageRecord, part: string): object {
  if (elements) {
    const element = elementOf(elements, part)
    const { elements: _, ...own } = element
    return { ...own, texts: textsOf(element), inner: elementsIn(element).map(elementId) }
  }
  const found = partsOf(content).find((one) => `${one.part}` === part)
  if (!found) throw noPart(part)
  return { part: found.part, name: found.name, markdown: found.markdown, source: content.slice(found.from, found.to) }
}
