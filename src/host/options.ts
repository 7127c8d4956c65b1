/**
 * The options of `createSiteApi` as declarations, and their check when an api is created: a mistake fails there, with a
 * sentence that says what to write, instead of in each request.
 */

import { nameAdvice, nearestName } from '../contract/nearest-name.ts'
import type { Storage } from '../contract/storage.ts'
import { type Arg, type Args, bool, callable, int, list, object, oneOf, required, str } from '../core/declare/args.ts'
import type { Profile } from '../core/declare/profile.ts'
import { OptionsError, optionProblems } from '../core/request/option-check.ts'
import { declarationProblems } from '../core/routing/declaration-check.ts'
import type { HostServices } from '../render/builder/records/host-services.ts'
import { changeNames } from './hooks.ts'

interface GivenOptions {
  readonly url?: string
  readonly hooks?: object
  readonly services?: object
  readonly profile?: Profile
}

/** Throws an OptionsError that lists all problems. */
export function checkOptions(declared: Args, options: unknown): void {
  // The cast: each member is used only after its check.
  const given = (typeof options === 'object' && options !== null ? options : {}) as GivenOptions
  const problems = optionProblems(declared, given)
  const isRight = (option: string) => !problems.some((problem) => problem.startsWith(`The option ${option}`))
  if (given.url !== undefined && isRight('url') && !URL.canParse(given.url)) {
    problems.push(`The option url must be ${addressForm}, not '${given.url}'.`)
  }
  if (given.hooks && isRight('hooks')) problems.push(...hookProblems(given.hooks))
  if (given.services && isRight('services')) problems.push(...serviceProblems(given.services))
  if (given.profile && isRight('profile')) problems.push(...declarationProblems(given.profile.features))
  if (problems.length > 0) throw new OptionsError('createSiteApi', problems)
}

/** Events are known to the compiler only; the hooks before a change have names in -ing. */
function hookProblems(given: object): string[] {
  return Object.keys(given).flatMap((name) =>
    name.endsWith('ing') && !changeNames.includes(name)
      ? [`There is no hook ${name}: ${nameAdvice(name, changeNames, 'the hooks before a change')}`]
      : [],
  )
}

/** Features of the host may have further services, so that only a name like one of ours is a mistake. */
function serviceProblems(given: object): string[] {
  return Object.keys(given).flatMap((name) => {
    const meant = Object.hasOwn(services, name) ? undefined : nearestName(name, Object.keys(services))
    return meant === undefined ? [] : [`There is no option services.${name}: did you mean ${meant}?`]
  })
}

const addressForm = "an address with its scheme, such as 'https://example.com'"

const methods = (description: string, names: readonly string[], optional: readonly string[] = []): Arg => {
  const method = (name: string) => callable({ description: `a function, the method ${name} of ${description}` })
  return object(
    {
      ...Object.fromEntries(names.map((name) => [name, required(method(name))])),
      ...Object.fromEntries(optional.map((name) => [name, method(name)])),
    },
    { description },
  )
}

/** An object type, so that the compiler requires every service of the contract here. */
const renderServices: { readonly [S in keyof HostServices]-?: true } = {
  icon: true,
  menu: true,
  sidebar: true,
  shortcode: true,
  embed: true,
  field: true,
  feed: true,
  account: true,
}

type Stores = Pick<Storage, 'posts' | 'terms' | 'users' | 'meta' | 'options' | 'records'>
type MethodNames = { readonly [S in keyof Stores]: { readonly [M in keyof Stores[S]]: true } }

/** An object type, so that the compiler requires every method of the contract here. */
const storeMethods: MethodNames = {
  posts: { query: true, read: true, insert: true, update: true, remove: true, takenSlugs: true, childCounts: true },
  terms: { query: true, insert: true, update: true, remove: true, below: true, of: true, assign: true },
  users: { query: true, insert: true, update: true, remove: true },
  meta: { read: true, write: true },
  options: { read: true, write: true, swap: true },
  records: { query: true, insert: true, update: true, remove: true },
}

const storageForm = "a storage, such as sqliteStorage('site.db') of 'site-api/storage/sqlite'"

const storage = object(
  {
    ...Object.fromEntries(
      Object.entries(storeMethods).map(([store, names]) => [
        store,
        required(methods(`the store ${store} of the storage contract (site-api/storage)`, Object.keys(names))),
      ]),
    ),
    ...Object.fromEntries(
      (['open', 'atomic', 'changes', 'close'] as const).map((name) => [
        name,
        callable({ description: `a function, or left out: ${name} of the storage contract (site-api/storage)` }),
      ]),
    ),
  },
  { description: storageForm },
)

const profileForm =
  "a profile, such as d1: import { d1, d2 } from 'site-api', or declare your own with profile({ ... })"

