/** The built-in shortcodes. Add a family here. */
import { idOf } from '../document/values.ts'
import { drawReferred } from '../elements/reference.ts'
import type { Shortcode, ShortcodeTable } from '../pass/pass.ts'
import { gallery } from './gallery.ts'
import { playlist } from './playlist.ts'

const template: Shortcode = ({ attributes, scope, pass }) => drawReferred(idOf(attributes['id']), scope, pass)

export const builtInShortcodes: ShortcodeTable = { 'builder-template': template, gallery, playlist }
