/** Converts a menu item to the response body. */

import type { Post, Term } from '../../../contract/storage.ts'
import { bool, int, list, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  editOnly,
  emptyList,
  exactly,
  fields,
  links,
  notEmbedded,
  openFields,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { renderOf } from '../../../render/index.ts'
import {
  type Addressed,
  archiveAddress,
  itemTypes,
  readItems,
  readItemTargets,
  type StoredItem,
} from '../../../site/menu-items.ts'
import { publicTypesOf, taxonomiesOf } from '../../shared/declared-types.ts'
import { hasRoute, type ViewContext } from '../content-types/model.ts'
import type { FoundPost } from '../posts/model.ts'
import { itemRecords, menuItemType, menuTaxonomy } from './model.ts'

const embeddable = exactly(true)

const members = {
  id: int(),
  title: fields({ raw: editOnly(str({ description: 'In the edit context.' })), rendered: str() }),
  status: str(),
  url: str({ description: 'Where the item leads; empty: its target is gone.' }),
  attr_title: str(),
  description: str(),
  type: oneOf(itemTypes),
  type_label: str(),
  object: str(),
  object_id: int(),
  parent: int(),
  menu_order: int(),
  target: str(),
  classes: list(str()),
  xfn: list(str()),
  invalid: bool({ description: 'Whether its target is gone.' }),
  menus: notEmbedded(int({ description: 'The menu; 0: none.' })),
  meta: notEmbedded(emptyList()),
}

export const itemSchema = fields(
  {
    ...members,
    _links: fields({
      self: targetLinks,
      collection: links(),
      about: links(),
      'cms:term': links({ embeddable, taxonomy: str() }),
      'cms:menu-item-object': sometimes(links({ embeddable, post_type: sometimes(str()), taxonomy: sometimes(str()) })),
      curies: links({ name: str(), templated: exactly(true) }),
    }),
    _embedded: sometimes(openFields({})),
  },
  { title: 'Menu item', record: 'nav_menu_item' },
)
export const itemsSchema = list(itemSchema)
export const deletedSchema = fields({
  deleted: exactly(true),
  previous: fields(members, { title: 'Removed menu item' }),
})

/** The target of an item. */
interface Target {
  readonly title: string
  readonly url: string
  readonly label: string
  /** The neutral path of its record; undefined without a route. */
  readonly path?: string
  readonly isInvalid: boolean
}

/** In the order of the items; the number of reads does not grow with them. */
export async function itemViews(context: Context, posts: readonly FoundPost[], viewContext: ViewContext) {
  if (posts.length === 0) return []
  const ids = posts.map(({ id }) => id)
  const [assigned, items, allows] = await Promise.all([
    context.storage.terms.of(ids),
    readItems(context.storage, ids),
    context.allowedMethods(context, `${itemRecords.route}/{id}`, posts, ({ id }) => ({ id })),
  ])
  const menus = new Map(
    assigned.filter(({ taxonomy }) => taxonomy === menuTaxonomy.name).map(({ post, term }) => [post, term]),
  )
  const targetOf = await targetsOf(context, [...items.values()])
  return posts.map((post, index) => {
    // The cast: one for each id.
    const item = items.get(post.id) as StoredItem
    const target = targetOf(item)
    return {
      ...itemMembers(context, { post, item, target, menu: menus.get(post.id) ?? 0 }, viewContext),
      _links: linksOf(context, { post, item, target, allow: allows[index] ?? '' }),
    }
  })
}

interface ViewedItem {
  readonly post: FoundPost
  readonly item: StoredItem
  readonly target: Target
}

function itemMembers(
  { app }: Context,
  { post, item, target, menu }: ViewedItem & { readonly menu: number },
  viewContext: ViewContext,
) {
  const title = post.title || target.title
  return {
    id: post.id,
    title: { ...(viewContext === 'edit' ? { raw: title } : {}), rendered: renderOf(app).title(title) },
    status: post.status,
    url: target.url,
    attr_title: post.excerpt,
    description: post.content,
    type: item.type,
    type_label: target.label,
    object: app.names.toPublic(item.object),
    object_id: item.type === 'custom' ? post.id : item.objectId,
    parent: post.parent,
    menu_order: post.menuOrder,
    target: item.target,
    // Interface: a list without words has one empty word.
    classes: item.classes.length > 0 ? item.classes : [''],
    xfn: item.xfn.length > 0 ? item.xfn : [''],
    invalid: target.isInvalid,
    ...(viewContext === 'embed' ? {} : { meta: [], menus: menu }),
  }
}

function linksOf({ settings, app }: Context, { post, item, target, allow }: ViewedItem & { readonly allow: string }) {
  const { names } = app
  const root = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  const collection = settings.apiRoot + names.toPublic(itemRecords.route)
  const kind = item.type === 'taxonomy' ? 'taxonomy' : 'post_type'
  const isEmbeddable = { embeddable: true } as const
  const term = {
    ...{ taxonomy: names.toPublic(menuTaxonomy.name), ...isEmbeddable },
    href: `${root}/${names.toPublic(menuTaxonomy.restBase)}?post=${post.id}`,
  }
  const object = { [kind]: names.toPublic(item.object), ...isEmbeddable }
  return {
    self: [
      { href: `${collection}/${post.id}`, ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }) },
    ],
    collection: [{ href: collection }],
    about: [{ href: `${root}/types/${names.toPublic(menuItemType.name)}` }],
    [names.toPublic('cms:term')]: [term],
    ...(target.path === undefined
      ? {}
      : {
          [names.toPublic('cms:menu-item-object')]: [
            { ...object, href: settings.apiRoot + names.toPublic(target.path) },
          ],
        }),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

// ---------------------------------------------------------------- targets

const gone: Target = { title: '', url: '', label: '', isInvalid: true }

/** Reads the targets of all items, and finds that of each. */
export async function targetsOf(
  context: Pick<Context, 'storage' | 'app' | 'settings'>,
  items: readonly StoredItem[],
): Promise<(item: StoredItem) => Target> {
  const { app, settings } = context
  const types = new Map(publicTypesOf(app).map((type) => [type.name, type]))
  const taxonomies = new Map(taxonomiesOf(app).map((taxonomy) => [taxonomy.name, taxonomy]))
  const isHierarchical = (name: string) => types.get(name)?.published.isHierarchical === true
  const { posts, terms } = await readItemTargets(context, items, isHierarchical)
  const ofPost = (post: Addressed<Post> | undefined, object: string): Target => {
    const type = types.get(post?.row.type ?? object)
    const label = type?.label ?? object
    if (!post) return { ...gone, label }
    const isInvalid = !type || post.row.status === 'trash'
    return { title: post.row.title, url: post.url, label, isInvalid, ...recordAt(app, type?.published.restBase, post) }
  }
  const ofTerm = (term: Addressed<Term> | undefined, object: string): Target => {
    const taxonomy = taxonomies.get(term?.row.taxonomy ?? object)
    const label = taxonomy?.label ?? object
    if (!term) return { ...gone, label }
    const title = plainName(term.row.name)
    return { title, url: term.url, label, isInvalid: !taxonomy, ...recordAt(app, taxonomy?.restBase, term) }
  }
  const ofArchive = (object: string): Target => {
    const type = types.get(object)
    if (!type) return { ...gone, label: 'Archive' }
    const url = archiveAddress(object, settings)
    return { title: type.pluralLabel, url, label: 'Post Type Archive', isInvalid: false }
  }
  return ({ type, object, url, objectId }) => {
    if (type === 'custom') return { title: '', url, label: 'Custom Link', isInvalid: false }
    if (type === 'post_type_archive') return ofArchive(object)
    return type === 'post_type' ? ofPost(posts.get(objectId), object) : ofTerm(terms.get(objectId), object)
  }
}

function recordAt(app: Context['app'], restBase: string | undefined, { row }: Addressed<Post | Term>) {
  const path = `/cms/v2/${restBase}`
  return restBase !== undefined && hasRoute(app, path) ? { path: `${path}/${row.id}` } : {}
}

/** Names of terms are stored with references, titles without. */
const plainName = (name: string): string =>
  name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
