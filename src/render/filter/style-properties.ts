/** Lists the properties and functions that a style attribute may use, in alphabetical order within each group. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** CSS modules and SVG presentation attributes: properties that lay out or paint. None of them loads or runs anything. */
export const PROPERTIES: ReadonlySet<string> = names(
  'align-content align-items align-self alignment-baseline aspect-ratio background background-attachment ' +
    'background-blend-mode background-color background-image background-position background-repeat background-size ' +
    'baseline-shift border border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius ' +
    'border-bottom-style border-bottom-width border-collapse border-color border-left border-left-color ' +
    'border-left-style border-left-width border-radius border-right border-right-color border-right-style ' +
    'border-right-width border-spacing border-style border-top border-top-color border-top-left-radius ' +
    'border-top-right-radius border-top-style border-top-width border-width bottom box-shadow caption-side clear ' +
    'clip-path color column-count column-fill column-gap column-rule column-span column-width columns container-type ' +
    'cursor direction display dominant-baseline fill fill-opacity filter flex flex-basis flex-direction flex-flow ' +
    'flex-grow flex-shrink flex-wrap float font font-family font-size font-size-adjust font-stretch font-style ' +
    'font-variant font-weight gap grid-auto-columns grid-auto-rows grid-column grid-column-end grid-column-gap ' +
    'grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template-columns ' +
    'grid-template-rows height image-rendering justify-content justify-items justify-self left letter-spacing ' +
    'line-height list-style-type margin margin-block-end margin-block-start margin-bottom margin-inline-end ' +
    'margin-inline-start margin-left margin-right margin-top mask max-height max-width min-height min-width object-fit ' +
    'object-position opacity overflow padding padding-block-end padding-block-start padding-bottom padding-inline-end ' +
    'padding-inline-start padding-left padding-right padding-top paint-order pointer-events position right row-gap ' +
    'stroke stroke-width text-align text-anchor text-decoration text-indent text-rendering text-transform top transform ' +
    'transform-origin unicode-bidi vertical-align visibility white-space width word-spacing writing-mode z-index',
)

/** Properties whose value may be an address. Custom properties may also contain one. */
export const WITH_ADDRESS: ReadonlySet<string> = names(
  'background background-image clip-path cursor fill filter mask stroke',
)

/** Properties whose value may be a gradient. Custom properties may also contain one. */
export const WITH_GRADIENT: ReadonlySet<string> = names('background background-image')

export const GRADIENTS: ReadonlySet<string> = names(
  'conic-gradient linear-gradient radial-gradient repeating-conic-gradient repeating-linear-gradient ' +
    'repeating-radial-gradient',
)

/** Functions that every property accepts: lengths, grids, shapes, transforms and variables. */
export const FUNCTIONS: ReadonlySet<string> = names(
  'calc circle clamp ellipse hue-rotate inset matrix matrix3d max min minmax path perspective polygon rect repeat ' +
    'rotate rotate3d rotateX rotateY rotateZ scale scale3d scaleX scaleY scaleZ shape skew skewX skewY translate ' +
    'translate3d translateX translateY translateZ var xywh',
)

/** Functions of colours and numbers, which are accepted only inside other functions. */
export const INNER_FUNCTIONS: ReadonlySet<string> = names(
  'abs acos asin atan atan2 attr color color-mix cos env exp hsl hsla hwb hypot lab lch light-dark log mod oklab oklch ' +
    'pow rem rgb rgba round sign sin sqrt tan',
)

/** Lists the properties that a `style` of blocks or themes sets, each with the place of its value. */
export const STYLE_MEMBERS: readonly (readonly [property: string, group: string, member: string])[] = [
  ['color', 'color', 'text'],
  ['background-color', 'color', 'background'],
  ['background', 'color', 'gradient'],
  ['font-size', 'typography', 'fontSize'],
  ['font-weight', 'typography', 'fontWeight'],
  ['font-style', 'typography', 'fontStyle'],
  ['font-family', 'typography', 'fontFamily'],
  ['line-height', 'typography', 'lineHeight'],
  ['letter-spacing', 'typography', 'letterSpacing'],
  ['text-transform', 'typography', 'textTransform'],
  ['text-decoration', 'typography', 'textDecoration'],
  ['border-width', 'border', 'width'],
  ['border-style', 'border', 'style'],
  ['border-color', 'border', 'color'],
  ['border-radius', 'border', 'radius'],
]
