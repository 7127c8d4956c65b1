/** Generates the site index and the namespace indexes from the declarations. */

import type { Settings } from '../../site/settings.ts'
import type { AppContext } from '../declare/app-context.ts'
import type { Args } from '../declare/args.ts'
import { bool, context, int, list, num, oneOf, str } from '../declare/args.ts'
import type { Context } from '../declare/context.ts'
import { type AnyEndpoint, endpoint, isOffered } from '../declare/endpoint.ts'
import { type Feature, feature } from '../declare/feature.ts'
import { anyone } from '../declare/permissions.ts'
import type { Profile } from '../declare/profile.ts'
import { exactly, fields, links, mapOf, openFields, sometimes } from '../declare/response-schema.ts'
import { result } from '../declare/result.ts'
import { publicSchema } from '../request/argument-names.ts'
import type { Route, RoutedEndpoint } from '../routing/route.ts'
import { RawJson, toJson } from '../runtime/json.ts'

const isListed = ({ unlisted = false }: { readonly unlisted?: boolean | undefined }): boolean => !unlisted

/** The features that list all others: `/` and one index per namespace. */
export function indexFeatures(profile: Profile): Feature[] {
  const listed = profile.features.filter(({ endpoints }) => endpoints.length === 0 || endpoints.some(isListed))
  const namespaces = [...new Set(listed.map(({ namespace }) => namespace))].filter((one) => one !== '')
  return [
    feature('site-index', '', [siteIndex(profile, namespaces)]),
    ...namespaces.map((namespace) => feature('namespace-index', namespace, [namespaceIndex(namespace)])),
  ]
}

/** Caches the JSON text per settings: it is thousands of lines long and changes with the settings only. */
function cachedPerSettings(
  make: (app: AppContext, settings: Settings) => unknown,
): (context: Pick<Context, 'app' | 'settings'>) => RawJson {
  const texts = new WeakMap<Settings, RawJson>()
  return ({ app, settings }) => {
    const text = texts.get(settings) ?? new RawJson(toJson(make(app, settings)))
    texts.set(settings, text)
    return text
  }
}

/** The offset is a text in one profile and a number in the other. */
const siteIndexSchema = (gmtOffset: Profile['gmtOffset']) =>
  fields(
    {
      name: str(),
      description: str(),
      url: str({ format: 'uri' }),
      home: str({ format: 'uri' }),
      gmt_offset: gmtOffset === 'text' ? str() : num(),
      timezone_string: str({ description: 'Empty where only an offset is set.' }),
      page_for_posts: int(),
      page_on_front: int(),
      show_on_front: str({ description: 'posts, or a page.' }),
      site_logo: sometimes(int({ description: 'The ID of a medium.' })),
      site_icon: sometimes(int({ description: 'The ID of a medium.' })),
      namespaces: list(str()),
      authentication: fields({
        'application-passwords': fields({
          endpoints: fields({
            authorization: str({ format: 'uri', description: 'Where a user lets an application in.' }),
          }),
        }),
      }),
      _links: fields({
        self: links(),
        help: sometimes(links()),
        'cms:featuredmedia': sometimes(links({ embeddable: exactly(true) })),
      }),
      routes: routesSchema,
    },
    { title: 'Site index' },
  )

function siteIndex(profile: Profile, namespaces: readonly string[]): AnyEndpoint {
  const routeText = cachedPerSettings((app, settings) => app.describeRoutes(settings, () => true))
  return endpoint({
    path: '/',
    methods: ['GET'],
    args: { context: context() },
    summary: 'Describe the site and all of its routes',
    permission: anyone,
    responses: { 200: siteIndexSchema(profile.gmtOffset) },
    handler: ({ app, settings }) => {
      const offset = settings.timeZone === '' ? (settings.gmtOffset ?? 0) : settings.time.offsetHours(app.clock())
      const { pictures, ids } = picturesOf(app, settings)
      const head = {
        name: settings.name,
        description: settings.description,
        url: settings.url,
        home: settings.home,
        gmt_offset: profile.gmtOffset === 'text' ? String(offset) : offset,
        timezone_string: settings.timeZone,
        page_for_posts: settings.pageForPosts,
        page_on_front: settings.pageOnFront,
        show_on_front: settings.showOnFront,
        ...pictures,
        namespaces: namespaces.map((one) => app.names.toPublic(one)),
        authentication: {
          'application-passwords': { endpoints: { authorization: `${settings.apiRoot}/authorize` } },
        },
        _links: indexLinks(app, settings, ids),
      }
      const index = new RawJson(`${JSON.stringify(head).slice(0, -1)},"routes":${routeText({ app, settings }).text}}`)
      return ids.length === 0 ? index : result(index, { keeps: ['_links'] })
    },
  })
}

const mediaRoute = '/cms/v2/media'

const hasRoute = ({ names, routes }: AppContext, path: string) =>
  routes().some(({ pattern }) => pattern.key === names.toPublic(path))

