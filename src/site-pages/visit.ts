/** Describes one request for a page: its destination, and the data that were read to answer it. */

import type { Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import type { Settings } from '../site/settings.ts'
import type { PagesApi } from './api.ts'
import type { PagesOptions } from './options.ts'

export interface Visit {
  readonly api: PagesApi
  readonly storage: Storage
  /** Draws documents from `storage`. */
  readonly render: PagesApi['render']
  readonly app: AppContext
  readonly settings: Settings
  readonly options: PagesOptions
  readonly request: Request
  /** The path of the request below home, as sent: `/about/`. */
  readonly path: string
  readonly query: URLSearchParams
  /** The records that the answer is made of, as in `dependencies` of a rendered document. */
  readonly tags: Set<string>
  readonly secret: () => Promise<string>
}

/** A whole address from a path below home. */
export const addressOf = ({ settings }: Pick<Visit, 'settings'>, path: string): string => settings.home + path

/** The whole address of the request, on the site's own host. */
export const requestAddress = ({ settings, path, query }: Visit): string => {
  const text = query.toString()
  return settings.home + path + (text === '' ? '' : `?${text}`)
}

/** Undefined for a path outside of home. */
export function pathBelowHome(pathname: string, { home }: Pick<Settings, 'home'>): string | undefined {
  const base = new URL(home).pathname.replace(/\/+$/, '')
  if (base === '') return pathname
  if (pathname === base) return ''
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}
