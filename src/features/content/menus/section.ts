/** The member `menus` of site documents: menus with their items. */
import { bool, int, list, nullable, object, oneOf, required, str } from '../../../core/declare/args.ts'
import type { DocumentSection } from '../../../core/declare/feature.ts'
import { itemKey, itemPostKey, itemTermKey, itemTypes } from '../../../site/menu-items.ts'
import { menuAutoAddKey, menuItemType, menuPlacesKey, menuTaxonomy } from './model.ts'

const closed = { additionalProperties: false } as const
const key = required(str({ minLength: 1 }))

const item = object(
  {
    key,
    type: oneOf(itemTypes),
    title: str(),
    url: str(),
    object: str(),
    /** The key has its kind: `page.about`, `category.news`. */
    object_id: str(),
    /** The key of another item. */
    parent: nullable(str()),
    order: int(),
    status: oneOf(['publish', 'draft']),
    attr_title: str(),
    description: str(),
    target: oneOf(['_blank', '']),
    classes: list(str()),
    xfn: list(str()),
  },
  closed,
)

const entry = object(
  {
    key,
    name: required(str()),
    slug: required(str({ minLength: 1 })),
    description: str(),
    locations: list(str()),
    auto_add: bool(),
    items: list(item),
  },
  closed,
)

interface Item {
  readonly key: string
  readonly type?: string
  readonly title?: string
  readonly url?: string
  readonly object?: string
  readonly object_id?: string
  readonly parent?: string | null
  readonly order?: number
  readonly status?: string
  readonly attr_title?: string
  readonly description?: string
  readonly target?: string
  readonly classes?: readonly string[]
  readonly xfn?: readonly string[]
}

interface Menu {
  readonly key: string
  readonly name: string
  readonly slug: string
  readonly description?: string
  readonly locations?: readonly string[]
  readonly auto_add?: boolean
  readonly items?: readonly Item[]
}

export const menusSection: DocumentSection = {
  member: 'menus',
  entry,
  expand: ({ key, name, slug, description = '', locations = [], auto_add: autoAdd = false, items = [] }: Menu) => ({
    terms: [
      {
        ...{ kind: 'menu', taxonomy: menuTaxonomy.name, key, name, slug, description },
        meta: {
          ...(locations.length > 0 ? { [menuPlacesKey]: locations } : {}),
          ...(autoAdd ? { [menuAutoAddKey]: true } : {}),
        },
      },
    ],
    documents: items.map((item, index) => itemDocument(item, key, index)),
  }),
}

function itemDocument(item: Item, menu: string, index: number) {
  const { type = 'custom', object = 'custom', object_id: target } = item
  const { url = '', classes = [], xfn = [], target: window = '' } = item
  return {
    kind: 'item',
    key: item.key,
    type: menuItemType.name,
    slug: '',
    title: item.title ?? '',
    content: item.description ?? '',
    excerpt: item.attr_title ?? '',
    status: item.status ?? 'publish',
    parent: item.parent ?? null,
    menu_order: item.order ?? index + 1,
    terms: { [menuTaxonomy.name]: [`menu.${menu}`] },
    meta: { [itemKey]: { type, object, url, target: window, classes, xfn } },
    ...(target === undefined ? {} : { meta_references: { [type === 'taxonomy' ? itemTermKey : itemPostKey]: target } }),
  }
}
