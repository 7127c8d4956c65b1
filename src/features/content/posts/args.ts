/** The arguments of the posts routes, in the order in which the interface declares them. */
import {
  type Arg,
  type ArgCheck,
  bool,
  checkedFirst,
  context,
  dateTime,
  int,
  lateAll,
  list,
  listOrObject,
  loose,
  nullable,
  nullMeans,
  object,
  oneOf,
  paging,
  search,
  str,
} from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { problemOf } from '../../../core/request/check.ts'
import { metaArg } from '../../shared/post-meta/model.ts'

export const formats = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const

export const writableStatuses = ['publish', 'future', 'draft', 'pending', 'private'] as const

const filterStatuses = [
  ...writableStatuses,
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
] as const

// ---------------------------------------------------------------- the list

const ids = (description: string) => list(int(), { default: [], description })
const terms = () => list(int(), { default: [], description: 'The IDs of the terms.' })
const operator = () =>
  oneOf(['AND', 'OR'], { default: 'OR', description: 'AND finds what has all the terms, OR what has one of them.' })
const includeChildren = () => bool({ default: false, description: 'Whether the terms below these count too.' })

const closed = { additionalProperties: false } as const

export const listArgs = {
  context: context(),
  ...paging(),
  search: search(),
  ...lateAll({
    after: dateTime({ description: 'Lists only posts with a later date.' }),
    modified_after: dateTime({ description: 'Lists only posts that were last changed after this time.' }),
    author: ids('Lists only posts of these authors.'),
    author_exclude: ids('Leaves out the posts of these authors.'),
    before: dateTime({ description: 'Lists only posts with an earlier date.' }),
    modified_before: dateTime({
      description: 'Lists only posts that were last changed before this time.',
    }),
    exclude: ids('Leaves out the items with these IDs.'),
    include: ids('Lists only the items with these IDs.'),
    search_semantics: oneOf(['exact'], {
      description: 'exact finds only posts with a field that holds this text and nothing else.',
    }),
    offset: int({ description: 'How many items to skip, in place of a page.' }),
    order: oneOf(['asc', 'desc'], { default: 'desc', description: 'The direction of the order.' }),
    orderby: oneOf(
      ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
      { default: 'date', description: 'What the list is ordered by.' },
    ),
    search_columns: list(oneOf(['post_title', 'post_content', 'post_excerpt']), {
      default: [],
      description: 'The fields to search; empty: all.',
    }),
    slug: list(str(), { description: 'Lists only posts with one of these slugs.' }),
    status: checkedFirst(
      list(oneOf(filterStatuses), {
        default: 'publish',
        description: 'Lists only posts with one of these statuses.',
        check: mayListStatuses,
      }),
    ),
    tax_relation: oneOf(['AND', 'OR'], {
      description: 'OR finds what meets one of the conditions on terms and formats, AND what meets all.',
    }),
    categories: listOrObject(
      list(int()),
      object({ terms: terms(), include_children: includeChildren(), operator: operator() }, closed),
      { description: 'Lists only posts in these categories.' },
    ),
    categories_exclude: listOrObject(
      list(int()),
      object({ terms: terms(), include_children: includeChildren() }, closed),
      { description: 'Leaves out posts in these categories.' },
    ),
    tags: listOrObject(list(int()), object({ terms: terms(), operator: operator() }, closed), {
      description: 'Lists only posts with these tags.',
    }),
    tags_exclude: listOrObject(list(int()), object({ terms: terms() }, closed), {
      description: 'Leaves out posts with these tags.',
    }),
    sticky: bool({ description: 'True lists only sticky posts, false only others.' }),
    ignore_sticky: bool({ default: true, description: 'False puts sticky posts first.' }),
    format: list(oneOf(formats), {
      uniqueItems: true,
      description: 'Lists only posts with one of these formats.',
    }),
  }),
}

