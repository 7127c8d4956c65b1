/** Dynamic tags about the site, the page and the request. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { idOf } from '../document/values.ts'
import { trusted } from '../html/markup.ts'
import { serialize } from '../html/serialize.ts'
import type { Tag, TagTable } from '../pass/pass.ts'
import { options } from '../records/kinds.ts'
import { applyShortcodes } from '../shortcodes/apply.ts'
import { formatDate, localNow, siteFormat } from '../template-context/dates.ts'
import { imageValue } from '../template-context/images.ts'
import { archiveAddress, archiveDescription, archiveTitle, pageTitle, requestValue } from '../template-context/page.ts'

/** The option with the media id of the logo. */
const LOGO = 'site_logo'

const currentDateTime: Tag = ({ settings, pass }) => {
  const now = localNow(pass)
  const format = (name: 'date_format' | 'time_format') => {
    const wanted = settings.text(name, 'default')
    if (wanted === 'default') return siteFormat(name, pass)
    if (wanted === 'custom') return settings.text('custom_format')
    return wanted === 'none' ? '' : wanted
  }
  const [date, time] = [format('date_format'), format('time_format')]
  const isCustom = settings.text('date_format') === 'custom'
  return escapeHtml(formatDate(now, isCustom ? date : [date, time].filter((part) => part !== '').join(' '), pass))
}

export const siteTags: TagTable = {
  'site-title': ({ pass }) => {
    pass.depend('option:title')
    return escapeHtml(pass.site.name)
  },
  'site-tagline': ({ pass }) => {
    pass.depend('option:tagline')
    return escapeHtml(pass.site.description)
  },
  'site-url': ({ pass }) => {
    pass.depend('option:url')
    return { url: pass.site.home }
  },
  'site-logo': ({ pass }) => {
    pass.depend('option:logo')
    const id = idOf(pass.get(options, LOGO))
    return id === undefined ? undefined : imageValue(id, pass)
  },
  'page-title': ({ pass, scope, settings }) => {
    const isHome = scope.post > 0 && scope.post === pass.site.pageOnFront
    if (isHome && !settings.isOn('show_home_title')) return ''
    return pageTitle(scope, pass, settings.isOn('include_context'))
  },
  'archive-title': ({ pass, settings }) => archiveTitle(pass, settings.isOn('include_context', 'yes')),
  'archive-description': ({ pass }) => archiveDescription(pass),
  'archive-url': ({ pass }) => ({ url: archiveAddress(pass) }),
  'current-date-time': currentDateTime,
  'request-arg': ({ pass, settings }) =>
    // The engine knows the address of the request, not its body.
    settings.text('request_type', 'get') === 'post' ? '' : escapeHtml(requestValue(settings.text('param_name'), pass)),
  shortcode: ({ pass, scope, settings }) =>
    // The control that receives the value filters it.
    serialize(applyShortcodes(settings.text('shortcode'), { pass, scope, write: trusted })),
}
