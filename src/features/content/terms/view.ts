/** The views of terms: of the routes, and the records that `_embed` adds. */

import type { Json, Term } from '../../../contract/storage.ts'
import { type Args, int, list, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import {
  emptyList,
  exactly,
  fields,
  links,
  notEmbedded,
  openFields,
  type ResponseSchema,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { termAddresses } from '../../../site/term-address.ts'
import { publicTypesOf, typesWithTaxonomy } from '../../shared/declared-types.ts'
import type { FieldMembers } from '../../shared/post-meta.ts'
import { type ContentTaxonomy, hasRoute, tagTaxonomy, type ViewContext } from '../content-types/model.ts'
import { type TermExtension, type TermType, termTypeOf } from './model.ts'

const embeddable = exactly(true)

const termLinksWith = (relation: string | undefined) =>
  fields({
    self: targetLinks,
    collection: links(),
    about: links(),
    up: sometimes(links({ embeddable })),
    'cms:post_type': sometimes(links()),
    ...(relation === undefined ? {} : { [relation]: sometimes(links({ embeddable })) }),
    curies: links({ name: str(), templated: exactly(true) }),
  })
const termLinks = termLinksWith(undefined)

const headMembers = { id: int() }
const lastMembers = {
  link: str({ format: 'uri' }),
  name: str({ description: 'With `&`, `<` and `>` as references.' }),
  slug: str(),
}
const parentMember = { parent: notEmbedded(int({ description: 'The ID of the term above; 0: none.' })) }
const countMember = { count: notEmbedded(int({ description: 'How many published records have it.' })) }
const descriptionMember = { description: notEmbedded(str()) }

/** Describes the terms of all taxonomies: a taxonomy without parents sends no `parent`. */
export const embeddedTermSchema = fields(
  { ...headMembers, ...lastMembers, taxonomy: str(), _links: termLinks },
  { title: 'Embedded term' },
)

const embeddedMember = (relation: string | undefined) => ({
  _embedded: sometimes(
    fields(
      {
        up: sometimes(list(openFields({ id: int() }))),
        ...(relation === undefined ? {} : { [relation]: sometimes(list(openFields({}))) }),
      },
      { description: 'With `_embed`: the records behind links.' },
    ),
  ),
})

type TermMembers<H extends boolean, F extends Args> = typeof headMembers &
  typeof countMember &
  typeof descriptionMember &
  typeof lastMembers & { readonly taxonomy: ReturnType<typeof str> } & (H extends true
    ? typeof parentMember
    : unknown) & {
    readonly meta: ReturnType<typeof sometimes<[keyof F] extends [never] ? unknown : FieldMembers<F>>>
  }

export function termSchemasOf<H extends boolean, F extends Args>({
  name,
  label,
  isHierarchical,
  meta,
  extension,
}: TermType) {
  const extra = Object.entries(extension?.members ?? {}).map(([key, member]) => [key, notEmbedded(member)] as const)
  const all = {
    ...headMembers,
    ...countMember,
    ...descriptionMember,
    ...lastMembers,
    taxonomy: oneOf([name]),
    ...(isHierarchical ? parentMember : {}),
    // Interface: an object without members is sent as an empty list.
    meta: meta.keys.length === 0 ? notEmbedded(emptyList()) : notEmbedded(meta.schema),
    ...Object.fromEntries(extra),
  }
  // The cast: the conditions are those of the type.
  const members = withoutHidden(extension, all) as unknown as TermMembers<H, F>
  const relation = extension?.links?.relation
  const record = fields(
    { ...members, ...embeddedMember(relation), _links: termLinksWith(relation) },
    { title: label, record: name === tagTaxonomy.name ? 'tag' : name },
  )
  return {
    record,
    records: list(record) as ResponseSchema<readonly TermRecord<typeof record>[]>,
    deleted: fields({ deleted: exactly(true), previous: fields(members) }, { title: `Removed ${label.toLowerCase()}` }),
  }
}
const withoutHidden = <M extends object>({ hides = [] }: Pick<TermExtension, 'hides'> = {}, members: M): Partial<M> =>
  hides.length === 0
    ? members
    : // The cast: members were only removed.
      (Object.fromEntries(Object.entries(members).filter(([name]) => !hides.some((one) => one === name))) as Partial<M>)

type TermRecord<R> = R extends ResponseSchema<infer T> ? T : never

/** In the order of the terms; the number of reads is constant. */
export async function termViews(
  type: TermType,
  context: Context,
  terms: readonly Term[],
  viewContext: ViewContext,
): Promise<{ readonly [member: string]: unknown }[]> {
  const ids = terms.map(({ id }) => id)
  const publicly = (term: Term) => ({ ...term, taxonomy: context.app.names.toPublic(term.taxonomy) })
  const readsMeta = viewContext !== 'embed' && type.meta.keys.length > 0
  const [meta, addresses, allows, extra, more] = await Promise.all([
    readsMeta ? context.storage.meta.read('term', ids, type.meta.keys) : [],
    termAddresses(terms.map(publicly), context, { isViewable: type.isViewable ?? true }),
    context.allowedMethods(context, `${type.route}/{id}`, terms, ({ id }) => ({ id })),
    viewContext === 'embed' ? [] : (type.extension?.read(context, terms) ?? []),
    type.extension?.links?.read(context, terms) ?? [],
  ])
  const stored = new Map<number, { [key: string]: Json }>()
  for (const { id, key, value } of meta) stored.set(id, { ...stored.get(id), [key]: value })
  return terms.map((term, index) =>
    termView(type, context, viewContext, {
      term,
      link: addresses[index] ?? '',
      allow: allows[index] ?? '',
      meta: stored.get(term.id) ?? {},
      extra: extra[index] ?? {},
      paths: more[index] ?? [],
    }),
  )
}

interface ViewedTerm {
  readonly term: Term
  readonly link: string
  /** Returns the text of `Allow` on the route of the term; empty without such a route. */
  readonly allow: string
  readonly meta: { readonly [key: string]: Json }
  /** The members that the extension of the taxonomy adds. */
  readonly extra: { readonly [member: string]: unknown }
  /** The paths behind the relation that it adds. */
  readonly paths: readonly string[]
}

function termView(type: TermType, context: Context, viewContext: ViewContext, viewed: ViewedTerm) {
  const { term, link, meta, extra } = viewed
  const { names } = context.app
  const isEmbed = viewContext === 'embed'
  return withoutHidden(type.extension, {
    id: term.id,
    ...(isEmbed ? {} : { count: term.count, description: term.description }),
    link,
    name: term.name,
    slug: term.slug,
    taxonomy: names.toPublic(term.taxonomy),
    ...(isEmbed || !type.isHierarchical ? {} : { parent: term.parent }),
    ...(isEmbed ? {} : { meta: type.meta.keys.length === 0 ? [] : type.meta.view(meta, viewContext, context) }),
    ...extra,
    _links: linksOf(type, context, viewed),
  })
}

function linksOf(type: TermType, { settings, app }: Context, { term, allow, paths }: ViewedTerm) {
  const { names } = app
  const root = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  const collection = settings.apiRoot + names.toPublic(type.route)
  const types = publicTypesOf(app)
  const restBases = typesWithTaxonomy(types, type.name).flatMap(
    (name) => types.find((each) => each.name === name)?.published.restBase ?? [],
  )
  const lists = restBases.filter((restBase) => hasRoute(app, `/cms/v2/${restBase}`))
  return {
    self: [
      { href: `${collection}/${term.id}`, ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }) },
    ],
    collection: [{ href: collection }],
    about: [{ href: `${root}/taxonomies/${names.toPublic(type.name)}` }],
    ...(term.parent > 0 ? { up: [{ embeddable: true, href: `${collection}/${term.parent}` }] } : {}),
    ...(lists.length > 0
      ? {
          [names.toPublic('cms:post_type')]: lists.map((restBase) => ({
            href: `${root}/${names.toPublic(restBase)}?${names.toPublic(type.restBase)}=${term.id}`,
          })),
        }
      : {}),
    ...(paths.length > 0 && type.extension?.links
      ? {
          [names.toPublic(type.extension.links.relation)]: paths.map((path) => ({
            embeddable: true,
            href: `${root}/${path}`,
          })),
        }
      : {}),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

// ---------------------------------------------------------------- embedded

const lastNumber = (link: URL) => Number(link.pathname.slice(link.pathname.lastIndexOf('/') + 1))
const postOf = (link: URL) => Number(link.searchParams.get('post'))

export function termEmbedder(taxonomy: ContentTaxonomy): Embedder {
  const type = termTypeOf(taxonomy)
  return {
    path: new RegExp(`^${type.route}/\\d+$`),
    load: async (links, context) => {
      const views = await viewsOf(type, context, links.map(lastNumber))
      return new Map(
        links.flatMap((link) => {
          const view = views.get(lastNumber(link))
          return view ? [[link.href, view.view] as const] : []
        }),
      )
    },
  }
}

/** One link means all terms of the taxonomy that a record has. */
export function postTermsEmbedder(taxonomy: ContentTaxonomy): Embedder {
  const type = termTypeOf(taxonomy)
  return {
    path: new RegExp(`^${type.route}\\?post=\\d+$`),
    load: async (links, context) => {
      const assigned = await context.storage.terms.of([...new Set(links.map(postOf))])
      const own = assigned.filter((entry) => entry.taxonomy === type.name)
      const views = await viewsOf(type, context, [...new Set(own.map(({ term }) => term))])
      const termsOf = (post: number) =>
        own
          .filter((entry) => entry.post === post)
          .flatMap(({ term }) => views.get(term) ?? [])
          .sort((a, b) => a.place - b.place)
          .map(({ view }) => view)
      return new Map(links.map((link) => [link.href, termsOf(postOf(link))]))
    },
  }
}

interface PlacedView {
  readonly view: unknown
  /** The index in the list of terms by name. */
  readonly place: number
}

async function viewsOf(type: TermType, context: Context, ids: readonly number[]): Promise<Map<number, PlacedView>> {
  if (ids.length === 0) return new Map()
  const order = { by: 'name', descending: false } as const
  const { rows } = await context.storage.terms.query({
    ids,
    taxonomies: [type.name],
    order,
    offset: 0,
    limit: ids.length,
  })
  const views = await termViews(type, context, rows, 'embed')
  return new Map(rows.map(({ id }, place) => [id, { view: views[place], place }] as const))
}
