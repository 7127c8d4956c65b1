/**
 * Draws widgets of theme parts: headings, texts and images whose values come from the site, the current post or the archive.
 */

import { choice, color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { isEmpty, type RawSettings } from '../../document/values.ts'
import { image } from '../content/media.ts'
import { ALIGN, heading } from '../content/text.ts'
import { WidgetContext } from '../context.ts'
import { type Widget, type WidgetTable, widget } from '../widget.ts'

const tagText = (name: string): string => `[builder-tag name="${name}" settings="%7B%7D"]`

/** Absent settings take the value of a dynamic tag; stored ones win. */
function withTags(element: WidgetContext, tags: { readonly [setting: string]: string }, more: RawSettings = {}) {
  const { settings } = element
  const open = Object.entries(tags).filter(([setting]) => isEmpty(settings.raw[setting]))
  const dynamic = { ...Object.fromEntries(open.map(([setting, tag]) => [setting, tagText(tag)])), ...settings.dynamic }
  return new WidgetContext({ ...element, settings: settings.with({ ...more, __dynamic__: dynamic }) })
}

interface Title {
  /** The dynamic tag that supplies the title. */
  readonly tag: string
  /** The dynamic tag that supplies the link. */
  readonly link?: string
  readonly level: string
  readonly classes?: readonly string[]
  /** True: the widget is left out where the document hides its title. */
  readonly isHideable?: boolean
}

const themeTitle = ({ tag, link, level, classes = [], isHideable = false }: Title): Widget =>
  widget({
    ...heading,
    html: (element) => {
      const { pageSettings } = element.scope.document
      if (isHideable && pageSettings['hide_title'] === 'yes') return undefined
      const tags = { title: tag, ...(link === undefined ? {} : { link }) }
      return heading.html(withTags(element, tags, { header_size: element.settings.text('header_size') || level }))
    },
    wrapperClasses: ['builder-widget-heading', ...classes],
  })

const postExcerpt = widget({
  html: (element) => withTags(element, { excerpt: 'post-excerpt' }).html('excerpt'),
  controls: [
    choice('align', ALIGN, '&', 'text-align'),
    color('text_color', '&', 'color'),
    ...typography('typography', '&'),
  ],
  defaults: [{ selector: '', color: 'text', typography: 'text' }],
})

const featuredImage: Widget = {
  ...image,
  html: (element) => image.html(withTags(element, { image: 'post-featured-image' })),
  wrapperClasses: ['builder-widget-image'],
}

/** The logo links to home unless the element sets another link. */
const siteLogo: Widget = {
  ...image,
  html: (element) => {
    const { settings } = element
    const target = settings.text('link_to', 'site_url')
    const size = settings.text('image_size') || 'full'
    if (target !== 'site_url') return image.html(withTags(element, { image: 'site-logo' }, { image_size: size }))
    const home = { image_size: size, link_to: 'custom', link: '' }
    const plain = new WidgetContext({ ...element, settings: settings.with({ link: '' }) })
    return image.html(withTags(plain, { image: 'site-logo', link: 'site-url' }, home))
  },
  wrapperClasses: ['builder-widget-image'],
}

export const themeWidgets: WidgetTable = {
  'theme-site-title': themeTitle({ tag: 'site-title', link: 'site-url', level: 'h2' }),
  'theme-post-title': themeTitle({
    tag: 'post-title',
    level: 'h1',
    classes: ['builder-page-title', 'entry-title'],
    isHideable: true,
  }),
  'theme-page-title': themeTitle({ tag: 'page-title', level: 'h1', classes: ['builder-page-title'], isHideable: true }),
  'theme-archive-title': themeTitle({ tag: 'archive-title', level: 'h1', classes: ['builder-page-title'] }),
  'theme-post-excerpt': postExcerpt,
  'theme-post-featured-image': featuredImage,
  'theme-site-logo': siteLogo,
}
