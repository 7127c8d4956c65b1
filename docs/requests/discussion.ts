/** Pages of comments and menus. */
import { content } from '../../src/index.ts'
import type { Group } from './group.ts'

const comments = '/cms/v2/comments'

const commentGroup: Group = {
  slug: 'comments',
  title: 'Comments',
  intro:
    'Comments form threads on posts. Visitors comment where the option `anonymous_comments` of the site is true; their first comment\n' +
    'waits for approval, later ones of an approved address do not. Users who may edit a post moderate the comments on it; users\n' +
    'with `moderate_comments` moderate all, and read the edit context. The status of a list is `approve`, that of a comment `approved`. A hook `comment.saving`\n' +
    'marks spam by the status `spam`; the service `mail` informs the author of a post about new comments; the service `visitors` limits\n' +
    'them. Notes of the block editor are comments of the type `note`, for those who may edit the post.',
  features: ['comments'],
  profile: content,
  async run({ ask, id, api }) {
    await api.site.options.write({ anonymous_comments: true })
    const post = id('post.reading-the-gauge')
    const shows = ['id', 'parent', 'author_name', 'content', 'status']
    const made = await ask({
      says: 'A visitor comments. A form of a page may send the same as `application/x-www-form-urlencoded`.',
      as: null,
      method: 'POST',
      path: comments,
      body: { post, content: 'Which weir is it?', author_name: 'Vera', author_email: 'vera@mail.example' },
      shows,
      showsHeaders: ['Location'],
    })
    await ask({
      says: 'An editor approves it.',
      as: 'tomas',
      method: 'PATCH',
      path: `${comments}/${made.at('id')}`,
      body: { status: 'approved' },
      shows,
    })
    await ask({
      says: 'A user replies.',
      as: 'wren',
      method: 'POST',
      path: comments,
      body: { post, parent: Number(made.at('id')), content: 'The one by the mill.' },
      shows,
    })
    await ask({
      says: 'The comments on a post, the oldest first.',
      as: null,
      method: 'GET',
      path: `${comments}?post=${post}&order=asc&_fields=id,parent,author_name,content`,
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'The same text again is a mistake.',
      as: 'wren',
      method: 'POST',
      path: comments,
      body: { post, parent: Number(made.at('id')), content: 'The one by the mill.' },
    })
    await ask({
      says: 'A comment goes to the trash. With `force=true` it is removed, and its replies move up.',
      as: 'tomas',
      method: 'DELETE',
      path: `${comments}/${made.at('id')}`,
      shows,
    })
  },
}

const menuGroup: Group = {
  slug: 'menus',
  title: 'Menus',
  intro:
    'A menu is a named list of items in places of the theme: the option `menu_locations` of the site names them. An\n' +
    'item leads to a post, a term, the archive of a type or any address. Without a title it has that of its target; `invalid` says that\n' +
    'the target is gone. Administrators write menus; users who may edit posts read them. Items go in batches of 25.',
  features: ['menus'],
  profile: content,
  async run({ ask, id, api }) {
    await api.site.options.write({ menu_locations: { primary: 'On top', footer: 'At the foot' } })
    const menu = await ask({
      says: 'A menu for a place of the theme. `auto_add` puts new pages into it.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/menus',
      body: { name: 'Top', locations: ['primary'], auto_add: true },
      shows: ['id', 'name', 'slug', 'locations', 'auto_add'],
      showsHeaders: ['Location'],
    })
    const menus = Number(menu.at('id'))
    await ask({
      says: 'An item with the title of its page.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/menu-items',
      body: { menus, type: 'post_type', object: 'page', object_id: id('page.about') },
      shows: ['id', 'title', 'url', 'type', 'object', 'menu_order'],
    })
    await ask({
      says: 'Another item needs a title and an address.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/menu-items',
      body: { menus, title: 'Weather' },
    })
    await ask({
      says: 'The items of a menu, in its order.',
      as: 'wren',
      method: 'GET',
      path: `/cms/v2/menu-items?menus=${menus}&_fields=id,title,url,parent`,
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'The places, for administrators.',
      as: 'ada',
      method: 'GET',
      path: '/cms/v2/menu-locations/primary',
      shows: ['name', 'description', 'menu'],
    })
  },
}

export const discussionGroups: readonly Group[] = [commentGroup, menuGroup]
