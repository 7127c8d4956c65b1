/** The arguments of the posts routes, in the order in which the interface declares them. */
import type { Actor } from '../../../core/declare/actor.ts'
import {
  type Arg,
  type Args,
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
  orText,
  paging,
  search,
  secret,
  str,
} from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { problemOf } from '../../../core/request/check.ts'
import { postFormats } from '../../../site/post-keys.ts'
import type { MetaFields, MetaInput, NoFields } from '../../shared/post-meta.ts'
import { templateArg } from '../../shared/templates/page-templates.ts'
import {
  actorFor,
  type ContentType,
  type IfHierarchical,
  type IfSupported,
  isSupported,
  type PublishedType,
  type Support,
  type TypeShape,
} from '../content-types/model.ts'
import { type PlainArgs, plainArgs } from './plain-fields.ts'

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

const ids = (description: string) => list(int(), { default: [], description })
const terms = () => list(int(), { default: [], description: 'The IDs of the terms.' })
const operator = () =>
  oneOf(['AND', 'OR'], { default: 'OR', description: 'AND finds what has all the terms, OR what has one of them.' })
const includeChildren = () => bool({ default: false, description: 'Whether the terms below these count too.' })

const closed = { additionalProperties: false } as const

/** Reads the conditions on the terms of one taxonomy, in both directions. */
const termArg = (isHierarchical: boolean, description: string) =>
  listOrObject(
    list(int()),
    isHierarchical
      ? object({ terms: terms(), include_children: includeChildren(), operator: operator() }, closed)
      : object({ terms: terms(), operator: operator() }, closed),
    { description },
  )
const termExcludeArg = (isHierarchical: boolean, description: string) =>
  listOrObject(
    list(int()),
    isHierarchical
      ? object({ terms: terms(), include_children: includeChildren() }, closed)
      : object({ terms: terms() }, closed),
    { description },
  )

const baseListArgs = {
  context: context(),
  ...paging(),
  search: search(),
  after: dateTime({ description: 'Lists only posts with a later date.' }),
  modified_after: dateTime({ description: 'Lists only posts that were last changed after this time.' }),
  before: dateTime({ description: 'Lists only posts with an earlier date.' }),
  modified_before: dateTime({ description: 'Lists only posts that were last changed before this time.' }),
  exclude: ids('Leaves out the items with these IDs.'),
  include: ids('Lists only the items with these IDs.'),
  search_semantics: oneOf(['exact'], {
    description: 'exact finds only posts with a field that holds this text and nothing else.',
  }),
  offset: int({ description: 'How many items to skip, in place of a page.' }),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'The direction of the order.' }),
  search_columns: list(oneOf(['post_title', 'post_content', 'post_excerpt']), {
    default: [],
    description: 'The fields to search; empty: all.',
  }),
  slug: list(str(), { description: 'Lists only posts with one of these slugs.' }),
}

const statusArg = (actorOf: (user: Actor) => Actor) => ({
  status: checkedFirst(
    list(oneOf(filterStatuses), {
      default: 'publish',
      description: 'Lists only posts with one of these statuses.',
      check: mayListStatuses(actorOf),
    }),
  ),
})

const authorListArgs = {
  author: ids('Lists only posts of these authors.'),
  author_exclude: ids('Leaves out the posts of these authors.'),
}
const parentListArgs = {
  parent: ids('Lists only items below these.'),
  parent_exclude: ids('Leaves out the items below these.'),
}
const placeListArgs = { menu_order: int({ description: 'Lists only items with this place among their siblings.' }) }
const taxRelationArg = {
  tax_relation: oneOf(['AND', 'OR'], {
    description: 'OR finds what meets one of the conditions on terms and formats, AND what meets all.',
  }),
}
const stickyListArgs = {
  sticky: bool({ description: 'True lists only sticky posts, false only others.' }),
  ignore_sticky: bool({ default: true, description: 'False puts sticky posts first.' }),
}
const formatListArgs = {
  format: list(oneOf(postFormats), {
    uniqueItems: true,
    description: 'Lists only posts with one of these formats.',
  }),
}

const orders = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const
const ordersWithPlaces = [...orders, 'menu_order'] as const
const orderby = <const V extends readonly string[]>(values: V) => ({
  orderby: oneOf(values, { default: 'date', description: 'What the list is ordered by.' }),
})
const plainOrderby = orderby(orders)
const placeOrderby = orderby(ordersWithPlaces)

export type BaseListArgs = typeof baseListArgs & ReturnType<typeof statusArg>