/** Interface: a status that the caller may not list is an argument error, for visitors too. */
function mayListStatuses(statuses: unknown, { user }: Context) {
  if (!Array.isArray(statuses)) return undefined
  const isForbidden = statuses.some(
    (status) =>
      status !== 'publish' && !user.can('edit_posts') && !(status === 'private' && user.can('read_private_posts')),
  )
  if (!isForbidden) return undefined
  const { status } = forbidden(user)
  return { code: 'rest_forbidden_status', message: 'You may not list posts with this status.', data: { status } }
}

// ---------------------------------------------------------------- one post

const rendered = (description: string) => str({ description, context: ['view', 'edit', 'embed'], readonly: true })
const raw = (description: string) => str({ description, context: ['edit'] })
const isProtected = () =>
  bool({
    description: 'Whether a password opens it.',
    context: ['view', 'edit', 'embed'],
    readonly: true,
  })

/** Interface: a text is declared as an object, but a plain text is accepted too; any other value counts as not sent. */
const textArg = (name: string, schema: Arg) =>
  loose(schema, (input: unknown) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
    const members = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    return problemOf(schema.node, members, name)
  })

/** All optional: an update leaves absent fields unchanged. */
export const writeArgs = {
  date: nullable(dateTime({ description: 'When the post is published, in the time of the site.' })),
  date_gmt: nullable(dateTime({ description: 'When the post is published, in UTC.' })),
  slug: nullMeans(str({ description: 'The last part of the address, unique within the type.' }), ''),
  status: oneOf(writableStatuses, { description: 'The status of the post.' }),
  password: nullMeans(str({ description: 'The password that opens content and excerpt; empty: none.' }), ''),
  title: textArg(
    'title',
    object(
      { raw: raw('The title as it is stored.'), rendered: rendered('The title as HTML.') },
      { description: 'The title of the post.' },
    ),
  ),
  content: textArg(
    'content',
    object(
      {
        raw: raw('The content as it is stored.'),
        rendered: rendered('The content as HTML, ready to be shown.'),
        block_version: int({ description: '1 if it holds blocks.', context: ['edit'], readonly: true }),
        protected: isProtected(),
      },
      { description: 'The content of the post.' },
    ),
  ),
  author: int({ description: 'The ID of the author.' }),
  excerpt: textArg(
    'excerpt',
    object(
      {
        raw: raw('The excerpt as it is stored.'),
        rendered: rendered('The excerpt as HTML, ready to be shown.'),
        protected: isProtected(),
      },
      { description: 'The excerpt of the post.' },
    ),
  ),
  featured_media: nullMeans(int({ description: 'The ID of the featured picture; 0: none.' }), 0),
  comment_status: oneOf(['open', 'closed'], { description: 'Whether the post takes comments.' }),
  ping_status: oneOf(['open', 'closed'], { description: 'Whether other sites may report links to the post.' }),
  format: oneOf(formats, { description: 'The format of the post.' }),
  meta: metaArg,
  sticky: nullMeans(bool({ description: 'Whether the post is sticky.' }), false),
  template: nullMeans(
    str({
      description: 'The template of the theme that shows the post; empty: the usual one.',
      check: knownTemplate as ArgCheck,
    }),
    '',
  ),
  categories: list(int(), { description: 'The IDs of the categories.' }),
  tags: list(int(), { description: 'The IDs of the tags.' }),
}

/** The template that the post has already is accepted even when the site no longer offers it. */
async function knownTemplate(
  template: string,
  { args, settings, storage }: Context<{ readonly id?: number }>,
): Promise<{ code: string; message: string } | undefined> {
  if (template === '' || settings.templates.includes(template)) return undefined
  const problem = {
    code: 'rest_invalid_param',
    message: `template takes only these values: ${settings.templates.join(', ')}.`,
  }
  if (args.id === undefined) return problem
  const [post] = await storage.posts.read([args.id])
  return post?.template === template ? undefined : problem
}

export const idArg = { id: int({ description: 'The ID of the post.' }) }

export const readArgs = {
  ...idArg,
  context: context(),
  excerpt_length: int({ description: 'How many words an excerpt made from the content has.' }),
  password: str({ description: 'The password of the post, where it has one.' }),
}

export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Removes the post for good instead of moving it to the trash.' }),
}
