/** The tool `history` lists the versions of a page, shows what differs from one of them, and restores it. */
import { parseElements } from '../elements.ts'
import { type AgentSite, type PageRecord, recordOf } from '../site/agent-site.ts'
import { difference } from '../site/difference.ts'
import { pageMarkdown } from '../site/page-texts.ts'
import { TaskError, type Values } from '../site/task-error.ts'
import { dryRunArgument, pageArgument, type Task } from './task.ts'

export const history: Task = {
  name: 'history',
  title: 'Versions of a page',
  description:
    'Without version: the saved versions of a page, newest first. With version: what restoring it changes. With restore: the page ' +
    'becomes that version again, as a new version.',
  arguments: ({ mayWritePages }) => ({
    page: pageArgument,
    version: { type: 'integer', description: 'The id of a version.', minimum: 1 },
    ...(mayWritePages
      ? {
          restore: { type: 'boolean', description: 'True: the version is restored.', default: false } as const,
          dry_run: dryRunArgument,
        }
      : {}),
  }),
  required: ['page'],
  writes: false,
  isOffered: ({ kinds }) => kinds.some(({ revisions }) => revisions !== undefined),
  async run(site, { page, version, restore, dry_run: isDryRun }) {
    const record = await site.page(page)
    const { id, title, link } = record
    if (version === undefined) {
      if (restore === true)
        throw new TaskError('mcp_invalid_argument', 'restore needs version: without it the tool lists the versions.')
      return { id, title, link, versions: await versionsOf(site, record) }
    }
    const old = await versionOf(site, record, Number(version))
    const change = { id, version, link, difference: difference(shown(record), shown(old)) }
    if (restore !== true) return change
    if (isDryRun === true) return { dry_run: true, ...change }
    await restoreVersion(site, record, old, Number(version))
    const [newest] = await versionsOf(site, record)
    return { written: true, ...change, ...(newest ? { version_now: newest.version } : {}) }
  },
}

const shown = (record: PageRecord) => `# ${record.title}\n\n${pageMarkdown(record)}`

/** Versions of one answer. */
const maxVersions = 50

async function versionsOf(site: AgentSite, { kind, id }: PageRecord) {
  const fields = 'id,author,date,title'
  const { data } = await site.call(kind.revisions, {
    parent: id,
    context: 'edit',
    per_page: maxVersions,
    _fields: fields,
  })
  // The cast: the members that were asked for.
  return (data as readonly Values[]).map(({ id: version, author, date, title }) => ({
    version,
    author,
    date,
    title: (title as { readonly raw: string }).raw,
  }))
}

async function versionOf(site: AgentSite, { kind, id, elements }: PageRecord, version: number): Promise<PageRecord> {
  const { data } = await site.call(kind.revisions, { parent: id, include: [version], context: 'edit' })
  // The cast: a list of revisions.
  const [found] = data as readonly Values[]
  if (!found)
    throw new TaskError('mcp_no_version', `The page has no version ${version}: leave out version to see them.`, 404)
  const old = recordOf(kind, found)
  if (old.elements || !elements || kind.builder) return old
  return { ...old, elements: parseElements((found['meta'] as Values | undefined)?.['elements']) }
}

async function restoreVersion(site: AgentSite, record: PageRecord, old: PageRecord, version: number): Promise<void> {
  const { id, kind, elements } = record
  if (elements && !kind.builder) {
    await site.call(site.routes.documents.restore, { id, revision: version })
    return
  }
  const { title, content, excerpt } = old
  await site.save(record, { title, excerpt, ...(old.elements ? { elements: old.elements } : { content }) })
}
