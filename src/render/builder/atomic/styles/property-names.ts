/** The properties that new-generation styles may set; all others are dropped. */
export const STYLE_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'width height min-width min-height max-width max-height overflow aspect-ratio object-fit object-position position ' +
    'inset-block-start inset-inline-end inset-block-end inset-inline-start z-index scroll-margin-top font-family ' +
    'font-weight font-size color letter-spacing word-spacing column-count column-gap line-height text-align font-style ' +
    'text-decoration text-transform direction stroke all cursor padding margin border-radius border-width border-color ' +
    'border-style outline-width background mix-blend-mode box-shadow opacity filter backdrop-filter transform transition ' +
    'display flex-direction gap flex-wrap flex justify-content align-content align-items align-self order justify-items grid'
  ).split(' '),
)
