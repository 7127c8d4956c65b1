/** A small site for tests: one user per role (two authors), some terms, posts in every status. The test clock starts at `now`. */

export const now = Date.parse('2024-06-15T12:00:00Z')

const user = (key: string, login: string, displayName: string, role: string) => ({
  key,
  login,
  display_name: displayName,
  nicename: `${login}-${role}`,
  email: `${login}@example.test`,
  role,
  application_password: passwordOf(login),
  registered: '2024-01-01T08:00:00',
})

/** A secret has four letters of the login, then the same for all: 24 letters and digits. */
export const passwordOf = (login: string): string => `${login.padEnd(4, 'x').slice(0, 4)} 1a2B 3c4D 5e6F 7g8H 9i0J`

const post = (key: string, title: string, date: string, more: object = {}) => ({
  key,
  title,
  slug: key,
  status: 'publish',
  author: 'author',
  date,
  content: `<p>Plain words of ${key}.</p>`,
  categories: ['uncategorized'],
  ...more,
})

export const smallSite = {
  options: {
    name: 'Quay Notes',
    description: 'Boats and weather',
    url: '{base_url}',
    home: '{base_url}',
    permalink: '/{slug}/',
    timezone_string: 'Europe/Lisbon',
    gmt_offset: null,
    show_on_front: 'page',
    page_on_front: 'front',
    page_for_posts: 'journal',
    default_category: 'uncategorized',
    default_comment_status: 'open',
    default_ping_status: 'open',
    templates: ['wide.php', 'narrow.php'],
  },
  users: [
    user('admin', 'ada', 'Ada Admin', 'administrator'),
    user('editor', 'edith', 'Edith Editor', 'editor'),
    user('author', 'arthur', 'Arthur Author', 'author'),
    user('author2', 'aiko', 'Aiko Author', 'author'),
    user('contributor', 'connie', 'Connie Contributor', 'contributor'),
    user('subscriber', 'sam', 'Sam Subscriber', 'subscriber'),
  ],
  categories: [
    { key: 'uncategorized', slug: 'uncategorized', name: 'Uncategorized', parent: null },
    { key: 'news', slug: 'news', name: 'News', parent: null, description: 'All the news' },
    { key: 'news-harbour', slug: 'news-harbour', name: 'Harbour', parent: 'news' },
    { key: 'guides', slug: 'guides', name: 'Guides & tips', parent: null },
  ],
  tags: [
    { key: 'red', slug: 'red', name: 'Red' },
    { key: 'green', slug: 'green', name: 'Green' },
    { key: 'rare', slug: 'rare', name: 'Rare' },
  ],
  media: [
    {
      key: 'pier',
      slug: 'pier',
      title: 'Pier at dusk',
      file: '2024/01/pier.jpg',
      mime_type: 'image/jpeg',
      width: 1200,
      height: 800,
      author: 'editor',
      date: '2024-01-02T10:00:00',
    },
  ],
  pages: [
    page('front', 'Front', '2024-01-03T10:00:00'),
    page('journal', 'Journal', '2024-01-04T10:00:00'),
    { ...page('about', 'About', '2024-01-05T10:00:00'), parent: 'front' },
  ],
  posts: [
    post('hello', 'Hello quay', '2024-01-10T09:00:00', {
      author: 'admin',
      modified: '2024-02-01T12:00:00',
      content: '<p>Third wording.</p>',
      revisions: [
        { author: 'admin', date: '2024-01-20T09:00:00', title: 'Hello', content: '<p>First wording.</p>' },
        { author: 'editor', date: '2024-01-25T09:00:00', title: 'Hello', content: '<p>Second wording.</p>' },
        { author: 'admin', date: '2024-02-01T12:00:00', title: 'Hello quay', content: '<p>Third wording.</p>' },
      ],
    }),
    post('ferry', 'The ferry is late', '2024-01-12T09:00:00', { categories: ['news'], tags: ['red'] }),
    post('tide', 'Reading the tide', '2024-01-14T09:00:00', {
      author: 'author2',
      categories: ['guides', 'news-harbour'],
      tags: ['red', 'green'],
      excerpt: 'A short lighthouse excerpt.',
      featured_media: 'pier',
    }),
    post('knots', 'Knots', '2024-01-16T09:00:00', { categories: ['guides'], tags: ['rare'], format: 'aside' }),
    post('pinned', 'Pinned notice', '2023-06-01T09:00:00', { author: 'editor', sticky: true }),
    post('locked', 'Behind a password', '2024-02-02T09:00:00', { password: 'sesame', content: '<p>Hidden.</p>' }),
    post('wide', 'Uses a template', '2024-02-04T09:00:00', { template: 'wide.php', comment_status: 'closed' }),
    post('built', 'Built in the builder', '2024-02-06T09:00:00', {
      author: 'editor',
      meta: {
        _builder_edit_mode: 'builder',
        _builder_data: '[{"id":"a1b2c3d","elType":"container","settings":{},"elements":[]}]',
      },
    }),
    post('private', 'Private of an author', '2024-02-08T09:00:00', { status: 'private' }),
    post('private-editor', 'Private of an editor', '2024-02-10T09:00:00', { status: 'private', author: 'editor' }),
    post('draft', 'Draft of an author', '2024-03-01T09:00:00', { status: 'draft', date_gmt: null }),
    post('draft-connie', 'Draft of a contributor', '2024-03-02T09:00:00', {
      status: 'draft',
      author: 'contributor',
      slug: '',
      date_gmt: null,
    }),
    post('pending', 'Pending of a contributor', '2024-03-04T09:00:00', {
      status: 'pending',
      author: 'contributor',
      slug: '',
      date_gmt: null,
    }),
    post('future', 'Far ahead', '2098-07-01T09:00:00', { status: 'future', modified: '2024-03-06T09:00:00' }),
    post('trashed', 'Thrown away', '2024-03-08T09:00:00', {
      slug: 'thrown-away__trashed',
      status: 'trash',
      status_before_trash: 'publish',
      desired_slug: 'thrown-away',
    }),
    post('trashed-editor', 'Thrown away draft', '2024-03-10T09:00:00', {
      author: 'editor',
      slug: 'thrown-draft__trashed',
      status: 'trash',
      status_before_trash: 'draft',
      desired_slug: 'thrown-draft',
    }),
  ],
}

function page(key: string, title: string, date: string) {
  return { key, slug: key, title, content: `<p>${title}.</p>`, status: 'publish', author: 'admin', date }
}
