/** The tool `where_used` finds what refers to a file, a page, a color, a font, a class, a widget, a template, an address or words. */
import { type BuilderElement, elementId, elementName, settingsOf, walk } from '../elements.ts'
import type { AgentSite, PageRecord } from '../site/agent-site.ts'
import { around, cut } from '../site/difference.ts'
import { isShown, type Leaf, mapLeaves } from '../site/page-texts.ts'
import { Scan } from '../site/scan.ts'
import { type StyleKind, sharedStyles, styleValue } from '../site/styles.ts'
import { TaskError, textOf, type Values } from '../site/task-error.ts'
import type { Task } from './task.ts'

export const whereUsed: Task = {
  name: 'where_used',
  title: 'Where is this used',
  description: 'Lists the pages and templates, with part and setting, that use something.',
  arguments: () => ({
    kind: {
      type: 'string',
      description:
        'What it is. widget: the name of a kind of element, such as button. link: an address or a part of one.',
      enum: ['media', 'page', 'template', 'color', 'font', 'variable', 'class', 'widget', 'link', 'text'],
    },
    what: { type: ['string', 'integer'], description: 'Its id, name, address, value or words.', maxLength: 500 },
    limit: {
      type: 'integer',
      description: 'The most uses that are listed; all are counted.',
      default: 50,
      minimum: 1,
      maximum: 500,
    },
  }),
  required: ['kind', 'what'],
  writes: false,
  isOffered: ({ kinds }) => kinds.length > 0,
  async run(site, { kind, what, limit }) {
    const test = await testFor(site, textOf(kind), String(what).trim())
    const uses: object[] = []
    let total = 0
    const scan = new Scan(site)
    for await (const record of scan.records()) {
      const found = usesIn(record, test)
      total += found.length
      const { id, kind: type, title, link } = record
      const places = found.slice(0, Math.max(0, Number(limit) - uses.length))
      uses.push(...places.map((place) => ({ id, type: type.name, title, link, ...place })))
    }
    return { total, uses, ...scan.summary }
  },
}

/** How one use is recognised; each member is asked where it is present. */
interface UseTest {
  readonly leaf?: (value: string | number, at: Leaf, owner: BuilderElement) => boolean
  readonly element?: (element: BuilderElement) => boolean
  /** Searches a text of blocks or HTML. */
  readonly content?: RegExp
  readonly record?: (record: PageRecord) => boolean
}

interface Use {
  readonly part?: string
  readonly widget?: string
  readonly setting?: string
  readonly text?: string
}

function usesIn(record: PageRecord, { leaf, element: isUse, content, record: isUsedBy }: UseTest): readonly Use[] {
  const uses: Use[] = isUsedBy?.(record) ? [{ setting: 'featured_media' }] : []
  for (const { element } of walk(record.elements ?? [])) {
    const place = { part: elementId(element), widget: elementName(element) }
    if (isUse?.(element)) uses.push(place)
    mapLeaves(settingsOf(element), (value, at) => {
      if (leaf?.(value, at, element)) uses.push({ ...place, setting: at.path, text: cut(String(value), 120) })
      return value
    })
  }
  if (content && !record.elements) {
    for (const { index, 0: text } of record.content.matchAll(content)) {
      uses.push({ setting: 'content', text: around(record.content, index, text.length) })
    }
  }
  return uses
}

// ---------------------------------------------------------------- kinds

