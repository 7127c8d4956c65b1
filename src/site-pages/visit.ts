/** Describes one request for a page: its address, its settings, and the records that the response depends on. */

import type { Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Work } from '../core/runtime/work.ts'
import type { ReadTags } from '../core/tags/read-tags.ts'
import { isStoredTag } from '../features/shared/rendered-documents.ts'
import type { ThemePart } from '../features/theme/model.ts'
import type {
  RenderContext,
  Rendered,
  RenderedOverlay,
  TemplateContext,
} from '../render/builder/pass/render-context.ts'
import type { Settings } from '../site/settings.ts'
import type { PagesApi } from './api.ts'
import type { PagesOptions } from './options.ts'

/** `api.render` with the overlays of a page, for one request. */
export type PageRender = PagesApi['render'] & {
  /** Draws a document of which only the HTML is shown. */
  withoutSheets(id: number): Promise<Rendered | undefined>
  overlays(
    shown: TemplateContext,
    context: RenderContext,
    opened?: readonly number[],
  ): Promise<readonly RenderedOverlay[]>
}

export interface Visit {
  readonly api: PagesApi
  readonly storage: Storage
  /** Draws documents from `storage`. */
  readonly render: PageRender
  readonly app: AppContext
  readonly settings: Settings
  readonly options: PagesOptions
  readonly request: Request
  /** The path of the request below home, as sent: `/about/`. */
  readonly path: string
  readonly query: URLSearchParams
  /** Records what the response is made from; undefined where the host asks for no tags. */
  readonly reading: ReadTags | undefined
  /** The dependencies that the storage does not change: the time, the request, services of the host. */
  readonly sources: Set<string>
  readonly secret: () => Promise<string>
  /** The parts that the settings of the theme switch off. Read once. */
  readonly hiddenParts: () => Promise<ReadonlySet<ThemePart>>
  /** The budget of the request. */
  readonly work: Work
  /** True: an editor previews the page, with the classes that are prepared. */
  readonly isPreview?: boolean
  /** True: `storage` contains changes that are not saved. */
  readonly isDraft?: boolean
}

const outside = new WeakMap<ReadTags, Set<string>>()

/** Returns the set for what a response is made from besides the storage; whoever has its recorder may read it. */
export function sourcesOf(reading: ReadTags | undefined): Set<string> {
  const sources = (reading && outside.get(reading)) ?? new Set()
  if (reading) outside.set(reading, sources)
  return sources
}

/** Notes the dependencies of a rendered document that no read of the storage tells. Visitors are one reader. */
export function noteSources(dependencies: readonly string[], { sources }: Pick<Visit, 'sources'>): void {
  for (const tag of dependencies) if (!isStoredTag(tag) || tag === 'vary:request') sources.add(tag)
}

/** Returns the absolute address of a path below home. */
export const addressOf = ({ settings }: Pick<Visit, 'settings'>, path: string): string => settings.home + path

/** Returns the absolute address of the request on the site's host. */
export const requestAddress = ({ settings, path, query }: Visit): string => {
  const text = query.toString()
  return settings.home + path + (text === '' ? '' : `?${text}`)
}

/** Returns undefined for a path outside of home. */
export function pathBelowHome(pathname: string, { home }: Pick<Settings, 'home'>): string | undefined {
  const base = new URL(home).pathname.replace(/\/+$/, '')
  if (base === '') return pathname
  if (pathname === base) return ''
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}
