/** Creates the app context: the services, limits, settings and names that all requests of one api share. */
import type { AppContext } from '../core/declare/app-context.ts'
import { type Feature, type PersistedData, servicesOf } from '../core/declare/feature.ts'
import { defaultLimits } from '../core/declare/limits.ts'
import { routeEntries } from '../core/describe/site-index.ts'
import { tagHeaderOf } from '../core/pipeline/response/cache-tags.ts'
import type { Route } from '../core/routing/route.ts'
import { defaultPasswordCost } from '../core/runtime/crypto.ts'
import { readTagsOf } from '../core/tags/read-tags.ts'
import type { PagesSlot } from '../features/add-ons/accessibility/scan/index.ts'
import type { KitFiles } from '../features/builder/site-kits/index.ts'
import { missingCapabilities } from '../features/content/content-types/missing-capabilities.ts'
import { hasRoute } from '../features/content/content-types/model.ts'
import { storedReferencesOf } from '../management/context.ts'
import { createRender } from '../render/index.ts'
import { createFeeds } from '../services/feeds.ts'
import { guardedMedia } from '../services/file-failures.ts'
import { createHttpClient } from '../services/http-client/index.ts'
import { createImages } from '../services/images.ts'
import { createMedia } from '../services/media.ts'
import { unconfigured } from '../services/oauth/index.ts'
import { createVisitors, PasswordAttempts } from '../services/visitors.ts'
import { SettingsReader } from '../site/settings.ts'
import { historySlot } from './history.ts'
import { createEngine } from './render.ts'
import type { SiteApiOptions } from './site-options.ts'
import { taggedCollections } from './touched.ts'

interface AppContextParts extends Pick<AppContext, 'clock' | 'log' | 'names' | 'hooks' | 'health' | 'contributions'> {
  readonly root: string
  readonly routes: () => readonly Route[]
  readonly persisted: readonly PersistedData[]
  readonly kitFiles: KitFiles
  readonly features: readonly Feature[]
}

export function createAppContext(
  options: SiteApiOptions,
  { root, routes, persisted, kitFiles, features, ...parts }: AppContextParts,
): AppContext {
  const given = {
    render: createRender({ shortcodes: Object.keys(options.render?.shortcodes ?? {}) }),
    outbound: createHttpClient(),
    media: createMedia(),
    images: createImages(),
    connect: unconfigured,
    feeds: createFeeds(),
    visitors: createVisitors({ clock: parts.clock }),
    ...servicesOf(features),
    ...options.services,
  }
  const services = { ...given, media: guardedMedia(given.media) }
  const limits = { ...defaultLimits, ...options.limits }
  const app: AppContext = {
    ...parts,
    routes,
    limits,
    references: storedReferencesOf({ persisted }),
    services: {
      ...services,
      passwordAttempts: new PasswordAttempts(parts.clock),
      sitePages: {} satisfies PagesSlot,
      kitFiles,
      releaseOptions: options.releases,
      publishing: options.publishing,
      history: historySlot({ features, persisted, services, retention: options.history }),
      builder: createEngine({
        ...{ limits, services, contributions: parts.contributions, host: options.render, names: options.names },
        taggedCollections: taggedCollections(persisted),
        takesComments: () => hasRoute(app, '/cms/v2/comments'),
      }),
    },
    settings: new SettingsReader(
      {
        root,
        ...hostSettings(options),
        recorded: (settings, storage) => readTagsOf(storage)?.settings(settings) ?? settings,
        onFirst: ({ roles }) => {
          for (const sentence of missingCapabilities(app, roles))
            parts.log.error(sentence, { id: 'roles', error: undefined })
        },
      },
      persisted.flatMap((one) => one.options ?? []),
    ),
    conditionalWrites: options.conditionalWrites ?? 'offered',
    tagHeader: tagHeaderOf(options.cacheTags),
    svgUploads: options.svgUploads ?? 'unfiltered_html',
    unknownArguments: options.unknownArguments ?? 'ignore',
    passwordCost: options.passwordCost ?? defaultPasswordCost,
    describeRoutes: (settings, isIncluded) => routeEntries(routes().filter(isIncluded), settings, app),
  }
  return app
}

const hostSettings = ({ url, documentLinks = {} }: SiteApiOptions) =>
  url === undefined ? { documentLinks } : { documentLinks, url }
