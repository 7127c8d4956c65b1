/** Names the widgets of a shop. A site of this service has no products, prices and carts, so nothing of them is drawn. */
import { type Widget, type WidgetTable, widget } from '../widget.ts'

const TYPES = (
  'woocommerce-products wc-products wc-categories wc-add-to-cart wc-elements wc-single-elements wc-archive-products ' +
  'woocommerce-product-title woocommerce-product-images woocommerce-product-price woocommerce-product-add-to-cart ' +
  'woocommerce-product-rating woocommerce-product-stock woocommerce-product-meta woocommerce-product-short-description ' +
  'woocommerce-product-content woocommerce-product-data-tabs woocommerce-product-additional-information ' +
  'woocommerce-product-related woocommerce-product-upsell woocommerce-archive-products woocommerce-archive-description ' +
  'woocommerce-category-image woocommerce-menu-cart woocommerce-cart woocommerce-checkout-page woocommerce-my-account ' +
  'woocommerce-purchase-summary woocommerce-notices'
).split(' ')

export const shopReason = 'A part of a shop is not drawn: the site has no products and no carts.'

const shopPart: Widget = widget({ html: () => undefined, undrawn: () => shopReason, isUnread: true })

export const shopWidgets: WidgetTable = Object.fromEntries(TYPES.map((type) => [type, shopPart]))
