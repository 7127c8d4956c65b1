/** Pages of published content: posts, revisions, types, taxonomies, users and embeds. */
import { content, d1, full } from '../../src/index.ts'
import type { Group } from './group.ts'
import { siteUrl } from './scene.ts'

const posts = '/cms/v2/posts'

const postGroup: Group = {
  slug: 'posts',
  title: 'Posts',
  intro:
    'Posts are listed, read, written and moved to the trash. A visitor gets the `view` context, with text as HTML; `title.raw`,\n' +
    'the password and all of `meta` need `context=edit` and the right to edit. Totals of a list are in headers. The first\n' +
    'DELETE moves a post to the trash, the second one gets 410; `force=true` removes it.',
  features: ['posts'],
  sources: ['posts/!(autosaves)'],
  profile: d1,
  async run({ ask, id }) {
    const shows = ['id', 'date', 'slug', 'status', 'title', 'excerpt']
    await ask({
      says: 'A visitor searches. The result has published posts only, and the headers have the totals.',
      as: null,
      method: 'GET',
      path: `${posts}?search=river&per_page=2&_fields=id,date,slug,title`,
      showsHeaders: ['X-CMS-Total', 'X-CMS-TotalPages'],
    })
    const made = await ask({
      says: 'An author creates a draft.',
      as: 'wren',
      method: 'POST',
      path: posts,
      body: { title: 'High tide', content: '<p>The weir is under water.</p>', categories: [id('category.river')] },
      shows,
      showsHeaders: ['Location'],
    })
    await ask({
      says: 'An author cannot change the post of another author.',
      as: 'halima',
      method: 'PATCH',
      path: `${posts}/${made.at('id')}`,
      body: { title: 'Low tide' },
    })
    await ask({
      says: 'The author moves the post to the trash. A change of its status restores it.',
      as: 'wren',
      method: 'DELETE',
      path: `${posts}/${made.at('id')}`,
      shows: ['id', 'slug', 'status', 'title'],
    })
  },
  async more({ ask, id }) {
    const post = `${posts}/${id('post.drought')}`
    await ask({ says: 'A published post.', as: null, method: 'GET', path: post })
    const body = { title: 'The river in a dry summer', excerpt: 'Two dry months, and what the gauge says.' }
    await ask({ says: 'The author changes title and excerpt.', as: 'wren', method: 'POST', path: post, body })
  },
}

const revisionGroup: Group = {
  slug: 'revisions-and-autosaves',
  title: 'Revisions and autosaves',
  intro:
    'Each change of title, content or excerpt creates a revision with the previous state. An autosave is the unsaved work of a\n' +
    'user: one for each user and post, replaced by the next. A draft of the same author has none: its autosave is written\n' +
    'into the draft itself. Revisions are never in the trash, so DELETE needs `force=true`.',
  features: ['revisions', 'autosaves'],
  sources: ['revisions', 'posts/autosaves'],
  profile: d1,
  async run({ ask, id, hide }) {
    const post = id('post.drought')
    const shows = ['id', 'author', 'date', 'parent', 'slug', 'title']
    const list = await ask({
      says: 'The saved versions of a post, newest first.',
      as: 'wren',
      method: 'GET',
      path: `${posts}/${post}/revisions`,
      shows,
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'Revisions have no trash, so a DELETE without `force=true` fails.',
      as: 'wren',
      method: 'DELETE',
      path: `${posts}/${post}/revisions/${list.at(0, 'id')}`,
    })
    const saved = await ask({
      says: 'An autosave does not change the post. Its preview shows it on the pages of the site.',
      as: 'wren',
      method: 'POST',
      path: `${posts}/${post}/autosaves`,
      body: { title: 'The river in a dry September' },
      shows: [...shows, 'preview_link'],
    })
    hide(String(saved.at('preview_link')).replace(/^.*preview=/, ''), 'TOKEN')
    await ask({
      says: 'A user who cannot edit the post cannot read its autosaves.',
      as: 'june',
      method: 'GET',
      path: `${posts}/${post}/autosaves`,
    })
  },
  async more({ ask, id }) {
    const path = `${posts}/${id('post.drought')}`
    const list = await ask({ says: 'All revisions.', as: 'wren', method: 'GET', path: `${path}/revisions` })
    const revision = `${path}/revisions/${list.at(0, 'id')}`
    await ask({ says: 'One revision.', as: 'wren', method: 'GET', path: revision })
    const autosaves = await ask({
      says: 'The autosaves of a post.',
      as: 'wren',
      method: 'GET',
      path: `${path}/autosaves`,
    })
    const autosave = `${path}/autosaves/${autosaves.at(0, 'id')}`
    await ask({ says: 'One autosave.', as: 'wren', method: 'GET', path: autosave })
    await ask({ says: 'A revision is removed.', as: 'wren', method: 'DELETE', path: `${revision}?force=true` })
  },
}

