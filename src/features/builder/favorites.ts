/** The favorites of a user in the page builder, stored in user meta. The only type is `widgets`. */

import type { Json, Storage } from '../../contract/storage.ts'
import { fold } from '../../contract/text-fold.ts'
import { context, list, paging, required, search, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import { endpoint } from '../../core/declare/endpoint.ts'
import { feature } from '../../core/declare/feature.ts'
import { pageOf } from '../../core/declare/page.ts'
import { parameter } from '../../core/declare/pattern.ts'
import { can } from '../../core/declare/permissions.ts'
import { exactly, fields } from '../../core/declare/response-schema.ts'
import { storedState } from '../../core/pipeline/etag.ts'

const favoriteTypes: readonly string[] = ['widgets']
const favoriteSchema = fields({ type: exactly('widgets'), favorite: str() }, { title: 'Favorite' })
const metaKey = '_builder_favorites'

const path = `/favorites/${parameter('id', '[\\w]+')}` as const

/** `widgets`: the types that can be a favorite. Any other slug is ignored. */
export function favorites({ widgets }: { readonly widgets: readonly string[] }) {
  const widgetTypes = new Set(widgets)
  const args = {
    id: required(
      str({
        description: 'The kind of favorites.',
        check: (type: string) => (favoriteTypes.includes(type) ? undefined : 'There is no such type of favorites.'),
      }),
    ),
    favorite: required(str({ description: 'The favorite to add or to remove.' })),
  }
  return feature('favorites', 'builder/v1', [
    endpoint({
      path: '/favorites',
      methods: ['GET'],
      args: { context: context(), ...paging(), search: search() },
      summary: 'List the favorites of the current user',
      paged: true,
      permission: can('edit_posts'),
      responses: { 200: list(favoriteSchema) },
      stored: storedFavorites,
      handler: async (context) => {
        const { page, per_page: perPage, search: text = '' } = context.args
        const slugs = await readFavorites(context)
        const foldedText = fold(text)
        const rows = slugs
          .filter((slug) => fold(slug).includes(foldedText))
          .map((favorite) => ({ type: 'widgets', favorite }))
        const from = (page - 1) * perPage
        return pageOf(context, { rows: rows.slice(from, from + perPage), total: rows.length, page, perPage })
      },
    }),
    endpoint({
      path,
      methods: ['POST'],
      args,
      summary: 'Add a favorite and return all favorites of its type',
      permission: can('edit_posts'),
      responses: { 200: list(str()) },
      stored: storedFavorites,
      handler: (context) =>
        changeFavorites(context, (slugs, slug) =>
          slugs.includes(slug) || !widgetTypes.has(slug) ? slugs : [...slugs, slug],
        ),
    }),
    endpoint({
      path,
      methods: ['DELETE'],
      args,
      summary: 'Remove a favorite and return all favorites of its type',
      permission: can('edit_posts'),
      responses: { 200: list(str()) },
      stored: storedFavorites,
      handler: (context) =>
        changeFavorites(context, (slugs, slug) =>
          slugs.includes(slug) ? slugs.filter((other) => other !== slug) : slugs,
        ),
    }),
  ])
}

type FavoritesContext = { readonly user: Context['user']; readonly storage: Storage }

async function readFavorites({ user, storage }: FavoritesContext): Promise<readonly string[]> {
  const [entry] = await storage.meta.read('user', [user.id], [metaKey])
  return parseSlugs(entry?.value)
}

const storedFavorites = async (context: FavoritesContext) => storedState(await readFavorites(context))

/** Writes nothing when `change` returns the same list. */
async function changeFavorites(
  context: FavoritesContext & { readonly args: { readonly favorite: string } },
  change: (slugs: readonly string[], slug: string) => readonly string[],
): Promise<readonly string[]> {
  const slugs = await readFavorites(context)
  const changed = change(slugs, context.args.favorite)
  if (changed === slugs) return slugs
  const entry = { id: context.user.id, key: metaKey, value: { widgets: changed } }
  await context.storage.meta.write('user', [entry])
  return changed
}

function parseSlugs(stored: Json | undefined): readonly string[] {
  // The cast: the value is checked below; reading a member of a list or scalar is harmless.
  const slugs = (stored as { readonly [type: string]: Json } | null | undefined)?.['widgets']
  return Array.isArray(slugs) ? slugs.filter((slug) => typeof slug === 'string') : []
}
