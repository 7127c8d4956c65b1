/** The arguments of the routes of menu items, in the order in which the interface declares them. */
import {
  type Arg,
  bool,
  context,
  int,
  list,
  nullMeans,
  object,
  oneOf,
  paging,
  str,
} from '../../../core/declare/args.ts'
import { itemTypes } from '../../../site/menu-items.ts'
import { listArgsOf, textArg } from '../posts/content-type.ts'
import { menuItemType } from './model.ts'

const inherited = listArgsOf<'title' | 'page-attributes' | 'autosave', false, 'menus'>(menuItemType)
const { page, per_page } = paging({ perPage: 100 })

/** The arguments of every type, with other defaults. */
export const listArgs = {
  ...inherited,
  page,
  per_page,
  order: withDefault(inherited.order, 'asc'),
  orderby: withDefault(inherited.orderby, 'menu_order'),
}

function withDefault<A extends Arg>(arg: A, value: string): A {
  return { ...arg, node: { ...arg.node, default: value } }
}

const titleForm: Arg = {
  node: {
    type: ['string', 'object'],
    description: 'The title; empty: that of the target.',
    properties: {
      raw: { type: 'string', context: ['edit'], description: 'The title as it is stored.' },
      rendered: {
        type: 'string',
        context: ['view', 'edit', 'embed'],
        readonly: true,
        description: 'The title as HTML.',
      },
    },
  },
}

const statuses = ['publish', 'future', 'draft', 'pending', 'private'] as const
const words = (description: string) => list(str(), { description })

const metaArg = { meta: object({}, { description: 'Meta fields.' }) }

const ownArgs = {
  attr_title: str({ description: 'The title attribute of the link.' }),
  classes: words('Class names of the link.'),
  description: str({ description: 'Words about the link.' }),
}
const linkArgs = {
  target: oneOf(['_blank', ''], { description: '_blank opens the link in a new window.' }),
  url: str({ format: 'uri', description: 'The address of a custom item.' }),
  xfn: words('What the owner of the target is to the author.'),
  menus: int({ description: 'The menu.' }),
  ...metaArg,
}
const objectArg = { object: str({ description: 'The type or the taxonomy of the target.' }) }

const title = { title: textArg('title', titleForm) }

export const createArgs = {
  ...title,
  type: oneOf(itemTypes, { default: 'custom', description: 'What the item leads to.' }),
  status: oneOf(statuses, { default: 'publish', description: 'The status of the item.' }),
  parent: int({ default: 0, minimum: 0, description: 'The item above; 0: none.' }),
  ...ownArgs,
  menu_order: int({ default: 1, minimum: 1, description: 'The place in the menu.' }),
  ...objectArg,
  object_id: int({ default: 0, minimum: 0, description: 'The ID of the target.' }),
  ...linkArgs,
}

const changeArgs = {
  type: oneOf(itemTypes, { description: 'What the item leads to.' }),
  status: oneOf(statuses, { description: 'The status of the item.' }),
}
const placeArgs = {
  menu_order: int({ minimum: 1, description: 'The place in the menu.' }),
  ...objectArg,
  object_id: int({ minimum: 0, description: 'The ID of the target.' }),
}

const idArg = { id: int({ description: 'The ID of the item.' }) }

export const updateArgs = {
  ...idArg,
  ...title,
  ...changeArgs,
  parent: int({ minimum: 0, description: 'The item above; 0: none.' }),
  ...ownArgs,
  ...placeArgs,
  ...linkArgs,
}

/** An autosave keeps the title. */
export const autosaveArgs = {
  parent: int({ minimum: 0, description: 'Has no effect: the path names the item.' }),
  ...title,
  ...changeArgs,
  ...ownArgs,
  ...placeArgs,
  ...linkArgs,
}

export const readArgs = { ...idArg, context: context() }
export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Must be true: items have no trash.' }),
}

/** The arguments of a menu. */
export const menuArgs = {
  locations: nullMeans(words('The places where the menu stands.'), []),
  auto_add: bool({ description: 'Whether new pages at the top become items.' }),
}
