/** The tool `read` gives a page as its readers see it, as Markdown. */
import { toMarkdown } from '../markdown/from-html.ts'
import { pageMarkdown } from '../site/page-texts.ts'
import type { Values } from '../site/task-error.ts'
import { pageArgument, type Task } from './task.ts'

const members =
  'id,slug,link,status,type,title,content,excerpt,date_gmt,modified_gmt,author,parent,featured_media,categories,tags'

export const read: Task = {
  name: 'read',
  title: 'Read a page',
  description: 'The text of a page as its readers see it, as Markdown, with title, status, address and dates.',
  arguments: () => ({ page: pageArgument }),
  required: ['page'],
  writes: false,
  isOffered: ({ kinds }) => kinds.length > 0,
  async run(site, { page }) {
    const found = await site.find(page)
    const { kind, id } = found
    if (kind.documentKind) {
      const record = await site.pageOf(found)
      const { title, status, link } = record
      return { id, type: kind.name, title, status, link, markdown: pageMarkdown(record) }
    }
    const { data } = await site.call(kind.get, { id, _fields: members })
    const { title, content, excerpt, id: _, type: __, ...details } = data as Values
    const { rendered, protected: isProtected } = content as { readonly rendered: string; readonly protected?: boolean }
    return {
      id,
      type: kind.name,
      title: toMarkdown(renderedOf(title)),
      ...details,
      ...(excerpt === undefined ? {} : { excerpt: toMarkdown(renderedOf(excerpt)) }),
      markdown: isProtected === true && rendered === '' ? '(A password protects this text.)' : toMarkdown(rendered),
    }
  },
}

const renderedOf = (value: unknown): string => String(((value ?? {}) as Values)['rendered'] ?? '')
