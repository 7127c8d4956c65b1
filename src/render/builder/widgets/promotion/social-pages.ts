/**
 * Draws parts of a social network as links. Choice: its script and its frames are not in the page, because they tell the network who reads
 * it.
 */
import { linkAddress } from '../../document/addresses.ts'
import { textOf } from '../../document/values.ts'
import { type Child, h } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type WidgetTable, widget } from '../widget.ts'

function networkLink(element: WidgetContext, address: string, text: string): Child {
  const href = linkAddress(address)
  if (!/^https?:/i.test(href)) return undefined
  element.pass.warnings.add(
    'not_drawn',
    element.id,
    'A part of a social network is a link: its script is not in the page.',
  )
  return h('a', { class: ['e-social-link'], href, target: '_blank', rel: 'noopener' }, text)
}

const part = (html: (element: WidgetContext) => Child, rules = '') => widget({ html, rules, isUnread: true })

const share = (address: string) => `https://www.facebook.com/sharer/sharer.php?${new URLSearchParams({ u: address })}`

/** Returns the stored address, or that of the page. */
function pageAddress({ settings, pass }: WidgetContext): string {
  const own = settings.text('url_type') === 'custom' ? textOf(settings.value('url')) : ''
  if (own !== '') return own
  pass.depend('vary:request')
  return pass.context.url ?? ''
}

export const socialPageWidgets: WidgetTable = {
  'facebook-page': part(
    (element) => networkLink(element, textOf(element.settings.value('url')), 'Visit the page on Facebook'),
    `.e-social-link{display:inline-block;padding:10px 20px;border:1px solid;border-radius:3px;text-decoration:none}`,
  ),
  'facebook-embed': part((element) => {
    const type = element.settings.choice('type', ['post', 'video', 'comment'], 'post')
    return networkLink(element, textOf(element.settings.value(`${type}_url`)), `Open the ${type} on Facebook`)
  }),
  'facebook-button': part((element) => {
    const address = pageAddress(element)
    return address === '' ? undefined : networkLink(element, share(address), 'Share on Facebook')
  }),
  'facebook-comments': part((element) => {
    const address = pageAddress(element)
    return address === '' ? undefined : networkLink(element, share(address), 'Comment on Facebook')
  }),
}
