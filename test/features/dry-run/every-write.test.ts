/** Each write of profile `full` is tried and then carried out: a dry run changes nothing, and foretells the answer and the changes. */
import { expect, onTestFinished, test } from 'vitest'
import { createPackages } from '../../../src/services/packages/index.ts'
import { filled, recordOf, type Values } from '../../security/permission-records.ts'
import { permissionTable } from '../../security/permission-table.ts'
import { listed } from '../../support/assertion-messages.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import { isFullRun } from '../../support/generated-cases.ts'
import { failuresOf } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'
import { openWatchedSite, type WatchedSite } from './site.ts'

const packages = createPackages([
  { kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0', initially: 'absent' },
  { kind: 'plugin', slug: 'site-mailer', name: 'Site mailer', version: '1.0', initially: 'inactive' },
  { kind: 'plugin', slug: 'image-optimization', name: 'Pictures', version: '1.0', initially: 'inactive' },
  { kind: 'theme', slug: 'builder-theme', name: 'Builder theme', version: '1.0', initially: 'active' },
  { kind: 'theme', slug: 'builder-theme-biz', name: 'Business', version: '1.0', initially: 'absent' },
])

/** Packages are installed by a service of the host: a dry run of these says only that it would be asked. */
const askPackages = /\/(themes|plugins|crosssell|onboarding\/install)/

/** Drawn anew in each run: no dry run can know them. */
const random = [
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g,
  /e-gv-[\da-f]{7}/g,
  /(?<=preview=1\.[\da-z]+\.)[\w-]{43}/g,
  /(?<=("token":"|release=)\d+\.)[\w-]{43}/g,
  /(?<="password":")(?:\w{4} ){5}\w{4}/g,
]

const withoutRandom = (value: unknown) =>
  random.reduce((text, pattern) => text.replace(pattern, 'RANDOM'), JSON.stringify(value) ?? 'null')

interface Call {
  readonly method: string
  readonly path: string
  readonly sent: (typeof permissionTable.d1)[number][3]
}

const all = Object.values(permissionTable)
  .flat()
  .flatMap(([methods, path, , sent]): Call[] => methods.split(' ').map((method) => ({ method, path, sent })))
  .filter(({ method }) => method !== 'GET' && method !== 'OPTIONS')

/** POST, PUT and PATCH of one route have one handler. */
const keyOf = ({ method, path }: Call) => `${method === 'DELETE' ? method : ''} ${path}`
const short = [...new Map(all.map((call) => [keyOf(call), call])).values()]
const calls = isFullRun ? all : short

const onThisStorage = isFullRun || process.env.TEST_STORAGE === 'sqlite'
/** The sequences of PostgreSQL give no id back. */
const givesIdsBack = process.env.TEST_STORAGE !== 'postgres'

test.runIf(onThisStorage)(
  'a dry run of each write changes nothing, and foretells it',
  { timeout: 900_000 },
  async () => {
    const site = await openWatchedSite(withDocuments, {
      limit: () => 0,
      services: {
        packages,
        templates: { list: () => [], get: () => ({ title: 'Prices', type: 'page', content: [] }) },
      },
      seed: { ...smallSite, options: { ...smallSite.options, menu_locations: { primary: 'Main place' } } },
    })
    onTestFinished(site.dispose)
    // The first requests write what belongs to the site.
    await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'First' } })
    await site.api.site.runDue()
    const differences: string[] = []
    for (const [serial, call] of calls.entries()) differences.push(...(await differencesOf(site, call, serial + 1)))
    expect(failuresOf(site)).toEqual([])
    expect(differences, listed('These dry runs and the writes after them differ:', differences)).toEqual([])
  },
)

async function differencesOf(site: WatchedSite, { method, path, sent = {} }: Call, serial: number): Promise<string[]> {
  const record = sent.on === undefined ? {} : await recordOf(sent.on)(site, serial)
  const values: Values = { ...sent.at, ...record, serial }
  const address = String(filled(path, values))
  const request = {
    ...(sent.query === undefined ? {} : { query: String(filled(sent.query, values)) }),
    ...(sent.body === undefined ? {} : { body: filled(sent.body, values) }),
  }
  const send = site.as('ada')
  // A record may leave work to the background: publishing a release asks for the due times anew.
  await site.api.site.runDue()
  const before = await site.digest()
  const dry = await send(method, address, { ...request, headers: { prefer: 'dry-run' } })
  const after = await site.digest()
  site.forget()
  const real = await send(method, address, request)
  const changes = await site.changes()
  const differ = (what: string, foretold: unknown, happened: unknown): string[] => {
    const [one, two] = [withoutRandom(foretold), withoutRandom(happened)]
    return one === two ? [] : [`${method} ${path} (${sent.on ?? ''}): ${what} ${placeOf(one, two)}`]
  }
  const found = [
    ...differ('the rows and files', before, after),
    ...differ('the header', dry.headers.get('preference-applied'), 'dry-run'),
  ]
  if (dry.body?.complete === false) return [...found, ...differ('the outside', askPackages.test(path), true)]
  if (real.status >= 400) return [...found, ...differ('the refusal', [dry.status, dry.body], [real.status, real.body])]
  found.push(...differ('the status', [dry.status, dry.body?.status], [200, real.status]))
  if (!givesIdsBack) return found
  const texts = (list: readonly unknown[]) => list.map(withoutRandom).sort()
  return [
    ...found,
    ...differ('the body', dry.body?.body ?? null, real.body ?? null),
    ...differ('the changes', texts(dry.body?.changes ?? []), texts(changes)),
  ]
}

/** The place where two texts differ first. */
function placeOf(one: string, two: string): string {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return `${one.slice(Math.max(0, at - 80), at + 120)} <> ${two.slice(at, at + 120)}`
}
