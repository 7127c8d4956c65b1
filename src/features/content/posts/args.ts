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
const terms = () => list(int(), { default: [], description: 'Term IDs.' })
const operator = () =>
  oneOf(['AND', 'OR'], { default: 'OR', description: 'Whether items must be assigned all or any of the terms.' })
const includeChildren = () => bool({ default: false, description: 'Whether to include child terms.' })

const closed = { additionalProperties: false } as const

export const listArgs = {
  context: context(),
  ...paging(),
  search: search(),
  ...lateAll({
    after: dateTime({ description: 'Limit response to posts published after a given ISO8601 compliant date.' }),
    modified_after: dateTime({ description: 'Limit response to posts modified after a given ISO8601 compliant date.' }),
    author: ids('Limit result set to posts assigned to specific authors.'),
    author_exclude: ids('Ensure result set excludes posts assigned to specific authors.'),
    before: dateTime({ description: 'Limit response to posts published before a given ISO8601 compliant date.' }),
    modified_before: dateTime({
      description: 'Limit response to posts modified before a given ISO8601 compliant date.',
    }),
    exclude: ids('Ensure result set excludes specific IDs.'),
    include: ids('Limit result set to specific IDs.'),
    search_semantics: oneOf(['exact'], { description: 'How to interpret the search input.' }),
    offset: int({ description: 'Offset the result set by a specific number of items.' }),
    order: oneOf(['asc', 'desc'], { default: 'desc', description: 'Order sort attribute ascending or descending.' }),
    orderby: oneOf(
      ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'],
      { default: 'date', description: 'Sort collection by post attribute.' },
    ),
    search_columns: list(oneOf(['post_title', 'post_content', 'post_excerpt']), {
      default: [],
      description: 'Array of column names to be searched.',
    }),
    slug: list(str(), { description: 'Limit result set to posts with one or more specific slugs.' }),
    status: checkedFirst(
      list(oneOf(filterStatuses), {
        default: 'publish',
        description: 'Limit result set to posts assigned one or more statuses.',
        check: mayListStatuses,
      }),
    ),
    tax_relation: oneOf(['AND', 'OR'], {
      description: 'Limit result set based on relationship between multiple taxonomies.',
    }),
    categories: listOrObject(
      list(int()),
      object({ terms: terms(), include_children: includeChildren(), operator: operator() }, closed),
      { description: 'Limit result set to items with specific terms assigned in the categories taxonomy.' },
    ),
    categories_exclude: listOrObject(
      list(int()),
      object({ terms: terms(), include_children: includeChildren() }, closed),
      { description: 'Limit result set to items except those with specific terms in the categories taxonomy.' },
    ),
    tags: listOrObject(list(int()), object({ terms: terms(), operator: operator() }, closed), {
      description: 'Limit result set to items with specific terms assigned in the tags taxonomy.',
    }),
    tags_exclude: listOrObject(list(int()), object({ terms: terms() }, closed), {
      description: 'Limit result set to items except those with specific terms assigned in the tags taxonomy.',
    }),
    sticky: bool({ description: 'Limit result set to items that are sticky.' }),
    ignore_sticky: bool({ default: true, description: 'Whether to ignore sticky posts or not.' }),
    format: list(oneOf(formats), {
      uniqueItems: true,
      description: 'Limit result set to items assigned one or more given formats.',
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
  return { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status } }
}

// ---------------------------------------------------------------- one post

const rendered = (description: string) => str({ description, context: ['view', 'edit', 'embed'], readonly: true })
const raw = (description: string) => str({ description, context: ['edit'] })
const isProtected = () =>
  bool({
    description: 'Whether it is protected with a password.',
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
  date: nullable(dateTime({ description: "The date the post was published, in the site's timezone." })),
  date_gmt: nullable(dateTime({ description: 'The date the post was published, as GMT.' })),
  slug: nullMeans(str({ description: 'An alphanumeric identifier for the post unique to its type.' }), ''),
  status: oneOf(writableStatuses, { description: 'A named status for the post.' }),
  password: nullMeans(str({ description: 'A password to protect access to the content and excerpt.' }), ''),
  title: textArg(
    'title',
    object(
      { raw: raw('Title for the post, as it exists in the database.'), rendered: rendered('HTML title.') },
      { description: 'The title for the post.' },
    ),
  ),
  content: textArg(
    'content',
    object(
      {
        raw: raw('Content for the post, as it exists in the database.'),
        rendered: rendered('HTML content for the post, transformed for display.'),
        block_version: int({ description: 'Version of the block format.', context: ['edit'], readonly: true }),
        protected: isProtected(),
      },
      { description: 'The content for the post.' },
    ),
  ),
  author: int({ description: 'The ID for the author of the post.' }),
  excerpt: textArg(
    'excerpt',
    object(
      {
        raw: raw('Excerpt for the post, as it exists in the database.'),
        rendered: rendered('HTML excerpt for the post, transformed for display.'),
        protected: isProtected(),
      },
      { description: 'The excerpt for the post.' },
    ),
  ),
  featured_media: nullMeans(int({ description: 'The ID of the featured media for the post.' }), 0),
  comment_status: oneOf(['open', 'closed'], { description: 'Whether or not comments are open on the post.' }),
  ping_status: oneOf(['open', 'closed'], { description: 'Whether or not the post can be pinged.' }),
  format: oneOf(formats, { description: 'The format for the post.' }),
  meta: metaArg,
  sticky: nullMeans(bool({ description: 'Whether or not the post should be treated as sticky.' }), false),
  template: nullMeans(
    str({ description: 'The theme file to use to display the post.', check: knownTemplate as ArgCheck }),
    '',
  ),
  categories: list(int(), { description: 'The terms assigned to the post in the category taxonomy.' }),
  tags: list(int(), { description: 'The terms assigned to the post in the post_tag taxonomy.' }),
}

/** The template that the post has already is accepted even when the site no longer offers it. */
async function knownTemplate(
  template: string,
  { args, settings, storage }: Context<{ readonly id?: number }>,
): Promise<{ code: string; message: string } | undefined> {
  if (template === '' || settings.templates.includes(template)) return undefined
  const problem = {
    code: 'rest_invalid_param',
    message: `template is not one of ${settings.templates.join(', ')}.`,
  }
  if (args.id === undefined) return problem
  const [post] = await storage.posts.read([args.id])
  return post?.template === template ? undefined : problem
}

export const idArg = { id: int({ description: 'Unique identifier for the post.' }) }

export const readArgs = {
  ...idArg,
  context: context(),
  excerpt_length: int({ description: 'Override the default excerpt length.' }),
  password: str({ description: 'The password for the post if it is password protected.' }),
}

export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Whether to bypass Trash and force deletion.' }),
}
