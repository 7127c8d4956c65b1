/** The tool `publish` changes the status of a page, and moves it into the trash and out of it. */
import { dryRunArgument, pageArgument, type Task } from './task.ts'

export const publish: Task = {
  name: 'publish',
  title: 'Publish a page',
  description: 'Publishes a page, plans it for a time, takes it back to a draft, or moves it to the trash.',
  arguments: () => ({
    page: pageArgument,
    status: {
      type: 'string',
      description: 'The new status. future needs date; trash can be undone with draft.',
      enum: ['publish', 'future', 'draft', 'pending', 'private', 'trash'],
      default: 'publish',
    },
    date: {
      type: 'string',
      description: 'The time of publication in the time zone of the site: 2025-01-31T08:00:00.',
      maxLength: 40,
    },
    dry_run: dryRunArgument,
  }),
  required: ['page'],
  writes: true,
  isOffered: ({ kinds }) => kinds.some(({ update, remove }) => update !== undefined || remove !== undefined),
  async run(site, { page, status, date, dry_run: isDryRun }) {
    const record = await site.page(page)
    const { id, kind, title, link, status: before } = record
    const after = date === undefined ? `${status}` : `${status} at ${date}`
    const change = { id, title, link, difference: before === after ? '' : `- status: ${before}\n+ status: ${after}` }
    if (isDryRun === true) return { dry_run: true, ...change }
    if (status === 'trash') await site.call(kind.remove, { id })
    else await site.save(record, { fields: { status, ...(date === undefined ? {} : { date }) } })
    const undo = { tool: 'publish', arguments: { page: id, status: before } }
    return {
      written: true,
      ...change,
      ...((await site.tried(kind.get, { id, context: 'edit', _fields: 'status,link' }))?.data ?? {}),
      undo,
    }
  },
}
