/** The tool `change_text` replaces words in one page or everywhere, or writes one part of a page. */
import { type BuilderElement, elementId, mapElements, settingsOf } from '../elements.ts'
import { toBlocks } from '../markdown/blocks.ts'
import { htmlOf } from '../markdown/html.ts'
import { inlineHtml, isSafeAddress } from '../markdown/inline.ts'
import { parseMarkdown } from '../markdown/parse.ts'
import type { AgentSite, PageChanges, PageRecord } from '../site/agent-site.ts'
import { partsOf } from '../site/content-parts.ts'
import { difference } from '../site/difference.ts'
import { formOf, mapLeaves, textsOf } from '../site/page-texts.ts'
import { type Replacement, replaceInPage } from '../site/replace-text.ts'
import { Scan, saveEach } from '../site/scan.ts'
import { TaskError, textOf, type Values } from '../site/task-error.ts'
import { elementOf, noPart } from './outline.ts'
import { dryRunArgument, pageArgument, type Task } from './task.ts'

export const changeText: Task = {
  name: 'change_text',
  title: 'Change a text',
  description:
    'With find: replaces words in titles and texts, in one page or, without page, in all pages and templates; in: links replaces ' +
    'addresses of links and pictures. With page and part: writes that part of a page from Markdown. Tags, options and code stay.',
  arguments: () => ({
    find: { type: 'string', description: 'The words or the address to replace, within one paragraph.', maxLength: 500 },
    replace: { type: 'string', description: 'The new words, or the new address. Without markup.' },
    page: { ...pageArgument, description: 'One page. Default: all.' },
    part: { type: ['string', 'integer'], description: 'The id of a part of page, from outline.', maxLength: 60 },
    setting: {
      type: 'string',
      description: 'Which text of a part that has several, such as tabs.0.tab_title.',
      maxLength: 200,
    },
    in: { type: 'string', description: 'Where to look.', enum: ['text', 'links'], default: 'text' },
    ignore_case: { type: 'boolean', description: 'True: capitals do not matter.', default: false },
    whole_words: {
      type: 'boolean',
      description: 'False: parts of words too. Links are always searched so.',
      default: true,
    },
    dry_run: dryRunArgument,
  }),
  required: ['replace'],
  writes: true,
  isOffered: ({ mayWritePages }) => mayWritePages,
  run(site, args) {
    if (args['part'] !== undefined) return changePart(site, args)
    if (textOf(args['find']).trim() === '') throw new TaskError('mcp_invalid_argument', 'Give find, or page and part.')
    return replaceWords(site, args)
  },
}

// ---------------------------------------------------------------- words

/** Places of one answer; all are changed. */
const maxShown = 100

async function replaceWords(site: AgentSite, args: Values): Promise<object> {
  const replacement: Replacement = {
    find: textOf(args['find']).trim(),
    replace: textOf(args['replace']),
    where: args['in'] === 'links' ? 'links' : 'text',
    ignoresCase: args['ignore_case'] === true,
    wholeWords: args['whole_words'] === true && args['in'] !== 'links',
  }
  if (replacement.where === 'links' && !isSafeAddress(replacement.replace)) {
    throw new TaskError('mcp_invalid_argument', 'replace is no address that a page may link to.')
  }
  const scan = new Scan(site)
  const records = args['page'] === undefined ? scan.records() : [await site.page(args['page'])]
  const pages: { readonly id: number; readonly record: PageRecord; readonly view: object; readonly count: number }[] =
    []
  for await (const record of records) {
    const { places } = replaceInPage(record, replacement)
    const { id, kind, title, link } = record
    if (places.length > 0)
      pages.push({ id, record, count: places.length, view: { id, type: kind.name, title, link, changes: places } })
  }
  const total = pages.reduce((sum, { count }) => sum + count, 0)
  const answer = { changes: total, pages: shownPages(pages), ...(args['page'] === undefined ? scan.summary : {}) }
  if (args['dry_run'] === true) return { dry_run: true, ...answer }
  const { written, refused } = await saveEach(pages, async ({ record: { kind, id } }) => {
    // Read anew, so that nothing is written over a change of somebody else.
    const record = await site.pageOf({ kind, id })
    await site.save(record, replaceInPage(record, replacement).changes)
  })
  return { written, ...(refused.length > 0 ? { refused } : {}), ...answer }
}

function shownPages(pages: readonly { readonly view: object; readonly count: number }[]): readonly object[] {
  let left = maxShown
  const shown = pages.filter(({ count }) => {
    const fits = left > 0
    left -= count
    return fits
  })
  const more = pages.length - shown.length
  return [...shown.map(({ view }) => view), ...(more > 0 ? [{ more_pages: more }] : [])]
}

// ---------------------------------------------------------------- one part

async function changePart(
  site: AgentSite,
  { page, part, setting, replace, dry_run: isDryRun }: Values,
): Promise<object> {
  if (page === undefined) throw new TaskError('mcp_invalid_argument', 'part needs page: the page that has it.')
  const record = await site.page(page)
  const { id, title, link, elements } = record
  const changed = elements
    ? changedElement(elements, String(part), textOf(setting), textOf(replace))
    : changedContent(site, record, String(part), textOf(replace))
  const answer = { id, title, link, part, difference: difference(changed.before, changed.after) }
  if (isDryRun === true) return { dry_run: true, ...answer }
  await site.save(record, changed.changes)
  return { written: true, ...answer, undo: { tool: 'history', arguments: { page: id } } }
}

interface ChangedPart {
  readonly before: string
  readonly after: string
  readonly changes: PageChanges
}

function changedElement(
  elements: readonly BuilderElement[],
  part: string,
  setting: string,
  replace: string,
): ChangedPart {
  const element = elementOf(elements, part)
  const texts = textsOf(element)
  const found =
    setting === '' ? (texts.length === 1 ? texts[0] : undefined) : texts.find((one) => one.setting === setting)
  if (!found) {
    const names = texts.map((one) => one.setting).join(', ')
    const message =
      names === '' ? `The part ${part} has no text.` : `Name one text of the part ${part} in setting: ${names}.`
    throw new TaskError('mcp_no_text', message)
  }
  const blocks = parseMarkdown(replace)
  const isProse = /<(?:p|ul|ol|blockquote|h[1-6]|table|pre)\b/i.test(found.text) || found.setting === 'editor'
  const after = isProse ? htmlOf(blocks, plainPictures) : inlineHtml(replace.trim())
  const settings = mapLeaves(settingsOf(element), (leaf, { path }) => (path === found.setting ? after : leaf))
  const changed = mapElements(elements, (one) => (elementId(one) === part ? { ...one, settings } : one))
  return { before: found.text, after, changes: { elements: changed } }
}

const plainPictures = { pictureAddress: (source: string) => source, pictureId: () => undefined }

function changedContent({ routes }: AgentSite, record: PageRecord, part: string, replace: string): ChangedPart {
  const { content } = record
  const found = partsOf(content).find((one) => `${one.part}` === part)
  if (!found) throw noPart(part)
  const blocks = parseMarkdown(replace)
  const after =
    formOf(record) === 'blocks'
      ? toBlocks(blocks, { ...plainPictures, vendor: routes.vendor })
      : `${htmlOf(blocks, plainPictures)}\n`
  const before = content.slice(found.from, found.to)
  return { before, after, changes: { content: content.slice(0, found.from) + after + content.slice(found.to) } }
}
