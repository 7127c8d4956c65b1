/** The site data that the start page of a theme shows. */

import type { Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { Settings } from '../../../site/settings.ts'
import { installedPackages } from '../../add-ons/packages/model.ts'
import { settingOption } from '../../builder/settings/model.ts'

/** The id of the starter website imported last. The host imports it and writes the option. */
const lastKitOption = 'last_imported_kit'
const finishedOption = settingOption('builder_onboarded')

export interface AdminContext extends Pick<Context, 'settings' | 'app' | 'user'> {
  /** Published, newest first. */
  readonly pages: readonly Post[]
  /** The id of the starter website imported last; empty when there is none. */
  readonly lastKit: string
  /** The onboarding of the page builder is complete. */
  readonly isSetUp: boolean
  isInstalled(slug: string): boolean
  isActive(slug: string): boolean
}

const maxPages = 5

export async function readAdminContext(context: Context): Promise<AdminContext> {
  const { storage, settings, app, user } = context
  const [options, pages, packages] = await Promise.all([
    storage.options.read([lastKitOption, finishedOption]),
    readNewestPages(storage),
    installedPackages(context),
  ])
  const plugins = packages.filter(({ kind }) => kind === 'plugin')
  return {
    settings,
    app,
    user,
    pages,
    lastKit: String(options[lastKitOption] ?? ''),
    isSetUp: Boolean(options[finishedOption]),
    isInstalled: (slug) => plugins.some((plugin) => plugin.slug === slug),
    isActive: (slug) => plugins.some((plugin) => plugin.slug === slug && plugin.status === 'active'),
  }
}

async function readNewestPages(storage: Storage): Promise<readonly Post[]> {
  const { idsPage } = await storage.posts.query({
    types: ['page'],
    statuses: [{ status: 'publish' }],
    order: { by: 'date', descending: true },
    offset: 0,
    limit: maxPages,
  })
  return storage.posts.read(idsPage.map(({ id }) => id))
}

/** The address of a screen of the host's editor. */
export const editorScreen = ({ url }: Pick<Settings, 'url'>, screen: string) => `${url}/?edit=${screen}`

/**
 * Interface: clients send the nonce back when they install something. No check depends on it: cross-site writes are
 * detected by their origin.
 */
export const nonceOf = ({ user, settings, app }: AdminContext): string =>
  sha256Of(`${settings.url} ${user.id} ${Math.floor(app.clock() / 86_400_000)}`).slice(0, 10)
