/** The rules of menu items: what they need, and how they are stored. */

import { blankPost } from '../../../contract/fields/blank.ts'
import type { Post, PostValues } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden } from '../../../core/declare/permissions.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'
import {
  type ItemFields,
  type ItemType,
  itemKey,
  itemPostKey,
  itemTermKey,
  readItems,
  type StoredItem,
} from '../../../site/menu-items.ts'
import { publicTypesOf, taxonomiesOf } from '../../shared/declared-types.ts'
import { refuseDocument } from '../../shared/post-meta.ts'
import type { FoundPost } from '../posts/model.ts'
import { mayReadTarget } from '../posts/model.ts'
import { addressOf } from './addresses.ts'
import type { createArgs, updateArgs } from './args.ts'
import { itemsOf, menuItemType, menuTaxonomy, readAllMenus } from './model.ts'

type ItemArgs = Partial<ArgValues<typeof createArgs>> & Partial<ArgValues<typeof updateArgs>>
export type ItemContext = Context<ItemArgs, FoundPost | undefined>

const blankItem: StoredItem = {
  type: 'custom',
  object: 'custom',
  url: '',
  target: '',
  classes: [],
  xfn: [],
  objectId: 0,
}

/** Applies all rules before anything is written. */
export async function saveItem(context: ItemContext): Promise<FoundPost> {
  const { args, app, storage, resource: before } = context
  refuseDocument(Object.entries(args.meta ?? {}), app.names)
  const stored = before ? ((await readItems(storage, [before.id])).get(before.id) ?? blankItem) : blankItem
  const item = await itemFor(context, stored)
  const title = titleFor(context, before)
  checkCustom(item, title)
  const menu = await menuFor(context)
  const columns = await columnsFor(context, { before, title })
  const post = await write(context, columns, before)
  const { objectId, ...fields } = item
  await storage.meta.write('post', [
    { id: post.id, key: itemKey, value: { ...fields } },
    { id: post.id, key: itemPostKey, value: item.type === 'post_type' ? objectId : null },
    { id: post.id, key: itemTermKey, value: item.type === 'taxonomy' ? objectId : null },
  ])
  if (menu !== undefined) {
    const terms = menu === 0 ? [] : [menu]
    await storage.terms.assign([{ post: post.id, taxonomy: menuTaxonomy.name, terms }])
  }
  return post
}

async function write(context: ItemContext, values: PostValues, before: FoundPost | undefined): Promise<FoundPost> {
  const { storage } = context
  if (!before) {
    const [id = 0] = await storage.posts.insert([values])
    const post = { ...values, id, version: 1 }
    context.emit('post.created', { post })
    return post
  }
  await storage.posts.update([{ id: before.id, changes: values }])
  const post = { ...values, id: before.id, version: before.version + 1 }
  context.emit('post.updated', { post, before, changedMeta: [itemKey] })
  return post
}

// ---------------------------------------------------------------- values

const textOf = (input: unknown): string | undefined => {
  const raw = typeof input === 'object' && input !== null ? (input as { raw?: unknown }).raw : input
  if (typeof raw === 'number') return String(raw)
  return typeof raw === 'string' ? raw.trim() : undefined
}

function titleFor({ args, user }: ItemContext, before: FoundPost | undefined): string {
  const sent = textOf(args.title)
  if (sent === undefined) return before?.title ?? ''
  return user.can('unfiltered_html') ? sent : filterTitle(sent)
}

/** Interface: an item without a target needs a title and an address. */
function checkCustom({ type, url }: StoredItem, title: string): void {
  if (type !== 'custom') return
  if (title === '') throw new ApiError('rest_title_required', 'A custom item needs a title.', 400)
  if (url === '') throw new ApiError('rest_url_required', 'A custom item needs an address.', 400)
}

async function itemFor(context: ItemContext, before: StoredItem): Promise<StoredItem> {
  const { args } = context
  const type: ItemType = args.type ?? before.type
  const isMoved = type !== before.type || args.object !== undefined || args.object_id !== undefined
  const target = isMoved ? await targetFor(context, type, before) : { object: before.object, objectId: before.objectId }
  return {
    type,
    ...target,
    url: type === 'custom' ? addressOf(args.url ?? before.url) : '',
    target: args.target ?? before.target,
    classes: args.classes === undefined ? before.classes : wordsOf(args.classes, /[^A-Za-z0-9_:-]+/g),
    xfn: args.xfn === undefined ? before.xfn : wordsOf(args.xfn, /[^A-Za-z0-9_-]+/g),
  }
}

const wordsOf = (sent: readonly string[], dropped: RegExp): string[] =>
  sent
    .flatMap((text) => text.split(/\s+/))
    .map((word) => word.replace(dropped, ''))
    .filter((word) => word !== '')

type TargetFields = Pick<StoredItem, 'object' | 'objectId'>

/** The target decides its type. */
async function postTarget(context: ItemContext, objectId: number): Promise<TargetFields> {
  const { app, storage, user } = context
  const [post] = await storage.posts.read([objectId])
  const isKnown = post && publicTypesOf(app).some(({ name }) => name === post.type)
  if (!isKnown || post.type === menuItemType.name) {
    throw new ApiError('rest_post_invalid_id', 'There is no such target.', 400)
  }
  if (await mayReadTarget(context, post)) return { object: post.type, objectId }
  throw forbidden(user, 'rest_cannot_read', 'You may not read the target.')
}