/** Interface: logo and icon are there once they are set, and their links whatever `_fields` leaves. */
function picturesOf(app: AppContext, { siteLogo, siteIcon }: Settings) {
  const ids = [siteLogo, siteIcon].filter((id) => id > 0)
  if (ids.length === 0 || !hasRoute(app, mediaRoute)) return { pictures: {}, ids: [] }
  return { pictures: { site_logo: siteLogo, site_icon: siteIcon }, ids }
}

/** The docs page is the help of the sites that serve it. */
function indexLinks(app: AppContext, { apiRoot }: Settings, pictures: readonly number[]) {
  const { names } = app
  const media = apiRoot + names.toPublic(mediaRoute)
  return {
    self: [{ href: `${apiRoot}/` }],
    ...(hasRoute(app, '/docs') ? { help: [{ href: `${apiRoot}/docs` }] } : {}),
    ...(pictures.length > 0
      ? { [names.toPublic('cms:featuredmedia')]: pictures.map((id) => ({ embeddable: true, href: `${media}/${id}` })) }
      : {}),
  }
}

function namespaceIndex(namespace: string): AnyEndpoint {
  const text = cachedPerSettings((app, settings) => ({
    namespace: app.names.toPublic(namespace),
    routes: app.describeRoutes(settings, (route) => route.namespace === app.names.toPublic(namespace)),
    _links: { up: [{ href: `${settings.apiRoot}/` }] },
  }))
  return endpoint({
    path: '',
    methods: ['GET'],
    args: { namespace: str({ default: namespace as string }), context: context() },
    summary: `Describe the routes of ${namespace}`,
    permission: anyone,
    responses: { 200: namespaceIndexSchema },
    handler: text,
  })
}

/** Interface: a route that is the prefix of others returns the index of those routes. `path` is below the namespace. */
export function controllerIndex(
  namespace: string,
  path: string,
): (context: Pick<Context, 'app' | 'settings'>) => RawJson {
  return cachedPerSettings((app, settings) => {
    const key = app.names.toPublic(`/${namespace}${path}`)
    return {
      namespace: app.names.toPublic(namespace),
      controller: key.slice(1),
      routes: app.describeRoutes(settings, ({ pattern }) => pattern.key === key || pattern.key.startsWith(`${key}/`)),
      _links: { up: [{ href: `${settings.apiRoot}/` }] },
    }
  })
}

/** The index entries of the listed routes, by pattern. */
export function routeEntries(routes: readonly Route[], settings: Settings, app: AppContext) {
  const listed = routes.filter(({ endpoints }) =>
    endpoints.some(({ endpoint }) => isListed(endpoint) && isOffered(endpoint, app)),
  )
  return Object.fromEntries(listed.map((route) => [route.pattern.key, routeEntry(route, settings, app)]))
}

const methodsSchema = list(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))

/** Routes by pattern. */
const routesSchema = mapOf(
  fields({
    namespace: str(),
    methods: methodsSchema,
    endpoints: list(
      fields({
        methods: methodsSchema,
        allow_batch: sometimes(fields({ v1: bool() }, { description: 'There if a batch may call it.' })),
        args: mapOf(openFields({ required: bool() }, { description: 'The schema of an argument.' })),
      }),
      { description: 'Methods that share arguments stand together.' },
    ),
    _links: fields({ self: links() }),
  }),
  { description: 'The routes by their patterns.' },
)

const namespaceIndexSchema = fields(
  { namespace: str(), routes: routesSchema, _links: fields({ up: links() }) },
  { title: 'Index of a namespace' },
)

/** The response of `controllerIndex`. */
export const controllerIndexSchema = fields(
  { namespace: str(), controller: str(), routes: routesSchema, _links: fields({ up: links() }) },
  { title: 'Route group index' },
)

/** The index entry of a route. */
function routeEntry({ namespace, endpoints: all, pattern }: Route, settings: Settings, app: AppContext) {
  const endpoints = all.filter(({ endpoint }) => isOffered(endpoint, app))
  return {
    namespace,
    methods: [...new Set(endpoints.flatMap((routed) => routed.endpoint.methods))],
    endpoints: endpoints.map((routed) => endpointEntry(routed, app)),
    _links: { self: [{ href: `${settings.apiRoot}${pattern.readable}` }] },
  }
}

/** The response to OPTIONS has the index entry, and the schema of a record. */
export async function routeDescription(route: Route, settings: Settings, app: AppContext) {
  const { recordSchema } = await import('./record-schema.ts')
  const schema = recordSchema(route, settings, app, { argEntries, publicSchema })
  return { ...routeEntry(route, settings, app), ...(schema ? { schema } : {}) }
}

function endpointEntry({ endpoint: { methods, batch, args } }: RoutedEndpoint, app: AppContext) {
  return { methods, ...(batch ? { allow_batch: { v1: true } } : {}), args: argEntries(args, app) }
}

/** The schemas of arguments by their public names. */
function argEntries(args: Args, { names }: AppContext) {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, { unlisted }]) => !unlisted)
      .map(([name, arg]) => {
        const { required = false, ...rest } = names.isEmpty ? arg.node : publicSchema(arg, names)
        return [names.toPublic(name), { ...rest, required }]
      }),
  )
}
