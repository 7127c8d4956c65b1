/** The tool `change_style` changes a color, a font or the look of a widget everywhere: shared styles, classes, and settings of pages. */
import { type BuilderElement, elementId, elementName, mapElements, settingsOf } from '../elements.ts'
import type { AgentSite, PageRecord } from '../site/agent-site.ts'
import { difference } from '../site/difference.ts'
import { mapLeaves } from '../site/page-texts.ts'
import { Scan, saveEach } from '../site/scan.ts'
import { isColor, type SharedStyle, sharedStyles, styleValue, writeStyles } from '../site/styles.ts'
import { TaskError, textOf, type Values } from '../site/task-error.ts'
import { dryRunArgument, pageArgument, type Task } from './task.ts'

export const changeStyle: Task = {
  name: 'change_style',
  title: 'Change the style everywhere',
  description:
    'With from and to: a global color, font or variable by its name gets a new value, which all pages follow; or every use of a value ' +
    'such as #aa0011 or Georgia becomes another, in shared styles, classes, pages and templates. With widget and settings: every element ' +
    'of that kind gets these settings. about_site lists the shared styles.',
  arguments: () => ({
    from: { type: 'string', description: 'The name of a global color, font or variable, or a value.', maxLength: 200 },
    to: { type: 'string', description: 'The new value.', maxLength: 200 },
    widget: { type: 'string', description: 'The kind of element, such as button or container.', maxLength: 60 },
    settings: {
      type: 'object',
      description: 'Settings of the elements, or of the global font in from. outline with part shows those of one.',
    },
    page: { ...pageArgument, description: 'Only elements of this page. Default: all.' },
    dry_run: dryRunArgument,
  }),
  writes: true,
  isOffered: (routes) => routes.mayBuildPages || routes.ending('post', '/v1/globals/colors/{id}') !== undefined,
  run(site, args) {
    if (args['widget'] !== undefined) return changeWidgets(site, args)
    if (args['from'] === undefined || (args['to'] === undefined && args['settings'] === undefined)) {
      throw new TaskError('mcp_invalid_argument', 'Give from and to, or widget and settings.')
    }
    return changeValues(site, args)
  },
}

// ---------------------------------------------------------------- pages

interface Restyled {
  readonly elements: readonly BuilderElement[]
  readonly places: readonly { readonly part: string; readonly difference: string }[]
}

/** Returns new settings of an element; the same settings where nothing changes. */
type Restyle = (element: BuilderElement) => BuilderElement

function restyled({ elements = [] }: PageRecord, restyle: Restyle): Restyled {
  const places: { readonly part: string; readonly difference: string }[] = []
  const changed = mapElements(elements, (element) => {
    const [old, settings] = [settingsOf(element), restyle(element)]
    const change = difference(linesOf(old), linesOf(settings))
    if (change === '') return element
    places.push({ part: elementId(element), difference: change })
    return { ...element, settings }
  })
  return { elements: changed, places }
}

const linesOf = (settings: Values): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .sort()
    .join('\n')

/** Places of one answer; all are changed. */
const maxShown = 60

interface RestyledPages {
  readonly answer: Values
  save(): Promise<Values>
}

async function restylePages(site: AgentSite, page: unknown, restyle: Restyle): Promise<RestyledPages> {
  const scan = new Scan(site)
  const records = page === undefined ? scan.records() : [await site.page(page)]
  const pages: PageRecord[] = []
  const shown: object[] = []
  let total = 0
  for await (const record of records) {
    const { places } = restyled(record, restyle)
    if (places.length === 0) continue
    const { id, kind, title } = record
    pages.push(record)
    shown.push(
      ...places.slice(0, Math.max(0, maxShown - total)).map((place) => ({ id, type: kind.name, title, ...place })),
    )
    total += places.length
  }
  return {
    answer: { elements: total, pages: pages.length, changes: shown, ...(page === undefined ? scan.summary : {}) },
    async save() {
      const { written, refused } = await saveEach(pages, async ({ kind, id }) => {
        // Read anew, so that nothing is written over a change of somebody else.
        const record = await site.pageOf({ kind, id })
        await site.save(record, { elements: restyled(record, restyle).elements })
      })
      return { written, ...(refused.length > 0 ? { refused } : {}) }
    },
  }
}

async function changeWidgets(site: AgentSite, { widget, settings, page, dry_run: isDryRun }: Values): Promise<object> {
  if (settings === undefined)
    throw new TaskError('mcp_invalid_argument', 'widget needs settings: what its elements get.')
  const pages = await restylePages(site, page, (element) =>
    elementName(element) === widget ? { ...settingsOf(element), ...(settings as Values) } : settingsOf(element),
  )
  if (isDryRun === true) return { dry_run: true, ...pages.answer }
  return { ...(await pages.save()), ...pages.answer }
}

// ---------------------------------------------------------------- shared styles and values

async function changeValues(site: AgentSite, { from, to, settings, page, dry_run: isDryRun }: Values): Promise<object> {
  const all = page === undefined ? await sharedStyles(site) : []
  const [old, now] = [textOf(from).trim(), textOf(to).trim()]
  const named = all.flatMap((style) => {
    const isNamed = [style.id, style.name].some((name) => name.toLowerCase() === old.toLowerCase())
    const value = isNamed ? namedValue(style, now, settings as Values | undefined) : undefined
    return value === undefined ? [] : [{ style, value }]
  })
  if (named.length === 0 && now === '') {
    throw new TaskError('mcp_no_style', `No global font has the name ${old}: about_site lists the shared styles.`, 404)
  }
  const shared = named.length > 0 ? named : all.flatMap((style) => sharedChange(style, old, now))
  const changed = shared.filter(({ style, value }) => JSON.stringify(style.value) !== JSON.stringify(value))
  // Elements follow a name; a value is also written in them.
  const pages =
    named.length > 0
      ? undefined
      : await restylePages(site, page, (element) => withValue(settingsOf(element), old, now) as BuilderElement)
  const answer = { shared: changed.map(({ style, value }) => sharedView(style, value)), ...pages?.answer }
  if (changed.length === 0 && (pages?.answer['elements'] ?? 0) === 0) {
    return {
      ...answer,
      note: `Nothing is called ${old} and nothing has that value: about_site lists the shared styles.`,
    }
  }
  if (isDryRun === true) return { dry_run: true, ...answer }
  await writeStyles(
    site,
    changed.map(({ style, value }) => ({ ...style, value })),
  )
  return { written_styles: changed.length, ...(await pages?.save()), ...answer }
}

/** Undefined where the new value is none of this kind: a color is no font. */
function namedValue({ kind, value }: SharedStyle, to: string, settings: Values | undefined): unknown {
  if (kind === 'font') {
    if (settings !== undefined) return { ...(value as Values), typography_typography: 'custom', ...settings }
    return isColor(to) || to === ''
      ? undefined
      : { ...(value as Values), typography_typography: 'custom', typography_font_family: to }
  }
  if (to === '' || kind === 'class') return undefined
  return kind === 'color' && !isColor(to) ? undefined : to
}

const sharedChange = (style: SharedStyle, from: string, to: string) => [
  { style, value: withValue(style.value, from, to) },
]

const withValue = (value: unknown, from: string, to: string): unknown =>
  mapLeaves(value, (leaf) => (typeof leaf === 'string' && styleValue(leaf) === styleValue(from) ? to : leaf))

const sharedView = ({ kind, id, name, value: old }: SharedStyle, value: unknown) => ({
  kind,
  id,
  name,
  difference: difference(shown(old), shown(value)),
})

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))
