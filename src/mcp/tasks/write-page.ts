/** The tool `write_page` makes a page from Markdown, as elements of the page builder or as blocks. */
import { inlineText } from '../markdown/inline.ts'
import { type MarkdownBlock, parseMarkdown } from '../markdown/parse.ts'
import type { AgentSite, PageRecord } from '../site/agent-site.ts'
import { difference } from '../site/difference.ts'
import { formOf, pageMarkdown } from '../site/page-texts.ts'
import type { PageKind } from '../site/site-routes.ts'
import { TaskError, textOf, type Values } from '../site/task-error.ts'
import { joinedText, writtenText } from '../site/written-text.ts'
import { dryRunArgument, pageArgument, type Task } from './task.ts'

export const writePage: Task = {
  name: 'write_page',
  title: 'Write a page',
  description:
    'Makes a page from Markdown in one call, or writes the text of one that exists. An outline is Markdown too: a heading for each ' +
    'section, and the words below it. Each "## " begins a section. Known: headings, paragraphs, **bold**, *italic*, ~~struck~~, `code`, ' +
    'links, lists, quotes, tables, fenced code, "---". Alone on a line: ![alt text](address or media:ID "caption") is a picture, ' +
    '[Words](address){button} a button. HTML is shown as text. A new page is a draft unless status says otherwise.',
  arguments: ({ kinds }) => ({
    markdown: { type: 'string', description: 'The text. A first "# " line is the title where title is not given.' },
    title: { type: 'string', description: 'The title, without marks.', maxLength: 500 },
    page: { ...pageArgument, description: 'Id, slug or address of the page to write. Default: a new page is made.' },
    place: {
      type: 'string',
      description: 'Where the text goes in a page that exists.',
      enum: ['replace', 'start', 'end'],
      default: 'replace',
    },
    type: {
      type: 'string',
      description: 'The kind of a new page. Default: pages, where the site has them.',
      enum: kinds.filter(({ create }) => create !== undefined).map(({ name }) => name),
    },
    form: {
      type: 'string',
      description:
        'builder: elements of the page builder; blocks: blocks of the editor. Default: that of the page; pages are built, all other kinds have blocks.',
      enum: ['builder', 'blocks'],
    },
    status: { type: 'string', description: 'The status.', enum: ['draft', 'publish', 'pending', 'private'] },
    slug: { type: 'string', description: 'The last part of the address.', maxLength: 200 },
    excerpt: { type: 'string', description: 'A summary of one or two sentences.', maxLength: 2000 },
    parent: { type: 'integer', description: 'The id of the page above.', minimum: 0 },
    dry_run: dryRunArgument,
  }),
  required: ['markdown'],
  writes: true,
  isOffered: ({ kinds }) => kinds.some(({ create, update }) => create !== undefined || update !== undefined),
  run: (site, args) => (args['page'] === undefined ? makePage(site, args) : rewritePage(site, args)),
}

interface Text {
  readonly title: string | undefined
  readonly blocks: readonly MarkdownBlock[]
}

/** The page shows its title, so that a first heading with the same words is not repeated. */
function textFrom({ markdown, title }: Values, isNew: boolean): Text {
  const blocks = parseMarkdown(textOf(markdown))
  const [first] = blocks
  const heading = first?.type === 'heading' && first.level === 1 ? inlineText(first.text) : undefined
  const given = title === undefined ? undefined : textOf(title).trim()
  const isTitle = heading !== undefined && (given === undefined ? isNew : given === heading)
  return { title: given ?? (isTitle ? heading : undefined), blocks: isTitle ? blocks.slice(1) : blocks }
}

const membersOf = ({ status, slug, excerpt, parent }: Values, title: string | undefined): Values =>
  Object.fromEntries(
    Object.entries({ title, status, slug, excerpt, parent }).filter(([, value]) => value !== undefined),
  )

async function makePage(site: AgentSite, args: Values): Promise<object> {
  const kind = kindFor(site, args['type'])
  const { title, blocks } = textFrom(args, true)
  const form = formFor(
    site,
    kind,
    args['form'] ?? (kind.name === 'pages' && site.mayBuild(kind) ? 'builder' : 'blocks'),
  )
  const text = await writtenText(site, blocks, form)
  const members = membersOf({ ...args, status: args['status'] ?? 'draft' }, title)
  const made = { type: kind.name, form, difference: difference('', shown(title, text)) }
  if (args['dry_run'] === true) return { dry_run: true, would_create: members, ...made }
  const { id, link, status } = await site.create(kind, { ...text, fields: members })
  return {
    created: true,
    id,
    link,
    status,
    ...made,
    undo: { tool: 'publish', arguments: { page: id, status: 'trash' } },
  }
}

async function rewritePage(site: AgentSite, args: Values): Promise<object> {
  const record = await site.page(args['page'])
  const { id, kind, link } = record
  const form = formFor(site, kind, args['form'] ?? formOfPage(site, record))
  const place = textOf(args['place'])
  const isOther = (form === 'builder') !== (record.elements !== undefined) && pageMarkdown(record) !== ''
  if (isOther && (place !== 'replace' || (record.elements && !kind.builder))) {
    throw new TaskError('mcp_other_form', `The page has the form ${formOf(record)}: leave out form.`)
  }
  const { title, blocks } = textFrom(args, false)
  const text = joinedText(record, await writtenText(site, blocks, form), place)
  const change = difference(shown(record.title, record), shown(title ?? record.title, text))
  if (args['dry_run'] === true) return { dry_run: true, id, link, form, difference: change }
  await site.save(record, { ...text, fields: membersOf(args, title) })
  return { written: true, id, link, form, difference: change, undo: { tool: 'history', arguments: { page: id } } }
}

const shown = (
  title: string | undefined,
  text: { readonly elements?: PageRecord['elements']; readonly content?: string },
) => `# ${title ?? ''}\n\n${pageMarkdown({ elements: text.elements, content: text.content ?? '' })}`

function kindFor({ routes: { kinds } }: AgentSite, type: unknown): PageKind {
  const made = kinds.filter(({ create }) => create !== undefined)
  const kind =
    type === undefined ? (made.find(({ name }) => name === 'pages') ?? made[0]) : made.find(({ name }) => name === type)
  if (kind) return kind
  const names = made.map(({ name }) => name).join(', ')
  throw new TaskError(
    'mcp_not_allowed',
    `The host allows agents no new ${type ?? 'pages'}${names === '' ? '' : `, but ${names}`}.`,
    403,
  )
}

/** A page without words becomes what new ones are. */
const formOfPage = (site: AgentSite, { kind, elements, content }: PageRecord) =>
  elements || (kind.name === 'pages' && content === '' && site.mayBuild(kind)) ? 'builder' : 'blocks'

function formFor(site: AgentSite, kind: PageKind, form: unknown): 'builder' | 'blocks' {
  if (form !== 'builder') return 'blocks'
  if (site.mayBuild(kind)) return 'builder'
  throw new TaskError('mcp_no_builder', `No route writes elements of ${kind.name} here: use the form blocks.`)
}
