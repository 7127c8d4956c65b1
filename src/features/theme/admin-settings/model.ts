/** What the start page of a theme has to know about the site. */
import type { Context } from '../../../core/declare/context.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import type { Settings } from '../../../site/settings.ts'
import type { Post } from '../../../storage/contract.ts'
import { installedPackages } from '../../add-ons/packages/model.ts'
import { settingOption } from '../../builder/settings/model.ts'

/** The ready-made website that the site was last made from. The host, who imports it, writes the option. */
const lastKitOption = 'last_imported_kit'
const finishedOption = settingOption('builder_onboarded')

export interface AdminFacts extends Pick<Context, 'settings' | 'app' | 'user'> {
  /** Published, newest first. */
  readonly pages: readonly Post[]
  /** The id of the website that was imported last; empty when there is none. */
  readonly lastKit: string
  /** The onboarding of the page builder came to its end. */
  readonly isSetUp: boolean
  isInstalled(slug: string): boolean
  isActive(slug: string): boolean
}

const maxPages = 5

export function readAdminFacts(context: Context): MaybePromise<AdminFacts> {
  const { storage, settings, app, user } = context
  const newest = storage.posts.query({
    types: ['page'],
    statuses: [{ status: 'publish' }],
    order: { by: 'date', descending: true },
    offset: 0,
    limit: maxPages,
  })
  const pages = andThen(newest, ({ heads }) => storage.posts.read(heads.map(({ id }) => id)))
  const read = all([pages, installedPackages(context), storage.options.read([lastKitOption, finishedOption])])
  return andThen(read, ([found, packages, options]) => {
    const plugins = packages.filter(({ kind }) => kind === 'plugin')
    return {
      settings,
      app,
      user,
      pages: found,
      lastKit: String(options[lastKitOption] ?? ''),
      isSetUp: Boolean(options[finishedOption]),
      isInstalled: (slug) => plugins.some((one) => one.slug === slug),
      isActive: (slug) => plugins.some((one) => one.slug === slug && one.status === 'active'),
    }
  })
}

export const editorScreen = ({ url }: Pick<Settings, 'url'>, place: string) => `${url}/?edit=${place}`

/**
 * Interface: clients hand it back when they install something. Nothing here depends on it: a write that another site's page
 * makes is told by its origin.
 */
export const nonceOf = ({ user, settings, app }: AdminFacts): string =>
  sha256Of(`${settings.url} ${user.id} ${Math.floor(app.clock() / 86_400_000)}`).slice(0, 10)