const profile = object(
  {
    name: required(str({ description: 'a text' })),
    features: required(
      list(object({}, { description: 'a feature, as feature() returns it' }), {
        description: 'a list of features, as profile() takes it',
      }),
    ),
    gmtOffset: oneOf(['text', 'number'], { description: "'text' or 'number'" }),
  },
  { description: profileForm },
)

const services: Args = {
  render: methods('a renderer, as createRender() returns it', ['title', 'content', 'excerpt']),
  outbound: methods('an HTTP client, as createHttpClient() returns it', ['get']),
  media: methods(
    'a store of files, as createMedia() returns it',
    ['write', 'read', 'remove', 'addressOf'],
    ['store', 'open', 'has'],
  ),
  images: methods('a library of pictures, as createImages() returns it', ['isAvailable', 'measure', 'write']),
  icons: callable({ description: 'icons, as createIcons() returns them' }),
  mail: methods('a mail service, such as { send: ({ to, subject, text }) => ... }', ['send']),
  visitors: methods('what is known about visitors, as createVisitors() returns it', ['addressOf', 'take']),
  packages: methods('the packages, as createPackages() returns them', ['declares', 'installed']),
  connect: methods('an OAuth service, as createOAuth() returns it', ['register', 'begin', 'finish']),
  accessibility: object(
    {
      everyMs: int({ minimum: 60_000, description: 'a number of milliseconds, at least 60000' }),
      engine: callable({ description: 'a function that returns what it finds on a page' }),
    },
    { description: 'an object with everyMs or engine', additionalProperties: false },
  ),
  feeds: methods('the feeds, as createFeeds() returns them', ['notifications', 'news', 'promotions', 'kits']),
}

const documentAddress = str({
  description: 'an address with {id}, such as {home}/editor/{id}',
  pattern: '.*\\{id\\}.*',
})
const bytes = int({ minimum: 1, description: 'a number of bytes, such as 1048576' })
const rateLimit = methods('a limit with the method take, as tokenBuckets() returns it', ['take'])

const origins = list(
  str({ pattern: 'https?://[^\\s/?#]+', description: "an origin without a path, such as 'https://app.example.com'" }),
  { description: "a list of origins, such as ['https://app.example.com']" },
)

/** False, or the form. */
const orFalse = (form: Arg, description: string): Arg => ({
  node: { anyOf: [{ const: false }, form.node], description },
})

const namesForm = "a list of pairs of words, such as wordpress: import { wordpress } from 'site-api/names'"

const tableOf = (contents: string): Arg =>
  object({}, { description: `an object of ${contents}`, additionalProperties: true })

