/** Declares the part of a site api that the pages use. Types only. */

import type { Actor } from '../core/declare/actor.ts'
import type { ExtensionOptions } from '../core/declare/feature.ts'
import type { CallArguments, CallOptions, CallResult } from '../core/pipeline/in-process.ts'
import type { MountedApi } from '../core/pipeline/mount.ts'
import type { LoggedChanges, LogPlace } from '../core/tags/change-log.ts'
import type { ReadTags } from '../core/tags/read-tags.ts'
import type { SiteAccessibility } from '../features/add-ons/accessibility/management.ts'
import type { SiteUsage } from '../features/integration/usage/management.ts'
import type { RenderContext, Rendered, RenderLocation, TemplateContext } from '../render/builder/pass/render-context.ts'
import type { SettingsState } from '../site/settings.ts'

/** The result of `createSiteApi`. */
export interface PagesApi {
  readonly root: string
  fetch(request: Request): Promise<Response>
  covers(path: string): boolean
  readonly files: MountedApi
  call<T = unknown>(method: string, path: string, args?: CallArguments, options?: CallOptions): Promise<CallResult<T>>
  readonly render: {
    document(id: number, context?: RenderContext): Promise<Rendered | undefined>
    at(location: RenderLocation, shown: TemplateContext, context?: RenderContext): Promise<Rendered | undefined>
  }
  readonly site: {
    runDue(): Promise<void>
    /** Profiles with remediations have it. */
    readonly accessibility?: Pick<SiteAccessibility, '~apply'>
    /** Profiles with the graph of use have it. */
    readonly usage?: Pick<SiteUsage, '~reachedIn'>
  }
  readonly '~parts': Pick<ExtensionOptions, 'storage' | 'app' | 'ready'> & {
    /** Returns a recorder of the reads of a page, which begin at the state of a token. */
    readTagsAt(state: Pick<SettingsState, 'token' | 'changes'>): Promise<ReadTags>
    /** Reads the log of changes from a place to its end. */
    changesSince(place: LogPlace | undefined): Promise<LoggedChanges>
    readonly publicName: (name: string) => string
    /** Signs the sender of a request in, by the rules of the API. Rejects with 401 for wrong credentials. */
    userOf(request: Request): Promise<Actor>
    /** The sign-in page of the host. */
    readonly signInUrl: ((returnTo: string) => string) | undefined
    /** The options of the api that decide what pages show, with functions of the host. */
    madeWith(): object
    /** True: what the host draws depends on more than the records of the site, and no tags tell of what. */
    readonly isDrawnAnew: boolean
  }
}
