/** The tool `about_site` says how a site is called, which kinds of pages it has and what the agent may do there. */
import type { AgentSite } from './agent-site.ts'
import type { PageKind } from './site-routes.ts'
import type { Task } from './task.ts'
import type { Values } from './task-error.ts'

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
    const [settings, user, kinds] = await Promise.all([
      site.tried(routes.ending('get', '/v2/settings'), {}),
      site.tried(routes.ending('get', '/users/me'), { context: 'edit', _fields: 'id,slug,name,roles' }),
      Promise.all(routes.kinds.map((kind) => counted(site, kind))),
    ])
    return {
      title: routes.title,
      ...(settings ? { settings: settings.data } : {}),
      user: user?.data ?? 'a visitor',
      kinds,
      writes: [...routes.tools.values()].filter(({ reads }) => !reads).length,
    }
  },
}

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
