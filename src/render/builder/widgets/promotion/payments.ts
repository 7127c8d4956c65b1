/** Draws buttons that pay. A payment address of PayPal works without a server; others need the host. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import { prefixClass } from '../../controls/classes.ts'
import { color, sides } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, h } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'
import { type Widget, type WidgetTable, widget } from '../widget.ts'

const buttonContent = (element: WidgetContext, byDefault: string): Child =>
  h(
    'span',
    { class: ['builder-button-content-wrapper'] },
    element.icon('selected_icon'),
    h('span', { class: ['builder-button-text'] }, element.html('text', byDefault)),
  )

const SIZES = ['xs', 'sm', 'md', 'lg', 'xl']
const classesOf = ({ settings }: WidgetContext) => [
  'builder-button',
  `builder-size-${settings.choice('size', SIZES, 'sm')}`,
]

const common: Pick<Widget, 'classes' | 'controls' | 'defaults'> = {
  classes: [prefixClass('align', 'builder%s-align-', { isResponsive: true })],
  controls: [
    color('button_text_color', '& .builder-button', ['color', 'fill']),
    color('background_color', '& .builder-button', 'background-color'),
    sides('text_padding', '& .builder-button', 'padding'),
    ...typography('typography', '& .builder-button'),
  ],
  defaults: [{ selector: '.builder-button', color: 'accent', properties: ['background-color'], typography: 'accent' }],
}

const COMMANDS: { readonly [type: string]: string } = lookupTable({
  checkout: '_xclick',
  donation: '_donations',
  subscription: '_xclick-subscriptions',
})

/** The documented form of payment buttons; the account receives the money, so the address of it is public. */
const paypal = widget({
  ...common,
  html: (element) => {
    const { settings } = element
    const account = settings.text('email').trim()
    if (account === '') return undefined
    const type = settings.choice('type', Object.keys(COMMANDS), 'checkout')
    const amount = settings.number(
      type === 'donation' ? 'donation_amount' : 'product_price',
      settings.number('product_price', 0),
    )
    const host = settings.isOn('sandbox_mode') ? 'www.sandbox.paypal.com' : 'www.paypal.com'
    const fields: readonly (readonly [string, string])[] = [
      ['cmd', COMMANDS[type] ?? '_xclick'],
      ['business', account],
      ['item_name', element.label('product_name')],
      ['item_number', element.label('product_sku')],
      [type === 'subscription' ? 'a3' : 'amount', amount > 0 ? String(amount) : ''],
      ['currency_code', settings.text('currency', 'USD')],
      ...(type === 'subscription'
        ? ([
            ['p3', '1'],
            ['t3', settings.choice('billing_cycle', ['days', 'weeks', 'years'], 'months').slice(0, 1).toUpperCase()],
            ['src', settings.isOn('auto_renewal') ? '1' : '0'],
          ] as const)
        : ([['quantity', type === 'checkout' ? String(settings.number('quantity', 1)) : '']] as const)),
      ['shipping', settings.number('shipping_price', 0) > 0 ? String(settings.number('shipping_price', 0)) : ''],
    ]
    return h(
      'form',
      {
        class: ['builder-paypal-button'],
        action: `https://${host}/cgi-bin/webscr`,
        method: 'post',
        target: settings.isOn('open_in_new_window') ? '_blank' : undefined,
      },
      fields.filter(([, value]) => value !== '').map(([name, value]) => h('input', { type: 'hidden', name, value })),
      h('button', { class: classesOf(element), type: 'submit' }, buttonContent(element, 'Buy Now')),
    )
  },
  rules:
    '.builder-paypal-button .builder-button{border:0;cursor:pointer}.builder-widget-stripe-button .builder-button{border:0}',
})

const stripe = widget({
  ...common,
  html: (element) => {
    element.pass.warnings.add(
      'not_drawn',
      element.id,
      'The button of a payment does nothing: only the host can start the payment.',
    )
    return h('button', { class: classesOf(element), type: 'button', disabled: true }, buttonContent(element, 'Buy Now'))
  },
})

export const paymentWidgets: WidgetTable = { 'paypal-button': paypal, 'stripe-button': stripe }
