/** The shortcode of the builder: it shows a template. */
import { idOf } from '../document/values.ts'
import { drawReferred } from '../elements/reference.ts'
import type { Shortcode } from '../pass/pass.ts'

export const template: Shortcode = ({ attributes, scope, pass }) => drawReferred(idOf(attributes['id']), scope, pass)
