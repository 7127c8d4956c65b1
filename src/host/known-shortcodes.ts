/** Tells imports which shortcodes a site does not know. The command line does not know what a host adds. */
import type { ManagementContext } from '../management/context.ts'
import type { RenderOptions } from '../render/builder/pass/host.ts'
import { shortcodeNames } from '../render/text/shortcodes/names.ts'
import { foreignShortcodes } from '../render/text/shortcodes/tags.ts'

/** A service of the host may know any name: nothing is reported then. */
export function unknownShortcodesOf({
  shortcodes = {},
  services,
}: RenderOptions = {}): Pick<ManagementContext, 'unknownShortcodes'> {
  if (services?.shortcode) return {}
  const isShortcode = shortcodeNames(Object.keys(shortcodes))
  return { unknownShortcodes: (text) => foreignShortcodes(text, isShortcode) }
}
