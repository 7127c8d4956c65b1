/** Lists the places of the theme that show menus. Read-only: a menu names its places. */
import { context, int, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { exactly, fields, links, mapOf, sometimes, targetLinks } from '../../../core/declare/response-schema.ts'
import { capabilities, menuTaxonomy, readAllMenus, readPlaces } from './model.ts'

const placeSchema = fields(
  {
    name: str(),
    description: str({ description: 'What the theme calls it.' }),
    menu: int({ description: 'The menu; 0: none.' }),
    _links: fields({
      self: targetLinks,
      collection: links(),
      'cms:menu': sometimes(links({ embeddable: exactly(true) })),
      curies: links({ name: str(), templated: exactly(true) }),
    }),
    _embedded: sometimes(fields({})),
  },
  { title: 'Place of a menu', record: 'menu-location' },
)

const mayRead = permission<unknown, unknown>(capabilities.manage, ({ user }) =>
  user.can(capabilities.manage)
    ? undefined
    : forbidden(user, 'rest_cannot_view', 'You may not see the places of menus.'),
)

interface Place {
  readonly name: string
  readonly description: string
}

async function findPlace({
  args,
  storage,
}: Pick<Context<{ readonly location?: string }>, 'args' | 'storage'>): Promise<Place> {
  const { location: name = '' } = args
  const description = (await readPlaces(storage)).get(name)
  if (description === undefined) throw new ApiError('rest_menu_location_invalid', 'There is no such place.', 404)
  return { name, description }
}

async function placeViews(context: Context, places: readonly Place[]) {
  const { settings, app, storage } = context
  const { names } = app
  const menus = await readAllMenus(storage)
  const root = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  const path = '/cms/v2/menu-locations/{location}'
  const allows = await context.allowedMethods(context, path, places, ({ name }) => ({ location: name }))
  return places.map(({ name, description }, index) => {
    const menu = menus.find(({ places: taken }) => taken.includes(name))?.id ?? 0
    const allow = allows[index] ?? ''
    return {
      name,
      description,
      menu,
      _links: {
        self: [
          {
            href: `${root}/menu-locations/${name}`,
            ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }),
          },
        ],
        collection: [{ href: `${root}/menu-locations` }],
        ...(menu === 0
          ? {}
          : {
              [names.toPublic('cms:menu')]: [
                { embeddable: true, href: `${root}/${names.toPublic(menuTaxonomy.restBase)}/${menu}` },
              ],
            }),
        curies: [
          { name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true },
        ],
      },
    }
  })
}

const placeIn = ({ pathname }: URL) => pathname.slice(pathname.lastIndexOf('/') + 1)

/** Places behind the links of menus, for those who may see them. */
export const placeEmbedder: Embedder = {
  path: /^\/cms\/v2\/menu-locations\/[\w-]+$/,
  load: async (links, context) => {
    if (!context.user.can(capabilities.manage)) return new Map()
    const known = await readPlaces(context.storage)
    const names = [...new Set(links.map(placeIn))].filter((name) => known.has(name))
    const views = await placeViews(
      context,
      names.map((name) => ({ name, description: known.get(name) ?? '' })),
    )
    const byName = new Map(views.map((view) => [view.name, view]))
    return new Map(links.flatMap((link) => (byName.has(placeIn(link)) ? [[link.href, byName.get(placeIn(link))]] : [])))
  },
}

export const placeEndpoints = [
  endpoint({
    path: '/menu-locations',
    methods: ['GET'],
    args: { context: context() },
    summary: 'List the places of menus',
    permission: mayRead,
    responses: { 200: mapOf(placeSchema) },
    handler: async (context) => {
      const places = [...(await readPlaces(context.storage))].map(([name, description]) => ({ name, description }))
      const views = await placeViews(context, places)
      return Object.fromEntries(views.map((view) => [view.name, view]))
    },
  }),
  endpoint({
    path: `/menu-locations/${parameter('location', '[\\w-]+')}`,
    methods: ['GET'],
    args: { location: str({ description: 'The name of the place.' }), context: context() },
    summary: 'Read a place of menus',
    resource: findPlace,
    permission: mayRead,
    responses: { 200: placeSchema },
    handler: async (context) => (await placeViews(context, [context.resource]))[0],
  }),
] as const
