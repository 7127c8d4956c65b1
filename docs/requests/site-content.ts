/** Pages of the site's own pages, blocks and people. */
import { content } from '../../src/index.ts'
import type { Group } from './group.ts'

const pages = '/cms/v2/pages'
const blocks = '/cms/v2/blocks'
const users = '/cms/v2/users'

const pageGroup: Group = {
  slug: 'pages',
  title: 'Pages',
  intro:
    'Pages have parents, places among their siblings and templates, and neither terms nor formats. Slugs are unique\n' +
    'below one parent, and the address of a page consists of the slugs of all of its parents. Editors and administrators write\n' +
    'them. When a page is removed, its children move up. New pages are closed for comments.',
  features: ['pages'],
  sources: ['posts/!(autosaves)'],
  profile: content,
  async run({ ask, id }) {
    const parent = id('page.about')
    const shows = ['id', 'slug', 'status', 'link', 'title', 'parent', 'menu_order']
    const made = await ask({
      says: 'An editor creates a page below another one.',
      as: 'tomas',
      method: 'POST',
      path: pages,
      body: { title: 'House rules', status: 'publish', parent, menu_order: 2 },
      shows,
    })
    await ask({
      says: 'The pages below one page, in their order.',
      as: null,
      method: 'GET',
      path: `${pages}?parent=${parent}&orderby=menu_order&order=asc&_fields=id,slug,menu_order`,
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'An author may not write pages.',
      as: 'wren',
      method: 'PATCH',
      path: `${pages}/${made.at('id')}`,
      body: { title: 'Other rules' },
    })
    await ask({
      says: 'A page can not have itself as parent: it moves to the top.',
      as: 'tomas',
      method: 'PATCH',
      path: `${pages}/${made.at('id')}`,
      body: { parent: Number(made.at('id')) },
      shows,
    })
    await ask({
      says: 'The page is removed permanently.',
      as: 'tomas',
      method: 'DELETE',
      path: `${pages}/${made.at('id')}?force=true`,
      shows: ['deleted', 'id', 'slug'],
    })
  },
}

const blockGroup: Group = {
  slug: 'blocks',
  title: 'Blocks',
  intro:
    'Blocks are stored parts of contents, which posts and pages refer to by id. Visitors get their number and no rows:\n' +
    'contributors and up read them, and who publishes posts writes them. Title and content have `raw` only; versions and autosaves have\n' +
    '`rendered` too. `meta` sets `cms_pattern_sync_status`, which records show beside it.',
  features: ['blocks'],
  sources: ['posts/!(autosaves)'],
  profile: content,
  async run({ ask }) {
    const shows = ['id', 'slug', 'status', 'title', 'content', 'cms_pattern_sync_status']
    const made = await ask({
      says: 'An author stores a block.',
      as: 'wren',
      method: 'POST',
      path: blocks,
      body: {
        title: 'Opening hours',
        content: '<!-- cms:paragraph --><p>Daily from nine.</p><!-- /cms:paragraph -->',
        status: 'publish',
      },
      shows,
    })
    await ask({
      says: 'A contributor reads it, to put it into a text.',
      as: 'piet',
      method: 'GET',
      path: `${blocks}/${made.at('id')}`,
      shows,
    })
    await ask({ says: 'A visitor may not read blocks.', as: null, method: 'GET', path: `${blocks}/${made.at('id')}` })
  },
}

const userGroup: Group = {
  slug: 'users',
  title: 'Users',
  intro:
    'Visitors see users with published posts or pages, by name and description. Logins, addresses, roles and capabilities need\n' +
    '`context=edit`: of oneself, or with `edit_users`. A login does not change, and no two users have the same login, address or\n' +
    'public name. Removing a user needs `force=true` and says who gets the posts; with `reassign=false` they go to the trash.',
  features: ['user-accounts', 'avatars'],
  sources: ['users'],
  profile: content,
  async run({ ask, id }) {
    await ask({
      says: 'The authors of a site, for visitors.',
      as: null,
      method: 'GET',
      path: `${users}?per_page=2&_fields=id,name,slug,link`,
      showsHeaders: ['X-CMS-Total', 'X-CMS-TotalPages'],
    })
    const shows = ['id', 'username', 'name', 'email', 'slug', 'roles']
    const made = await ask({
      says: 'An administrator makes an account.',
      as: 'ada',
      method: 'POST',
      path: users,
      body: { username: 'ines', email: 'ines@millbrook.example', password: 'a long sentence', roles: ['author'] },
      shows,
      showsHeaders: ['Location'],
    })
    await ask({
      says: 'The address of another user is refused.',
      as: 'ada',
      method: 'PATCH',
      path: `${users}/${made.at('id')}`,
      body: { email: 'ada@millbrook.example' },
    })
    await ask({
      says: 'Users change their own names, and keep the preferences of an editor.',
      as: 'piet',
      method: 'PUT',
      path: `${users}/me`,
      body: { nickname: 'Pete', meta: { persisted_preferences: { core: { fixedToolbar: true } } } },
      shows: ['id', 'name', 'nickname', 'meta'],
    })
    await ask({
      says: 'The posts of a removed user go to another one.',
      as: 'ada',
      method: 'DELETE',
      path: `${users}/${made.at('id')}?force=true&reassign=${id('user.wren')}`,
      shows: ['deleted', 'id', 'username'],
    })
  },
}

const passwordGroup: Group = {
  slug: 'application-passwords',
  title: 'Application passwords',
  intro:
    'Each application signs in with a separate password, over HTTP Basic. The response that creates one is the only one that shows\n' +
    'it. Users manage their own; `edit_users` manages those of all. A removed password is refused from the next request on, by\n' +
    'every process of the site. The last use is recorded once a day, with the address where the service `visitors` knows it.',
  features: ['application-passwords'],
  profile: content,
  async run({ ask, hide }) {
    const path = `${users}/me/application-passwords`
    const made = await ask({
      says: 'A user creates a password for an application.',
      as: 'wren',
      method: 'POST',
      path,
      body: { name: 'Reader' },
      shows: ['uuid', 'app_id', 'name', 'created', 'last_used', 'password'],
    })
    hide(made.at('password'), 'XXXX XXXX XXXX XXXX XXXX XXXX')
    await ask({
      says: 'It gets another name.',
      as: 'wren',
      method: 'PATCH',
      path: `${path}/${made.at('uuid')}`,
      body: { name: 'Reader on the phone' },
      shows: ['uuid', 'name'],
    })
    await ask({
      says: 'It is removed.',
      as: 'wren',
      method: 'DELETE',
      path: `${path}/${made.at('uuid')}`,
      shows: ['deleted', 'uuid', 'name'],
    })
    await ask({
      says: 'The passwords of others are not shown.',
      as: 'tomas',
      method: 'GET',
      path: `${users}/1/application-passwords`,
    })
  },
}

export const siteContentGroups: readonly Group[] = [pageGroup, blockGroup, userGroup, passwordGroup]
