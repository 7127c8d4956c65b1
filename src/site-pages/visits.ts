/** Begins the visits of pages: the storage and the settings of a request, and the record at its address. */

import type { Storage } from '../contract/storage.ts'
import type { createFailureLog } from '../core/pipeline/errors/storage-failures.ts'
import { Work } from '../core/runtime/work.ts'
import type { ChallengeGate } from '../features/builder/form-submissions/intake/gate.ts'
import type { FormIntake } from '../features/builder/form-submissions/intake/handler.ts'
import { publishScheduled } from '../features/content/posts/schedule.ts'
import { pagesSecret } from '../features/shared/access/preview-token.ts'
import { hiddenThemeParts } from '../features/theme/model.ts'
import { segmentsBelowHome } from '../site/addresses/post-at-path.ts'
import type { Settings, SettingsState } from '../site/settings.ts'
import type { Located } from './address/locate.ts'
import { locate } from './address/lookup.ts'
import type { PagesApi } from './api.ts'
import { renderWithin } from './documents/draw.ts'
import { optionsFor, type PagesOptions } from './options.ts'
import type { PageFiles } from './show/page.ts'
import { pathBelowHome, sourcesOf, type Visit } from './visit.ts'

export interface Site {
  readonly api: PagesApi
  readonly options: PagesOptions
  readonly files: PageFiles
  readonly intake: FormIntake | undefined
  readonly gate: ChallengeGate
  readonly failures: ReturnType<typeof createFailureLog>
  readonly tried: TriedSite | undefined
}

/** The settings in a transaction that will be rolled back: no cache keeps pages of it. */
export interface TriedSite {
  readonly settings: Settings
}

export const readMethods = ['GET', 'HEAD']

/** Returns undefined for a path outside of home. */
export async function visitOf(
  request: Request,
  { api, options, tried }: Pick<Site, 'api' | 'options' | 'tried'>,
): Promise<Visit | undefined> {
  const { storage, app, ready } = api['~parts']
  await ready()
  const { settings, storage: chosen, ...state } = await stateFor(request, { api, tried })
  if ((publishScheduled.dueAt(settings) ?? 0) <= app.clock()) await api.site.runDue()
  const { pathname, searchParams } = new URL(request.url)
  const path = pathBelowHome(pathname, settings)
  if (path === undefined) return undefined
  const work = new Work(app.limits.requestWork)
  const reading = options.cacheTags === undefined ? undefined : await api['~parts'].readTagsAt(state)
  const shown = reading?.settings(named(settings)) ?? named(settings)
  const read = reading?.storage(chosen) ?? chosen
  let hidden: ReturnType<Visit['hiddenParts']> | undefined
  return {
    ...{
      api,
      storage: read,
      app,
      settings: shown,
      options: optionsFor(options, shown),
      request,
      path,
      query: searchParams,
      work,
    },
    render: renderWithin({ storage: read, site: reading ? shown : settings, work, noStore: tried !== undefined }, app),
    ...{ reading, sources: sourcesOf(reading) },
    secret: () => pagesSecret(storage),
    hiddenParts: () => (hidden ??= hiddenThemeParts({ storage: read, app })),
  }
}

/** A request that only reads may be sent to a copy of the storage. */
async function stateFor(
  { method }: Request,
  { api, tried }: Pick<Site, 'api' | 'tried'>,
): Promise<Pick<SettingsState, 'settings' | 'token' | 'changes'> & { readonly storage: Storage }> {
  const { storage, app } = api['~parts']
  if (tried) return { settings: tried.settings, storage, token: undefined }
  if (readMethods.includes(method)) return app.settings.choose(storage)
  return { ...(await app.settings.readAt(storage)), storage }
}

/** Titles and the link home have a name: a site without one is named by its host. */
const named = (settings: Settings): Settings =>
  settings.name.trim() === '' ? { ...settings, name: new URL(settings.home).host } : settings

export const segmentsOf = ({ request, settings }: Visit): readonly string[] | undefined =>
  segmentsBelowHome(new URL(request.url).pathname, settings)

export async function locatedOf(visit: Visit): Promise<Located | undefined> {
  const segments = segmentsOf(visit)
  return segments && locate(segments, visit)
}
