/** Declares classic widgets of sidebars, which pages contain too: they store their settings in the setting `wp`. */
import { type Child, filled, isNothing } from '../../html/nodes.ts'
import { WidgetContext } from '../context.ts'
import { kitText, type Widget, widget } from '../widget.ts'

interface ClassicOptions extends Pick<Widget, 'isUnread' | 'rules'> {
  /** The title without a stored one. A stored empty title shows none. */
  readonly title?: string
  /** True: the title is shown without content too. */
  readonly isTitleShown?: boolean
}

/** Creates a widget whose context has the settings in `wp`, below its title. */
export const classicWidget = (
  draw: (instance: WidgetContext) => Child,
  { title = '', isTitleShown = false, ...more }: ClassicOptions = {},
): Widget =>
  widget({
    defaults: kitText,
    ...more,
    html: (element) => {
      const instance = new WidgetContext({ ...element, settings: element.settings.within('wp') })
      const content = draw(instance)
      if (isNothing(content) && !isTitleShown) return undefined
      return [filled('h5', {}, instance.html('title', title)), content]
    },
  })

/** Returns whether a box is checked: forms of different ages store `true`, `1`, `'1'` and `'on'`. */
export function isChecked({ settings }: WidgetContext, name: string): boolean {
  const stored = settings.raw[name]
  return stored === true || (settings.isOn(name) && settings.text(name) !== '0')
}