type TermListArgs<T extends string> = { readonly [K in T | `${T}_exclude`]: ReturnType<typeof termArg> }

export type ListArgsOf<S extends Support, H extends boolean, T extends string> = BaseListArgs &
  IfSupported<S, 'author', typeof authorListArgs> &
  IfHierarchical<H, typeof parentListArgs> &
  IfSupported<S, 'page-attributes', typeof placeListArgs> &
  (['page-attributes'] extends [S] ? typeof placeOrderby : typeof plainOrderby) &
  ([T] extends [never] ? unknown : typeof taxRelationArg & TermListArgs<T>) &
  IfSupported<S, 'sticky', typeof stickyListArgs> &
  IfSupported<S, 'post-formats', typeof formatListArgs>

/** In the order in which the interface lists them. */
export function listArgsOf<S extends Support, H extends boolean, T extends string>(
  type: TypeShape<S, H, T> & ContentType,
): ListArgsOf<S, H, T> {
  const { taxonomies, isHierarchical } = type.published
  const { context: viewContext, page, per_page, search: searchArg, ...base } = baseListArgs
  const { after, modified_after, before, modified_before, exclude, include, ...rest } = base
  const { search_semantics, offset, order, search_columns, slug } = rest
  const hasPlaces = isSupported(type, 'page-attributes')
  const late = {
    ...{ after, modified_after },
    ...(isSupported(type, 'author') ? authorListArgs : {}),
    ...{ before, modified_before, exclude, include },
    ...(hasPlaces ? placeListArgs : {}),
    ...{ search_semantics, offset, order },
    ...(hasPlaces ? placeOrderby : plainOrderby),
    ...(isHierarchical ? parentListArgs : {}),
    ...{ search_columns, slug },
    ...statusArg(actorFor(type)),
    ...(taxonomies.length > 0 ? taxRelationArg : {}),
    ...Object.fromEntries(taxonomies.flatMap(termArgsOf)),
    ...(isSupported(type, 'sticky') ? stickyListArgs : {}),
    ...(isSupported(type, 'post-formats') ? formatListArgs : {}),
  }
  // The cast: the conditions above are those of the type.
  return { context: viewContext, page, per_page, search: searchArg, ...lateAll(late) } as unknown as ListArgsOf<S, H, T>
}

function termArgsOf({ restBase, pluralLabel, isHierarchical }: TypeShape['published']['taxonomies'][number]) {
  const words = pluralLabel.toLowerCase()
  const [has, hasNot] =
    restBase === 'categories'
      ? ['Lists only posts in these categories.', 'Leaves out posts in these categories.']
      : [`Lists only posts with these ${words}.`, `Leaves out posts with these ${words}.`]
  return [
    [restBase, termArg(isHierarchical, has)],
    [`${restBase}_exclude`, termExcludeArg(isHierarchical, hasNot)],
  ] as const
}

/** Interface: a status that the caller may not list is an argument error, for visitors too. */
const mayListStatuses =
  (actorOf: (user: Actor) => Actor) =>
  (statuses: unknown, { user }: Context) => {
    if (!Array.isArray(statuses)) return undefined
    const actor = actorOf(user)
    const isForbidden = statuses.some(
      (status) =>
        status !== 'publish' && !actor.can('edit_posts') && !(status === 'private' && actor.can('read_private_posts')),
    )
    if (!isForbidden) return undefined
    const { status } = forbidden(user)
    return { code: 'rest_forbidden_status', message: 'You may not list posts with this status.', data: { status } }
  }

const rendered = (description: string) => str({ description, context: ['view', 'edit', 'embed'], readonly: true })
const raw = (description: string) => str({ description, context: ['edit'] })
const isProtected = () =>
  bool({ description: 'Whether a password opens it.', context: ['view', 'edit', 'embed'], readonly: true })

/** Interface: a text is declared as an object, but a plain text is accepted too; any other value counts as not sent. */
export const textArg = (name: string, schema: Arg) =>
  orText(
    loose(schema, (input: unknown) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
      // Interface: a number counts as its text.
      const members = Object.fromEntries(
        Object.entries(input)
          .filter(([, value]) => value !== null)
          .map(([key, value]) => [key, key === 'raw' && typeof value === 'number' ? String(value) : value]),
      )
      return problemOf(schema.node, members, name)
    }),
  )

const parentArg = {
  parent: nullMeans(int({ description: 'The ID of the page above; 0: none.' }), 0),
}

