/** The built-in shortcodes that need no builder. Add a family here. */
import type { ShortcodeTable } from '../pass/pass.ts'
import { gallery } from './gallery.ts'
import { playlist } from './playlist.ts'

export const builtInShortcodes: ShortcodeTable = { gallery, playlist }
