/** Wrong options fail in createSiteApi: all problems at once, one sentence each with what to write instead. */
import { expect, test } from 'vitest'
import type { Arg, SchemaNode } from '../../src/core/declare/args.ts'
import { siteOptions } from '../../src/host/options.ts'
import { createSiteApi, d1, d2, feature, profile } from '../../src/index.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

/** Hosts may write JavaScript, so that every value can have any type. */
const create = createSiteApi as (options?: unknown) => unknown
const right = { storage: memoryStorage(), profile: d1 }

function problemsOf(options: unknown): readonly string[] {
  try {
    create(options)
  } catch (error) {
    const { code, problems } = error as { code?: string; problems?: readonly string[] }
    expect(code).toBe('site_options')
    return problems ?? []
  }
  return []
}

test.each([
  ['no options', undefined],
  ['null', null],
  ['a text', 'site.db'],
  ['an empty object', {}],
])('says which options are required, for %s', (_, options) => {
  expect(problemsOf(options)).toEqual([
    "The option storage must be a storage, such as sqliteStorage('site.db') of 'site-api/storage/sqlite'; it is missing.",
    "The option profile must be a profile, such as d1: import { d1, d2 } from 'site-api', or declare your own with profile({ ... }); it is missing.",
  ])
})

const { childCounts: _, ...otherPostMethods } = memoryStorage().posts

test.each<[what: string, options: object, ...sentences: RegExp[]]>([
  [
    'a profile by its name',
    { profile: 'd1' },
    /^The option profile must be .* import \{ d1, d2 \} from 'site-api', .* not 'd1'\.$/,
  ],
  [
    'a profile without features',
    { profile: { name: 'x' } },
    /^The option profile\.features must be .*; it is missing\.$/,
  ],
  [
    'a word map by its name',
    { names: 'wordpress' },
    /^The option names must be .* import \{ wordpress \} from 'site-api\/names', not 'wordpress'\.$/,
  ],
  [
    'a storage by its file',
    { storage: 'site.db' },
    /^The option storage must be a storage, such as sqliteStorage.*, not 'site\.db'\.$/,
  ],
  ['a function that makes a storage', { storage: memoryStorage }, /^The option storage must be .*, not a function\.$/],
  [
    'a storage without a method',
    { storage: { ...memoryStorage(), posts: otherPostMethods } },
    /^The option storage\.posts\.childCounts must be a function, the method childCounts of the store posts of the storage contract \(site-api\/storage\); it is missing\.$/,
  ],
  [
    'a storage without a store',
    { storage: { ...memoryStorage(), meta: undefined } },
    /^The option storage\.meta must be the store meta /,
  ],
  [
    'an address without its scheme',
    { url: 'example.com' },
    /^The option url must be an address with its scheme, such as 'https:\/\/example\.com', not 'example\.com'\.$/,
  ],
  ['an address that no parser accepts', { url: 'https://a:b:c' }, /^The option url must be an address /],
  [
    'a limit with a unit',
    { limits: { bodyBytes: '1mb' } },
    /^The option limits\.bodyBytes must be a number of bytes, such as 1048576, not '1mb'\.$/,
  ],
  [
    'a limit as a text',
    { limits: { bodyBytes: '1048576' } },
    /^The option limits\.bodyBytes must be a number of bytes/,
  ],
  ['a limit of nothing', { limits: { bodyBytes: 0 } }, /^The option limits\.bodyBytes must be .* not 0\.$/],
  ['a misspelt option', { storgae: 1 }, /^There is no option storgae: did you mean storage\?$/],
  ['an unknown option', { colour: 'red' }, /^There is no option colour: the options are storage, profile, url, /],
  [
    'a misspelt option of limits',
    { limits: { bodybytes: 1 } },
    /^There is no option limits\.bodybytes: did you mean bodyBytes\?$/,
  ],
  [
    'a misspelt service',
    { services: { outbond: {} } },
    /^There is no option services\.outbond: did you mean outbound\?$/,
  ],
  [
    'a service that is none',
    { services: { outbound: 3 } },
    /^The option services\.outbound must be an HTTP client, .* not 3\.$/,
  ],
  [
    'a service without a method',
    { services: { media: { write: () => '' } } },
    /^The option services\.media\.read must be a function/,
    /media\.remove/,
    /media\.addressOf/,
  ],
  ['cors as a text', { cors: '*' }, /^The option cors must be false or \{ origins: .* not '\*'\.$/],
  [
    'a sign-in that is no function',
    { authenticate: 4 },
    /^The option authenticate must be a function that returns the id of a user, or null, not 4\.$/,
  ],
  ['a word for a switch', { docs: 'yes' }, /^The option docs must be true or false, not 'yes'\.$/],
  [
    'a word for a function',
    { basic: 'ignore' },
    /^The option basic must be 'ignore-unknown', or a function that returns whether a login is one of the site's, not 'ignore'\.$/,
  ],
  [
    'an unknown choice',
    { conditionalWrites: 'always' },
    /^The option conditionalWrites must be 'offered' or 'required', not 'always'\.$/,
  ],
  [
    'a cost out of its range',
    { passwordCost: 9 },
    /^The option passwordCost must be a whole number from 10 to 20, not 9\.$/,
  ],
  ['a root with a query', { root: '/api?x' }, /^The option root must be a path, such as '\/api', not '\/api\?x'\.$/],
  ['a logger without a method', { log: {} }, /^The option log\.error must be a function/],
  [
    'a scheme that is no text',
    { consent: { appSchemes: ['com.example.app', 7] } },
    /^The option consent\.appSchemes\.1 must be a URL scheme, such as 'com\.example\.app', not 7\.$/,
  ],
  [
    'a hook that is no function, whatever its name',
    { hooks: { 'post.saving': [], toString: 3 } },
    /^The option hooks\.post\.saving must be a function, not an empty list\.$/,
    /^The option hooks\.toString must be a function, not 3\.$/,
  ],
  ['a list of origins without its name', { cors: ['https://a.example'] }, /^The option cors must be .* not a list\.$/],
  ['null for limits', { limits: null }, /^The option limits must be an object of limits, .* not null\.$/],
  ['an object for a list', { webhooks: {} }, /^The option webhooks must be a list of webhooks, .* not an object\.$/],
  ['a long text', { docs: 'x'.repeat(61) }, /^The option docs must be true or false, not 'x{60}…'\.$/],
])('refuses %s', (_, options, ...sentences) => {
  const problems = problemsOf({ ...right, ...options })
  expect(problems).toHaveLength(sentences.length)
  for (const [index, sentence] of sentences.entries()) expect(problems[index]).toMatch(sentence)
})

test('every option and each of its members has a description for these sentences', () => {
  const undescribed = (node: SchemaNode, place: string): string[] => [
    ...(node.description === undefined ? [place] : []),
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) => undescribed(inner, `${place}.${name}`)),
    ...(node.items ? undescribed(node.items, `${place}.items`) : []),
    ...(typeof node.additionalProperties === 'object' ? undescribed(node.additionalProperties, `${place}.*`) : []),
  ]
  expect(Object.entries(siteOptions).flatMap(([name, { node }]: [string, Arg]) => undescribed(node, name))).toEqual([])
})