const baseWriteArgs = {
  date: nullable(dateTime({ description: 'When the post is published, in the time of the site.' })),
  date_gmt: nullable(dateTime({ description: 'When the post is published, in UTC.' })),
  slug: nullMeans(str({ description: 'The last part of the address, unique within the type.' }), ''),
  status: oneOf(writableStatuses, { description: 'The status of the post.' }),
  password: secret(nullMeans(str({ description: 'The password that opens content and excerpt; empty: none.' }), '')),
}

/** Declares no `rendered` for types whose texts are not shown on pages. */
const textArgs = (isRendered: boolean) => ({
  title: textArg(
    'title',
    object(
      { raw: raw('The title as it is stored.'), ...(isRendered ? { rendered: rendered('The title as HTML.') } : {}) },
      { description: 'The title of the post.' },
    ),
  ),
  content: textArg(
    'content',
    object(
      {
        raw: raw('The content as it is stored.'),
        ...(isRendered ? { rendered: rendered('The content as HTML, ready to be shown.') } : {}),
        block_version: int({ description: '1 if it holds blocks.', context: ['edit'], readonly: true }),
        protected: isProtected(),
      },
      { description: 'The content of the post.' },
    ),
  ),
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
})

const authorArg = { author: int({ description: 'The ID of the author.' }) }
const mediaArg = {
  featured_media: nullMeans(int({ description: 'The ID of the featured picture; 0: none.' }), 0),
}
const formatArg = { format: oneOf(postFormats, { description: 'The format of the post.' }) }
const stickyArg = { sticky: nullMeans(bool({ description: 'Whether the post is sticky.' }), false) }
const termIds = (label: string) => list(int(), { description: `The IDs of the ${label.toLowerCase()}.` })

export type WriteArgsOf<
  S extends Support,
  H extends boolean,
  T extends string,
  F extends Args = NoFields,
> = typeof baseWriteArgs &
  IfHierarchical<H, typeof parentArg> &
  IfSupported<S, 'title', Pick<ReturnType<typeof textArgs>, 'title'>> &
  IfSupported<S, 'editor', Pick<ReturnType<typeof textArgs>, 'content'>> &
  IfSupported<S, 'excerpt', Pick<ReturnType<typeof textArgs>, 'excerpt'>> &
  IfSupported<S, 'author', typeof authorArg> &
  IfSupported<S, 'thumbnail', typeof mediaArg> &
  PlainArgs<S> &
  IfSupported<S, 'post-formats', typeof formatArg> & { readonly meta: Arg<MetaInput<F>, false> } & IfSupported<
    S,
    'sticky',
    typeof stickyArg
  > &
  ReturnType<typeof templateArg> & { readonly [K in T]: ReturnType<typeof termIds> }

/** All optional: an update leaves absent fields unchanged. In the order in which the interface lists them. */
export function writeArgsOf<S extends Support, H extends boolean, T extends string, F extends Args = NoFields>(
  type: TypeShape<S, H, T> & { readonly published: Pick<PublishedType, 'isViewable' | 'templates'> },
  meta: MetaFields,
): WriteArgsOf<S, H, T, F> {
  const { taxonomies, isHierarchical, isViewable = true, templates = () => [] } = type.published
  const { title, content, excerpt } = textArgs(isViewable)
  const args = {
    ...baseWriteArgs,
    ...(isHierarchical ? parentArg : {}),
    ...(isSupported(type, 'title') ? { title } : {}),
    ...(isSupported(type, 'editor') ? { content } : {}),
    ...(isSupported(type, 'author') ? authorArg : {}),
    ...(isSupported(type, 'excerpt') ? { excerpt } : {}),
    ...(isSupported(type, 'thumbnail') ? mediaArg : {}),
    ...plainArgs((support) => isSupported(type, support)),
    ...(isSupported(type, 'post-formats') ? formatArg : {}),
    meta: meta.arg,
    ...(isSupported(type, 'sticky') ? stickyArg : {}),
    ...templateArg(templates),
    ...Object.fromEntries(taxonomies.map(({ restBase, pluralLabel }) => [restBase, termIds(pluralLabel)])),
  }
  // The cast: the conditions above are those of the type.
  return args as unknown as WriteArgsOf<S, H, T, F>
}

export const idArg = { id: int({ description: 'The ID of the post.' }) }

export const readArgs = {
  ...idArg,
  context: context(),
  excerpt_length: int({ description: 'How many words an excerpt made from the content has.' }),
  password: secret(str({ description: 'The password of the post, where it has one.' })),
}

export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Removes the post for good instead of moving it to the trash.' }),
}