async function testFor(site: AgentSite, kind: string, what: string): Promise<UseTest> {
  if (what === '') throw new TaskError('mcp_invalid_argument', 'what is empty.')
  switch (kind) {
    case 'media':
      return mediaTest(site, what)
    case 'page':
      return pageTest(site, what)
    case 'template':
      return idTest(what, /^(?:template_id|templateID|component_id)$|popup/)
    case 'color':
      return globalTest(site, 'color', what)
    case 'font':
      return globalTest(site, 'font', what)
    case 'variable':
      return variableTest(site, what)
    case 'class':
      return classTest(site, what)
    case 'widget':
      return { element: (element) => elementName(element) === what, content: blockPattern(what) }
    case 'link':
      return {
        leaf: (value, { name, path }) =>
          typeof value === 'string' && (isAddress(name, path) || value.includes('<')) && value.includes(what),
        content: new RegExp(`(?:href|src)="[^"]*${escaped(what)}[^"]*"`, 'gi'),
      }
    default: {
      const words = what.toLowerCase()
      return {
        leaf: (value, at) => typeof value === 'string' && value.toLowerCase().includes(words) && isShown(at, value),
        content: new RegExp(escaped(what), 'gi'),
      }
    }
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
const isAddress = (name: string, path: string) => /^(?:url|href|link)$/.test(name) || /(?:^|\.)(?:url|href)$/.test(path)
const blockPattern = (name: string) => new RegExp(`<!--\\s+[a-z]+:${escaped(name)}\\s`, 'g')

const idTest = (what: string, names: RegExp): UseTest => ({
  leaf: (value, { name }) => names.test(name) && String(value) === what,
})

/** A file is named by its id, or by its address in any of its sizes. */
async function mediaTest(site: AgentSite, what: string): Promise<UseTest> {
  const get = site.routes.ending('get', '/v2/media/{id}')
  const { data } = await site.call(get, { id: what.replace(/^media:/, ''), _fields: 'id,source_url' })
  const { id, source_url: address } = data as Values
  const stem = textOf(address)
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\.\w+$/, '')
  const isInId = (path: string) => /(?:^|\.)id(?:\.value)?$/.test(path)
  return {
    leaf: (value, { path, name }) =>
      typeof value === 'number' || /^\d+$/.test(value)
        ? Number(value) === id && (isInId(path) || name === 'attachment_id')
        : stem !== '' && value.includes(stem),
    content: new RegExp(
      `-image-${id}\\b|"(?:id|mediaId)":${id}\\b${stem === '' ? '' : `|${escaped(stem)}(?=[-.])`}`,
      'g',
    ),
    record: ({ picture }) => picture === id,
  }
}

async function pageTest(site: AgentSite, what: string): Promise<UseTest> {
  const { id, link } = await site.page(what)
  const path = link.replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, '')
  const isLink = (text: string) =>
    text
      .replace(/^https?:\/\/[^/]+/, '')
      .replace(/[?#].*$/, '')
      .replace(/\/$/, '') === path
  return {
    leaf: (value, { name, path: at }) =>
      (isAddress(name, at) && typeof value === 'string' && value !== '' && isLink(value)) ||
      (typeof value === 'string' &&
        value.includes(`href="`) &&
        [...value.matchAll(/href="([^"]*)"/g)].some(([, url = '']) => isLink(url))) ||
      (/^(?:post_id|page_id|template_id)$|_ids$/.test(name) && String(value) === String(id)),
    content: new RegExp(`href="(?:https?://[^/"]+)?${escaped(path)}/?(?:[?#][^"]*)?"`, 'g'),
  }
}

/** A shared style is named by its id, its title or its label. */
const named = async (site: AgentSite, kind: StyleKind, what: string): Promise<readonly string[]> =>
  (await sharedStyles(site))
    .filter((one) => one.kind === kind && [one.id, one.name].some((name) => name.toLowerCase() === what.toLowerCase()))
    .map(({ id }) => id)

async function globalTest(site: AgentSite, kind: 'color' | 'font', what: string): Promise<UseTest> {
  const route = kind === 'color' ? 'colors' : 'typography'
  const references = (await named(site, kind, what)).map((id) => `globals/${route}?id=${id}`)
  const value = styleValue(what)
  return {
    leaf: (leaf) => typeof leaf === 'string' && (references.includes(leaf) || styleValue(leaf) === value),
    content: new RegExp(escaped(what), 'gi'),
  }
}

async function variableTest(site: AgentSite, what: string): Promise<UseTest> {
  const ids = await named(site, 'variable', what)
  if (ids.length > 0) return { leaf: (value) => typeof value === 'string' && ids.includes(value) }
  throw new TaskError('mcp_no_style', `There is no variable ${what}: about_site lists the styles.`, 404)
}

async function classTest(site: AgentSite, what: string): Promise<UseTest> {
  const ids = await named(site, 'class', what)
  const isNamed = (value: string) => value.split(/\s+/).includes(what)
  return {
    leaf: (value, { name }) =>
      typeof value === 'string' &&
      (ids.includes(value) || (/(?:^|_)css_classes$|^classes$/.test(name) && isNamed(value))),
    content: new RegExp(`class="(?:[^"]*\\s)?${escaped(what)}(?:\\s[^"]*)?"`, 'g'),
  }
}
