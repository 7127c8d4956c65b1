/** The built-in shortcodes. Add a family here. */
import type { ShortcodeTable } from '../engine/pass.ts'

export const builtInShortcodes: ShortcodeTable = {}
