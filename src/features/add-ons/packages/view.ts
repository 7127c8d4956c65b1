/** Plugins and themes in responses. */

import { bool, nullable, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { errorBody, isApiError } from '../../../core/declare/errors.ts'
import { exactly, fields } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import type { InstalledPackage } from '../../../services/packages/index.ts'

export const pluginSchema = fields(
  {
    slug: str(),
    status: oneOf(['inactive', 'active']),
    version: str(),
    newVersion: nullable(str({ description: 'The version to which it can be upgraded.' })),
    isMigrated: bool({ description: 'Whether it has taken up the account of the site.' }),
    isConnected: bool({ description: 'Whether it is connected to an account, that of the site or its own.' }),
    hasCmsOnePackage: bool({ description: 'Whether it can take up the account of the site.' }),
  },
  { title: 'Plugin' },
)

export const themeSchema = fields({ status: exactly('success'), message: str() }, { title: 'Theme that was changed' })

export function pluginView({ app: { names } }: Pick<Context, 'app'>, plugin: InstalledPackage) {
  return {
    slug: names.toPublic(plugin.slug, 'package'),
    status: plugin.status,
    version: plugin.version,
    newVersion: plugin.newVersion,
    isMigrated: plugin.isMigrated,
    isConnected: plugin.isConnected,
    [names.toPublic('hasCmsOnePackage')]: plugin.usesAccount,
  }
}

export const themeView = (message: string) => ({ status: 'success', message })

/**
 * For the second step of a request whose first step stays: an ApiError is returned, not thrown, so that the events of
 * the first step are sent.
 */
export async function apiErrorAsResult<T>(work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!isApiError(error)) throw error
    return result(errorBody(error), { status: error.status })
  }
}