/** Each option of `createSiteApi`. The description of one completes the sentence `The option url must be ...`. */
export const siteOptions = {
  storage: required(storage),
  profile: required(profile),
  url: str({ pattern: 'https?://[^\\s/?#]\\S*', description: addressForm }),
  root: str({ pattern: '[\\w./~-]*', description: "a path, such as '/api'" }),
  authenticate: callable({ description: 'a function that returns the id of a user, or null' }),
  basic: {
    node: {
      anyOf: [{ const: 'ignore-unknown' }, callable({ description: 'a function' }).node],
      description: "'ignore-unknown', or a function that returns whether a login is one of the site's",
    },
  },
  consent: object(
    {
      appSchemes: list(str({ description: "a URL scheme, such as 'com.example.app'" }), {
        description: "a list of URL schemes, such as ['com.example.app']",
      }),
      signInUrl: callable({ description: 'a function that returns the address of your sign-in page' }),
      limit: rateLimit,
    },
    { description: 'an object with appSchemes, signInUrl or limit', additionalProperties: false },
  ),
  services: object(services, { description: 'an object of services, such as { outbound: createHttpClient() }' }),
  render: object(
    {
      widgets: tableOf('widgets by type'),
      tags: tableOf('functions by the name of a dynamic tag'),
      shortcodes: tableOf('functions by the name of a shortcode'),
      cache: bool({ description: 'true, or false to draw anew each time' }),
      blocks: tableOf('functions by the name of a block'),
      conditions: tableOf('functions by the name of a display condition'),
      queries: tableOf('functions by the name of a query'),
      services: object(
        {
          ...Object.fromEntries(
            Object.keys(renderServices).map((name) => [name, callable({ description: 'a function' })]),
          ),
        },
        { description: 'an object of functions, such as { menu: (name) => items }', additionalProperties: false },
      ),
    },
    {
      description: 'an object with widgets, tags, shortcodes, blocks, conditions, queries, services or cache',
      additionalProperties: false,
    },
  ),
  names: list(list(str({ description: 'a text' }), { description: "a pair of words, such as ['cms/v2', 'site/v1']" }), {
    description: namesForm,
  }),
  cors: orFalse(
    object({ origins }, { additionalProperties: false }),
    "false or { origins: ['https://app.example.com'] }",
  ),
  limits: object(
    {
      bodyBytes: bytes,
      smallBodyBytes: bytes,
      visitorBodyBytes: bytes,
      bodyValues: int({ minimum: 100, description: 'a number of values, such as 100000' }),
      queryBytes: bytes,
      uploadBytes: bytes,
      imageBytes: bytes,
      imagePixels: int({ minimum: 1, description: 'a number of pixels, such as 100000000' }),
      attachmentBytes: int({ minimum: 0, description: 'a number of bytes, such as 10 * 1024 * 1024' }),
      attachmentsBytes: int({ minimum: 0, description: 'a number of bytes, such as 20 * 1024 * 1024' }),
      responseBytes: int({
        minimum: 0,
        description: 'a number of bytes, such as 16 * 1024 * 1024; 0 caches no responses',
      }),
      searchCharacters: int({ minimum: 1, description: 'a number of characters, such as 1000' }),
      requestWork: int({ minimum: 300, description: 'a number of units of work, such as 30000' }),
      revisions: int({ minimum: 0, description: 'a number of revisions, such as 20' }),
    },
    { description: 'an object of limits, such as { bodyBytes: 1048576 }', additionalProperties: false },
  ),
  documentLinks: object(
    { edit: documentAddress, preview: documentAddress, export: documentAddress },
    {
      description: "an object of addresses with {id}, such as { edit: '{home}/editor/{id}' }",
      additionalProperties: false,
    },
  ),
  conditionalWrites: oneOf(['offered', 'required'], { description: "'offered' or 'required'" }),
  svgUploads: orFalse(
    str({ pattern: '\\w+' }),
    'false, or a capability of the users who may upload svg files, such as upload_files',
  ),
  unknownArguments: oneOf(['ignore', 'refuse'], { description: "'ignore' or 'refuse'" }),
  passwordCost: int({ minimum: 10, maximum: 20, description: 'a whole number from 10 to 20' }),
  hooks: {
    node: {
      type: 'object',
      additionalProperties: callable({ description: 'a function' }).node,
      description: "an object of functions, such as { 'post.saving': (change) => change }",
    },
  },
  webhooks: list(
    object(
      {
        url: required(str({ description: 'an address, such as https://example.com/hook' })),
        secret: required(str({ description: 'a text, such as whsec_ and a key in base64' })),
        events: list(str({ description: 'a name, such as post.published' }), {
          description: "a list of names, such as ['post.published']",
        }),
      },
      { description: 'an object with url and secret', additionalProperties: false },
    ),
    { description: "a list of webhooks, such as [{ url: 'https://example.com/hook', secret: 'whsec_...' }]" },
  ),
  cacheTags: object(
    {
      header: str({ pattern: '^[A-Za-z][A-Za-z0-9-]*$', description: 'the name of a header, such as Cache-Tag' }),
      cacheControl: str({ description: 'a Cache-Control, such as public, max-age=0, s-maxage=86400' }),
    },
    {
      description: "an object with header and cacheControl, such as { header: 'Cache-Tag' }",
      additionalProperties: false,
    },
  ),
  events: object(
    {
      count: int({ minimum: 1, description: 'a number of events, such as 100000' }),
      days: int({ minimum: 1, description: 'a number of days, such as 30' }),
    },
    { description: 'an object with count and days, such as { days: 90 }', additionalProperties: false },
  ),
  history: object(
    {
      count: int({ minimum: 1, description: 'a number of changes, such as 50000' }),
      days: int({ minimum: 1, description: 'a number of days, such as 90' }),
    },
    { description: 'an object with count and days, such as { days: 365 }', additionalProperties: false },
  ),
  releases: object(
    { needsApproval: bool({ description: 'true or false' }) },
    { description: 'an object with needsApproval, such as { needsApproval: true }', additionalProperties: false },
  ),
  publishing: object(
    {
      checks: {
        node: {
          anyOf: [
            { const: 'warn' },
            { const: 'refuse' },
            { type: 'object', additionalProperties: { enum: ['refuse', 'warn', 'off'] } },
          ],
          description: "'warn', 'refuse', or an object of these and 'off' by code, such as { 'dead-link': 'refuse' }",
        },
      },
      linksEveryMs: int({ minimum: 60_000, description: 'a number of milliseconds, at least 60000' }),
      pageBytes: int({ minimum: 1000, description: 'a number of bytes, such as 2000000' }),
    },
    { description: "an object with checks, such as { checks: 'warn' }", additionalProperties: false },
  ),
  onRequest: callable({ description: 'a function that takes the report of a request' }),
  limit: callable({ description: 'a function that returns the seconds to wait, or 0' }),
  record: str({ minLength: 1, description: "the path of a file, such as 'requests.jsonl'" }),
  docs: bool({ description: 'true or false' }),
  health: bool({ description: 'true or false' }),
  checkResponses: bool({ description: 'true or false' }),
  clock: callable({ description: 'a function that returns the milliseconds since 1970' }),
  log: methods('a logger with the method error, such as console', ['error']),
} satisfies Args