const termGroup: Group = {
  slug: 'terms',
  title: 'Categories, tags and other taxonomies',
  intro:
    'Terms are listed by name, with the number of published posts as `count`. Whoever writes posts may create tags; only\n' +
    'editors create categories, and only they change or remove terms. A name is one line of text, with `&`, `<` and `>` as\n' +
    'references, and unique among its siblings unless another `slug` comes with it. Terms have no trash: DELETE needs\n' +
    '`force=true`. Children of a removed category move up, and posts left without any category get the default one, which\n' +
    'cannot be removed.',
  features: ['categories', 'tags', 'cms_pattern_category'],
  sources: ['terms'],
  profile: content,
  async run({ ask, id }) {
    const shows = ['id', 'count', 'link', 'name', 'slug', 'parent']
    await ask({
      says: 'The categories that have published posts, the most used one first.',
      as: null,
      method: 'GET',
      path: '/cms/v2/categories?hide_empty=true&orderby=count&order=desc&per_page=2&_fields=id,count,name,slug',
      showsHeaders: ['X-CMS-Total', 'X-CMS-TotalPages'],
    })
    const made = await ask({
      says: 'An editor creates a category below another one.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/categories',
      body: { name: 'Locks & weirs', parent: id('category.river') },
      shows,
      showsHeaders: ['Location'],
    })
    await ask({
      says: 'The same name under the same parent exists already.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/categories',
      body: { name: 'locks & weirs', parent: id('category.river') },
    })
    await ask({
      says: 'An author creates a tag.',
      as: 'wren',
      method: 'POST',
      path: '/cms/v2/tags',
      body: { name: 'Otters' },
      shows: ['id', 'name', 'slug', 'link'],
    })
    await ask({
      says: 'An author cannot change a category.',
      as: 'wren',
      method: 'PATCH',
      path: `/cms/v2/categories/${made.at('id')}`,
      body: { name: 'Locks' },
    })
    await ask({
      says: 'The terms of one post.',
      as: null,
      method: 'GET',
      path: `/cms/v2/categories?post=${id('post.drought')}&_fields=id,name`,
    })
    await ask({
      says: 'A removed term is gone for good.',
      as: 'ada',
      method: 'DELETE',
      path: `/cms/v2/categories/${made.at('id')}?force=true`,
      shows: ['deleted', 'previous'],
    })
  },
}

const embedGroup: Group = {
  slug: 'embeds',
  title: 'Embeds',
  intro:
    'oEmbed data of posts and pages: `embed` is public, for URLs of this site; `proxy` requests other sites, for users who\n' +
    'can write posts. The URL must be percent-encoded as one argument. A URL without public content gets 404, with the same\n' +
    'code whether it is unknown, private or a draft.',
  features: ['embeds'],
  profile: d1,
  async run({ ask }) {
    const of = (path: string) => encodeURIComponent(`${siteUrl}${path}`)
    await ask({
      says: 'Embed data of a post, by its URL.',
      as: null,
      method: 'GET',
      path: `/oembed/1.0/embed?url=${of('/swifts/')}&maxwidth=400`,
    })
    await ask({
      says: 'The same as XML.',
      as: null,
      method: 'GET',
      path: `/oembed/1.0/embed?url=${of('/swifts/')}&format=xml`,
    })
    await ask({
      says: 'A private page gets 404.',
      as: null,
      method: 'GET',
      path: `/oembed/1.0/embed?url=${of('/house-style/')}`,
    })
    await ask({
      says: 'A visitor cannot use the proxy.',
      as: null,
      method: 'GET',
      path: '/oembed/1.0/proxy?url=https%3A%2F%2Fvideos.example%2F1',
    })
  },
}

