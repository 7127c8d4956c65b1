/** The arguments of the routes of a taxonomy, in the order in which the interface declares them. */
import {
  type Arg,
  type Args,
  anything,
  bool,
  context,
  int,
  list,
  oneOf,
  paging,
  publishedDefault,
  required,
  search,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import type { FieldInput, MetaFields } from '../../shared/post-meta.ts'

const ids = (description: string) => list(int(), { default: [], description })

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const

const firstListArgs = {
  context: context(),
  ...paging(),
  search: search('Finds only terms with this text in their name or slug.'),
  exclude: ids('Leaves out the terms with these IDs.'),
  include: ids('Lists only the terms with these IDs.'),
}
const offsetArg = { offset: int({ description: 'How many terms to skip, in place of a page.' }) }
const orderArgs = {
  order: oneOf(['asc', 'desc'], { default: 'asc', description: 'The direction of the order.' }),
  orderby: oneOf(orders, { default: 'name', description: 'What the list is ordered by.' }),
  hide_empty: bool({ default: false, description: 'Leaves out terms without published records.' }),
}
const parentListArg = {
  parent: int({ description: 'Lists only the terms right below this one; 0: those at the top.' }),
}
const lastListArgs = {
  // Interface: null, which no client can send in a query, means all.
  post: publishedDefault(int({ default: null as never, description: 'Lists only the terms of this record.' })),
  slug: list(str(), { description: 'Lists only terms with one of these slugs.' }),
}

export type CommonListArgs = typeof firstListArgs & typeof orderArgs & typeof lastListArgs

/** Interface: lists of taxonomies with parents have no offset. */
export type TermListArgs<H extends boolean> = CommonListArgs &
  (H extends true ? typeof parentListArg : typeof offsetArg)

export function termListArgs<H extends boolean>(isHierarchical: H): TermListArgs<H> {
  const args = {
    ...firstListArgs,
    ...(isHierarchical ? {} : offsetArg),
    ...orderArgs,
    ...(isHierarchical ? parentListArg : {}),
    ...lastListArgs,
  }
  // The cast: the conditions are those of the type.
  return args as unknown as TermListArgs<H>
}

const description = str({ description: 'What the term is for; a few HTML elements are allowed.' })
const name = str({ description: 'The name of the term.' })
const slug = str({
  description: 'The last part of the address, unique within the taxonomy. Empty: made from the name.',
})
const parentArg = { parent: int({ description: 'The ID of the term above; 0: none.' }) }
/** Interface: sending a parent where there are none is a special error. */
const refusedParent = { parent: unlisted(anything()) }

type WriteArgs<H extends boolean, F extends Args, N> = {
  readonly description: typeof description
  readonly name: N
  readonly slug: typeof slug
} & (H extends true ? typeof parentArg : unknown) & {
    readonly meta: [keyof F] extends [never] ? MetaFields['arg'] : Arg<FieldInput<F>, false>
  }

export function termCreateArgs<H extends boolean, F extends Args>(isHierarchical: H, meta: MetaFields) {
  return writeArgs<H, F, ReturnType<typeof required<string>>>(isHierarchical, meta, required(name))
}
export function termUpdateArgs<H extends boolean, F extends Args>(isHierarchical: H, meta: MetaFields) {
  return writeArgs<H, F, typeof name>(isHierarchical, meta, name)
}

function writeArgs<H extends boolean, F extends Args, N>(
  isHierarchical: H,
  meta: MetaFields,
  nameArg: N,
): WriteArgs<H, F, N> {
  const parent = isHierarchical ? parentArg : refusedParent
  // The cast: the condition is that of the type.
  return { description, name: nameArg, slug, ...parent, meta: meta.arg } as unknown as WriteArgs<H, F, N>
}

export const termIdArg = { id: int({ description: 'The ID of the term.' }) }
export const readTermArgs = { ...termIdArg, context: context() }
export const deleteTermArgs = {
  ...termIdArg,
  force: bool({ default: false, description: 'Must be true: terms have no trash.' }),
}