async function targetFor(context: ItemContext, type: ItemType, before: StoredItem): Promise<TargetFields> {
  const { args, app, storage } = context
  if (type === 'custom') return { object: 'custom', objectId: 0 }
  const objectId = args.object_id ?? before.objectId
  const sent = args.object === undefined ? undefined : app.names.toNeutral(args.object)
  if (type === 'post_type_archive') {
    const object = sent ?? before.object
    if (publicTypesOf(app).some(({ name }) => name === object)) return { object, objectId: 0 }
    throw new ApiError('rest_post_invalid_type', 'There is no such type of content.', 400)
  }
  if (type === 'post_type') return postTarget(context, objectId)
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ ids: [objectId], order, offset: 0, limit: 1 })
  const term = rows[0]
  if (term && taxonomiesOf(app).some(({ name }) => name === term.taxonomy)) return { object: term.taxonomy, objectId }
  throw new ApiError('rest_term_invalid_id', 'There is no such target.', 400)
}

async function menuFor({ args, storage }: ItemContext): Promise<number | undefined> {
  const { menus } = args
  if (menus === undefined || menus === 0) return menus
  const order = { by: 'id', descending: false } as const
  const taxonomies = [menuTaxonomy.name]
  const { rows } = await storage.terms.query({ ids: [menus], taxonomies, order, offset: 0, limit: 1 })
  if (rows.length === 0) throw new ApiError('invalid_menu_id', 'There is no such menu.', 400)
  return menus
}

async function columnsFor(
  context: ItemContext,
  { before, title }: { readonly before: FoundPost | undefined; readonly title: string },
): Promise<PostValues> {
  const { args, user, settings, app } = context
  const now = settings.time.now(app.clock)
  const text = (sent: string | undefined, stored: string) => (sent === undefined ? stored : filterContent(sent.trim()))
  return {
    ...blankPost,
    type: menuItemType.name,
    slug: before?.slug ?? '',
    author: before?.author ?? user.id,
    date: before?.date ?? now.local,
    dateGmt: before?.dateGmt ?? now.gmt,
    modified: now.local,
    modifiedGmt: now.gmt,
    title,
    excerpt: args.attr_title === undefined ? (before?.excerpt ?? '') : filterTitle(args.attr_title.trim()),
    content: text(args.description, before?.content ?? ''),
    // Choice: items are public or not; other statuses count as drafts.
    status: args.status === undefined ? (before?.status ?? 'publish') : args.status === 'publish' ? 'publish' : 'draft',
    parent: await parentFor(context, before),
    menuOrder: args.menu_order ?? before?.menuOrder ?? 1,
  }
}

/** Throws for a row that is no item. Choice: an item below itself gets no parent. */
async function parentFor({ args, storage }: ItemContext, before: Post | undefined): Promise<number> {
  const { parent } = args
  if (parent === undefined || parent === 0) return parent ?? before?.parent ?? 0
  const seen = new Set<number>()
  for (let at = parent; at !== 0 && !seen.has(at); ) {
    seen.add(at)
    const [above] = await storage.posts.read([at])
    if (at === parent && above?.type !== menuItemType.name) {
      throw new ApiError('rest_invalid_menu_item_parent', 'There is no such item.', 400)
    }
    if (at === before?.id) return 0
    at = above?.parent ?? 0
  }
  return parent
}

// ---------------------------------------------------------------- removal, new pages

/** Items below a removed one move up. */
export async function removeItem(context: Context<unknown, FoundPost>): Promise<void> {
  const { storage, resource: post } = context
  const order = { by: 'id', descending: false } as const
  const below = await storage.posts.query({
    types: [menuItemType.name],
    parents: [post.id],
    order,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  await storage.posts.update(below.idsPage.map(({ id }) => ({ id, changes: { parent: post.parent } })))
  await storage.posts.remove([post.id])
  context.emit('post.deleted', { post })
}

/** Menus that take new pages at the top get an item at their end. */
export async function addPage({ storage, settings, app }: HookContext, page: Post): Promise<void> {
  const menus = (await readAllMenus(storage)).filter(({ autoAdd }) => autoAdd)
  const now = settings.time.now(app.clock)
  for (const { id: menu } of menus) {
    const last = (await itemsOf(storage, menu)).at(-1)
    const [after] = last === undefined ? [] : await storage.posts.read([last])
    const fields: ItemFields = { ...fieldsOf(blankItem), type: 'post_type', object: page.type }
    const [id = 0] = await storage.posts.insert([
      {
        ...blankPost,
        type: menuItemType.name,
        status: 'publish',
        slug: '',
        author: page.author,
        date: now.local,
        dateGmt: now.gmt,
        modified: now.local,
        modifiedGmt: now.gmt,
        menuOrder: (after?.menuOrder ?? 0) + 1,
      },
    ])
    await storage.meta.write('post', [
      { id, key: itemKey, value: { ...fields } },
      { id, key: itemPostKey, value: page.id },
    ])
    await storage.terms.assign([{ post: id, taxonomy: menuTaxonomy.name, terms: [menu] }])
  }
}

function fieldsOf({ objectId: _, ...fields }: StoredItem): ItemFields {
  return fields
}