const searchGroup: Group = {
  slug: 'search',
  title: 'Search',
  intro:
    'One search over published records, terms and formats, for every caller. Records with the words in the title come first. A\n' +
    'result has the `type` `post` and the content type as `subtype`; a term has its taxonomy as `type`. A `subtype` of another\n' +
    'type is ignored. Types and taxonomies of a host are found too.',
  features: ['search'],
  profile: content,
  async run({ ask }) {
    await ask({
      says: 'Posts and pages with a word.',
      as: null,
      method: 'GET',
      path: '/cms/v2/search?search=river&per_page=2',
      showsHeaders: ['X-CMS-Total'],
    })
    await ask({
      says: 'Terms with a word.',
      as: null,
      method: 'GET',
      path: '/cms/v2/search?type=term&search=river&_fields=id,title,url,type',
    })
    await ask({
      says: 'Media are not searched here.',
      as: null,
      method: 'GET',
      path: '/cms/v2/search?subtype=attachment',
    })
  },
}

const settingsGroup: Group = {
  slug: 'settings-and-statuses',
  title: 'Settings of the site, and statuses of posts',
  intro:
    'Settings are for administrators. A change applies from the next request on; `null` resets a setting; unknown members are\n' +
    'ignored. The IDs of pages, media and the default category are checked. Visitors see the status `publish` only; users\n' +
    'who write posts see all.',
  features: ['site-settings', 'statuses', 'themes'],
  profile: content,
  async run({ ask }) {
    const shows = ['title', 'timezone', 'default_category', 'posts_per_page', 'show_on_front']
    await ask({ says: 'The settings.', as: 'ada', method: 'GET', path: '/cms/v2/settings', shows })
    await ask({
      says: 'An administrator changes two of them.',
      as: 'ada',
      method: 'PATCH',
      path: '/cms/v2/settings',
      body: { posts_per_page: 8, default_comment_status: 'closed' },
      shows: ['posts_per_page', 'default_comment_status'],
    })
    await ask({
      says: 'A time zone that does not exist.',
      as: 'ada',
      method: 'POST',
      path: '/cms/v2/settings',
      body: { timezone: 'Moon/Base' },
    })
    await ask({
      says: 'An author cannot read the settings.',
      as: 'wren',
      method: 'GET',
      path: '/cms/v2/settings',
    })
    await ask({
      says: 'A status, as an author sees it.',
      as: 'wren',
      method: 'GET',
      path: '/cms/v2/statuses/draft?context=edit',
    })
    await ask({ says: 'A visitor cannot see it.', as: null, method: 'GET', path: '/cms/v2/statuses/draft' })
    await ask({
      says: 'What an editor asks of the theme. The option `theme_supports` of the site changes it.',
      as: 'wren',
      method: 'GET',
      path: '/cms/v2/themes?context=edit&status=active&_fields=status,theme_supports.post-thumbnails',
    })
  },
}

const healthGroup: Group = {
  slug: 'site-health',
  title: 'Tests of the site',
  intro:
    'What an administrator asks of a running site: whether its storage answers, its address is secure, and credentials arrive. Each\n' +
    'test is `good`, `recommended` or `critical`. Only `full` has these routes.',
  features: ['site-health-tests'],
  sources: ['site-health'],
  profile: full,
  async run({ ask }) {
    await ask({ says: 'All tests.', as: 'ada', method: 'GET', path: '/cms-site-health/v1/tests' })
    await ask({ says: 'One of them.', as: 'ada', method: 'GET', path: '/cms-site-health/v1/tests/storage' })
    await ask({ says: 'An author may not.', as: 'wren', method: 'GET', path: '/cms-site-health/v1/tests' })
  },
}

