/** The tool `about_site` says how a site is called, which kinds of pages it has and what the agent may do there. */
import type { AgentSite } from '../site/agent-site.ts'
import type { PageKind } from '../site/site-routes.ts'
import { type SharedStyle, sharedStyles } from '../site/styles.ts'
import type { Values } from '../site/task-error.ts'
import type { Task } from './task.ts'

export const aboutSite: Task = {
  name: 'about_site',
  title: 'About the site',
  description:
    'Name, front page, kinds of pages with their number, the user of this connection, and what the host allows. Begin here.',
  arguments: () => ({}),
  writes: false,
  isOffered: ({ kinds }) => kinds.length > 0,
  async run(site) {
    const { routes } = site
    const [settings, user, styles, kinds] = await Promise.all([
      site.tried(routes.ending('get', '/v2/settings'), {}),
      site.tried(routes.ending('get', '/users/me'), { context: 'edit', _fields: 'id,slug,name,roles' }),
      sharedStyles(site),
      Promise.all(routes.kinds.map((kind) => counted(site, kind))),
    ])
    return {
      title: routes.title,
      ...(settings ? { settings: settings.data } : {}),
      user: user?.data ?? 'a visitor',
      kinds,
      ...(styles.length > 0 ? { styles: styles.map(styleView) } : {}),
      writes: [...routes.tools.values()].filter(({ reads }) => !reads).length,
    }
  },
}

/** The variants of a class are long; where_used and describe_route lead to them. */
const styleView = ({ kind, id, name, value }: SharedStyle) => ({
  kind,
  id,
  name,
  ...(kind === 'class' ? {} : { value }),
})

async function counted(site: AgentSite, kind: PageKind) {
  const { headers } = await site.list(kind, { per_page: 1, _fields: 'id' })
  const can: Values = { create: kind.create, update: kind.update, delete: kind.remove }
  return {
    type: kind.name,
    total: Number(headers.get(kind.list.totals?.total ?? '')),
    form: site.mayBuild(kind) ? 'builder or blocks' : 'blocks',
    host_allows: ['read', ...Object.keys(can).filter((name) => can[name] !== undefined)],
  }
}
