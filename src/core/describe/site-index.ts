/** The site index and the namespace indexes, made from the declarations alone. */

import { outerArg } from '../../names/word-map.ts'
import type { Settings } from '../../site/settings.ts'
import type { Site } from '../declare/app-context.ts'
import type { Args } from '../declare/args.ts'
import { bool, context, int, list, num, oneOf, str } from '../declare/args.ts'
import { type AnyEndpoint, type Call, endpoint, type Feature, feature, type Profile } from '../declare/endpoint.ts'
import { anyone } from '../declare/permissions.ts'
import { fields, links, mapOf, openFields, sometimes } from '../declare/response-schema.ts'
import type { Bound, Route } from '../routing/router.ts'
import { RawJson, toJson } from '../runtime/json.ts'

/** The features that list all others: `/` and one index for each namespace. `routes` is asked when a request comes. */
export function indexFeatures(profile: Profile, routes: () => readonly Route[]): Feature[] {
  const namespaces = [...new Set(profile.features.map(({ namespace }) => namespace))].filter((one) => one !== '')
  return [
    feature('site-index', '', [siteIndex(profile, namespaces, routes)]),
    ...namespaces.map((namespace) => feature('namespace-index', namespace, [namespaceIndex(namespace, routes)])),
  ]
}

/** Thousands of lines of JSON that only change with the settings: written once for each. */
function kept(make: (site: Site, settings: Settings) => unknown): (call: Pick<Call, 'site' | 'settings'>) => RawJson {
  const texts = new WeakMap<Settings, RawJson>()
  return ({ site, settings }) => {
    const text = texts.get(settings) ?? new RawJson(toJson(make(site, settings)))
    texts.set(settings, text)
    return text
  }
}

/** The offset is a text in one profile and a number in the other. */
const siteIndexForm = (gmtOffset: Profile['gmtOffset']) =>
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
      namespaces: list(str()),
      authentication: fields({
        'application-passwords': fields({
          endpoints: fields({
            authorization: str({ format: 'uri', description: 'Where a user lets an application in.' }),
          }),
        }),
      }),
      routes: routesForm,
    },
    { title: 'Site index' },
  )

function siteIndex(profile: Profile, namespaces: readonly string[], routes: () => readonly Route[]): AnyEndpoint {
  const routeText = kept((site, settings) => routeEntries(routes(), settings, site))
  return endpoint({
    path: '/',
    methods: ['GET'],
    args: { context: context() },
    summary: 'Describe the site and all of its routes',
    permission: anyone,
    answers: { 200: siteIndexForm(profile.gmtOffset) },
    handler: ({ site, settings }) => {
      const offset = settings.timeZone === '' ? (settings.gmtOffset ?? 0) : settings.time.offsetHours(site.clock())
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
        namespaces: namespaces.map((one) => site.names.word(one)),
        authentication: {
          'application-passwords': { endpoints: { authorization: `${settings.apiRoot}/authorize` } },
        },
      }
      return new RawJson(`${JSON.stringify(head).slice(0, -1)},"routes":${routeText({ site, settings }).text}}`)
    },
  })
}

function namespaceIndex(namespace: string, routes: () => readonly Route[]): AnyEndpoint {
  const text = kept((site, settings) => ({
    namespace: site.names.word(namespace),
    routes: routeEntries(
      routes().filter((route) => route.namespace === site.names.word(namespace)),
      settings,
      site,
    ),
    _links: { up: [{ href: `${settings.apiRoot}/` }] },
  }))
  return endpoint({
    path: '',
    methods: ['GET'],
    args: { namespace: str({ default: namespace as string }), context: context() },
    summary: `Describe the routes of ${namespace}`,
    permission: anyone,
    answers: { 200: namespaceIndexForm },
    handler: text,
  })
}

/**
 * Interface: a route that names a group of others answers with those whose pattern begins with its own. `path` is the route
 * below the namespace.
 */
export function controllerIndex(namespace: string, path: string): (call: Pick<Call, 'site' | 'settings'>) => RawJson {
  return kept((site, settings) => {
    const key = site.names.word(`/${namespace}${path}`)
    return {
      namespace: site.names.word(namespace),
      controller: key.slice(1),
      routes: routeEntries(
        site.routes().filter(({ pattern }) => pattern.key === key || pattern.key.startsWith(`${key}/`)),
        settings,
        site,
      ),
      _links: { up: [{ href: `${settings.apiRoot}/` }] },
    }
  })
}

function routeEntries(routes: readonly Route[], settings: Settings, site: Site) {
  const listed = routes.filter(({ bounds }) => bounds.some(({ endpoint }) => !endpoint.unlisted))
  return Object.fromEntries(listed.map((route) => [route.pattern.key, routeEntry(route, settings, site)]))
}

const methodsForm = list(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))

/** Routes by their patterns. */
export const routesForm = mapOf(
  fields({
    namespace: str(),
    methods: methodsForm,
    endpoints: list(
      fields({
        methods: methodsForm,
        allow_batch: sometimes(fields({ v1: bool() }, { description: 'There if a batch may call it.' })),
        args: mapOf(openFields({ required: bool() }, { description: 'The schema of an argument.' })),
      }),
      { description: 'Methods that share arguments stand together.' },
    ),
    _links: fields({ self: links() }),
  }),
  { description: 'The routes by their patterns.' },
)

const namespaceIndexForm = fields(
  { namespace: str(), routes: routesForm, _links: fields({ up: links() }) },
  { title: 'Index of a namespace' },
)

/** What `controllerIndex` answers. */
export const controllerIndexForm = fields(
  { namespace: str(), controller: str(), routes: routesForm, _links: fields({ up: links() }) },
  { title: 'Route group index' },
)

/** One route as the index shows it. */
export function routeEntry({ namespace, bounds, pattern }: Route, settings: Settings, site: Site) {
  return {
    namespace,
    methods: [...new Set(bounds.flatMap((bound) => bound.endpoint.methods))],
    endpoints: bounds.map((bound) => endpointEntry(bound, site)),
    _links: { self: [{ href: `${settings.apiRoot}${pattern.readable}` }] },
  }
}

function endpointEntry({ endpoint: { methods, batch, args } }: Bound, site: Site) {
  return { methods, ...(batch ? { allow_batch: { v1: true } } : {}), args: argEntries(args, site) }
}

function argEntries(args: Args, { names }: Site) {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, { unlisted }]) => !unlisted)
      .map(([name, arg]) => {
        const { required = false, ...rest } = names.isEmpty ? arg.node : outerArg(arg, names)
        return [names.word(name), { ...rest, required }]
      }),
  )
}