const typesGroup: Group = {
  slug: 'types-taxonomies-and-users',
  title: 'Types, taxonomies and the own user',
  intro:
    'The content types and taxonomies of the site, and the user who is signed in. Types and taxonomies are public; labels,\n' +
    'capabilities and editor options need `context=edit` and the right to edit. A type without a `cms:items` link has no route\n' +
    'for its records.',
  features: ['content-types', 'taxonomies', 'users'],
  sources: ['content-types', 'terms/index', 'users'],
  profile: d1,
  async run({ ask }) {
    await ask({
      says: 'A type, by its name.',
      as: null,
      method: 'GET',
      path: '/cms/v2/types/post',
    })
    await ask({
      says: 'The taxonomies of a type, by their names.',
      as: null,
      method: 'GET',
      path: '/cms/v2/taxonomies?type=post&_fields=category.name,category.rest_base,post_tag.name,post_tag.rest_base',
    })
    await ask({
      says: 'There is no such type.',
      as: null,
      method: 'GET',
      path: '/cms/v2/types/boat',
    })
    await ask({
      says: 'The edit context has members that only the user can read.',
      as: 'wren',
      method: 'GET',
      path: '/cms/v2/users/me?context=edit',
      shows: ['id', 'username', 'name', 'email', 'slug', 'roles'],
    })
    await ask({
      says: 'A visitor gets 401.',
      as: null,
      method: 'GET',
      path: '/cms/v2/users/me',
    })
  },
  async more({ ask }) {
    await ask({ says: 'All public types.', as: null, method: 'GET', path: '/cms/v2/types' })
    await ask({ says: 'One taxonomy.', as: null, method: 'GET', path: '/cms/v2/taxonomies/category' })
  },
}

const batchGroup: Group = {
  slug: 'batch',
  title: 'Batch',
  intro:
    'Up to 25 writes in one request, run in order. The status is 207 even if all of them fail; each response has its own\n' +
    'status. Paths are relative to the root (`/cms/v2/posts`), and only routes that allow batches can be used. A failed request\n' +
    'does not affect the others unless `atomic` is true.',
  features: ['batch'],
  profile: d1,
  async run({ ask, id }) {
    const path = '/batch/v1'
    const write = (title: string) => ({ method: 'POST', path: posts, body: { title } })
    const shows = ['failed', 'responses']
    await ask({
      says: 'Two writes, of which the second fails. The first one is kept.',
      as: 'wren',
      method: 'POST',
      path,
      body: {
        requests: [
          { method: 'PATCH', path: `${posts}/${id('post.swifts')}?_fields=id,title`, body: { title: 'Swifts, again' } },
          { method: 'DELETE', path: `${posts}/${id('post.plum-jam')}` },
        ],
      },
      shows,
    })
    await ask({
      says: 'All arguments are checked before anything runs. One is invalid, so nothing is written.',
      as: 'wren',
      method: 'POST',
      path,
      body: {
        validation: 'require-all-validate',
        requests: [write('Fog'), { method: 'POST', path: posts, body: { status: 'loud' } }],
      },
      shows,
    })
    await ask({
      says: 'A route that does not allow batches gets an error in its response.',
      as: 'ada',
      method: 'POST',
      path,
      body: { requests: [{ method: 'DELETE', path: '/builder/v1/cache' }] },
      shows,
    })
  },
}

export const contentGroups: readonly Group[] = [
  postGroup,
  revisionGroup,
  termGroup,
  searchGroup,
  settingsGroup,
  healthGroup,
  typesGroup,
  embedGroup,
  batchGroup,
]
