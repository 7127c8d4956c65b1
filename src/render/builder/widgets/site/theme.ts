/** Widgets of theme parts: titles that come from the site, the post or the place. They are headings with a dynamic title. */
import { isEmpty } from '../../document/values.ts'
import { heading } from '../content/text.ts'
import { WidgetContext } from '../context.ts'
import { type Widget, type WidgetTable, widget } from '../widget.ts'

interface Title {
  /** The dynamic tag of the title. */
  readonly tag: string
  /** The dynamic tag of the link. */
  readonly link?: string
  readonly level: string
  readonly classes: readonly string[]
  /** True: nothing is printed where the document hides its title. */
  readonly isHideable?: boolean
}

const tagText = (name: string): string => `[builder-tag name="${name}" settings="%7B%7D"]`

/** What the element sets itself wins. */
function withTitle(element: WidgetContext, { tag, link, level }: Title): WidgetContext {
  const { settings } = element
  const dynamic = {
    ...(isEmpty(settings.raw['title']) ? { title: tagText(tag) } : {}),
    ...(link !== undefined && isEmpty(settings.raw['link']) ? { link: tagText(link) } : {}),
    ...settings.dynamic,
  }
  const changed = settings.with({ header_size: settings.text('header_size') || level, __dynamic__: dynamic })
  return new WidgetContext({ ...element, settings: changed })
}

const themeTitle = (title: Title): Widget =>
  widget({
    ...heading,
    html: (element) => {
      const { pageSettings } = element.scope.document
      if (title.isHideable && pageSettings['hide_title'] === 'yes') return undefined
      return heading.html(withTitle(element, title))
    },
    wrapperClasses: title.classes,
  })

export const themeWidgets: WidgetTable = {
  'theme-site-title': themeTitle({
    tag: 'site-title',
    link: 'site-url',
    level: 'h2',
    classes: ['builder-widget-heading'],
  }),
  'theme-post-title': themeTitle({
    tag: 'post-title',
    level: 'h1',
    classes: ['builder-widget-heading', 'builder-page-title', 'entry-title'],
    isHideable: true,
  }),
}
