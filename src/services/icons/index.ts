/**
 * Draws icons of fonts as inline svg. The icons come from packages that a host installs beside this one, or gives; they are loaded
 * with the first page that has an icon, and only those that pages use.
 */

import type { AppContext } from '../../core/declare/app-context.ts'
import { nodeModule } from '../../core/runtime/node-module.ts'
import type { IconName, Icons } from '../../site/icons.ts'
import type { CreateIcons } from './types.ts'

/** Undefined: neither the host nor a feature of the profile brings icons. */
export const iconsOf = ({ services }: Pick<AppContext, 'services'>): Icons | undefined =>
  services['icons'] as Icons | undefined

/**
 * Creates the default of `services.icons`.
 *
 * ```ts
 * import { createIcons } from 'site-api'
 * import * as brands from '@fortawesome/free-brands-svg-icons'
 * import * as solid from '@fortawesome/free-solid-svg-icons'
 *
 * export const icons = createIcons({ sets: [solid, brands] })
 * ```
 */
export function createIcons(options: CreateIcons = {}): Icons {
  let loading: Promise<Icons> | undefined
  const load = () => {
    loading ??= import('./drawn.ts').then(({ drawnIcons }) => drawnIcons(options, nodeModule))
    return loading
  }
  const icons = async (icon: IconName) => (await load())(icon)
  return Object.assign(icons, { packageFor: async (icon: IconName) => (await load()).packageFor?.(icon) })
}