test('lists all problems in one error', () => {
  const options = { profile: 'd1', url: 'example.com', limits: { bodyBytes: '1mb' }, storgae: memoryStorage() }
  expect(() => create(options)).toThrow(
    /^createSiteApi has 5 problems:\n- The option storage .*\n- The option profile .*\n- The option url .*\n- The option limits\.bodyBytes .*\n- There is no option storgae: did you mean storage\?$/,
  )
})

test('lists the endpoints without a permission together with wrong options', () => {
  const boats = feature('boats', 'harbour/v1', [
    { path: '/boats', methods: ['GET'], args: {}, handler: () => 1 } as never,
  ])
  const harbour = profile({ name: 'harbour', gmtOffset: 'text', features: [boats, {} as never] })
  expect(problemsOf({ ...right, profile: harbour, url: 'quay' })).toEqual([
    expect.stringMatching(/^The option url /),
    expect.stringMatching(/^GET \/harbour\/v1\/boats \(feature boats\) has no permission: use anyone, /),
    expect.stringMatching(/^The feature .* is not complete: make it with feature\(/),
  ])
})

test('accepts storages and services that are instances of classes', () => {
  class Files {
    write = async () => '/uploads/a.png'
    async read() {
      return undefined
    }
    async remove() {}
    addressOf() {
      return '/uploads/a.png'
    }
  }
  class Limit {
    take() {
      return 0
    }
  }
  expect(problemsOf({ ...right, services: { media: new Files() }, consent: { limit: new Limit() } })).toEqual([])
  expect(problemsOf({ ...right, services: { media: new Limit() } })).toHaveLength(4)
})

test('accepts every option, members that are undefined, and services of the host', () => {
  const options = {
    storage: memoryStorage(),
    profile: d2,
    url: 'https://example.com/site',
    root: '',
    authenticate: () => null,
    basic: 'ignore-unknown',
    consent: { appSchemes: ['com.example.app'], signInUrl: () => '/', limit: { take: () => 0 } },
    services: { weather: { today: () => 'rain' } },
    names: wordpress,
    cors: false,
    limits: { bodyBytes: 1, revisions: 0 },
    conditionalWrites: 'required',
    passwordCost: 16,
    docs: true,
    checkResponses: undefined,
    clock: () => 0,
    log: console,
  }
  expect(problemsOf(options)).toEqual([])
  expect(problemsOf({ ...options, cors: { origins: ['https://app.example.com'] }, url: undefined })).toEqual([])
})
