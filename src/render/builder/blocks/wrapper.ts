/** Writes the wrapper of a block: its class names, and the supports that most blocks share (alignment, colours, type, spacing, border). */

import { STYLE_MEMBERS } from '../../filter/style-properties.ts'
import { safeStyle } from '../../filter/styles.ts'
import { isObject, ownValue, textOf } from '../document/values.ts'
import { type Attributes, type Child, type ClassList, type HtmlElement, h, written } from '../html/nodes.ts'
import type { BlockCall } from '../pass/pass.ts'
import { object, text } from './attributes.ts'

interface WrapperOptions {
  /** Default: `div`. */
  readonly tag?: string
  /** Further class names of the block. */
  readonly classes?: ClassList
  readonly attributes?: Attributes
  /** Further declarations, which are safe. */
  readonly style?: string
}

export function wrapper(
  call: BlockCall,
  { tag = 'div', classes = [], attributes = {}, style = '' }: WrapperOptions,
  ...children: readonly Child[]
): HtmlElement {
  const all = [style, call.layout?.style ?? '', styleOf(call)].filter((part) => part !== '').join(';')
  const anchor = text(call, 'anchor')
  return h(
    tag,
    {
      ...(anchor === '' ? {} : { id: written(anchor) }),
      class: [
        ...classes,
        ...(call.layout?.classNames ?? []),
        ...supportClasses(call),
        `cms-block-${call.name.replace('/', '-')}`,
      ],
      style: all === '' ? undefined : all,
      ...attributes,
    },
    children,
  )
}

const ALIGNMENTS = ['left', 'center', 'right', 'wide', 'full']
const TEXT_ALIGNMENTS = ['left', 'center', 'right', 'justify']

/** The slug of a preset as it is in class names: `vividRed2` is `vivid-red-2`. */
const slugOf = (name: string): string =>
  name
    .replace(/([a-z])([A-Z0-9])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Returns the value that a preset of this kind has, by its slug. */
export const presetOf = (kind: string, slug: string): string => `var(--cms--preset--${kind}--${slugOf(slug)})`

function supportClasses(call: BlockCall): ClassList {
  const preset = (attribute: string, start: string, end: string) => {
    const slug = slugOf(text(call, attribute))
    return slug !== '' && `${start}${slug}${end}`
  }
  const styles = object(call, 'style')
  const has = (...path: readonly string[]) => valueAt(styles, path) !== ''
  const align = text(call, 'align')
  const textAlign = text(call, 'textAlign') || valueAt(styles, ['typography', 'textAlign'])
  const isColored = text(call, 'textColor') !== '' || has('color', 'text')
  const isFilled =
    ['backgroundColor', 'gradient'].some((name) => text(call, name) !== '') ||
    has('color', 'background') ||
    has('color', 'gradient')
  return [
    ALIGNMENTS.includes(align) && `align${align}`,
    TEXT_ALIGNMENTS.includes(textAlign) && `has-text-align-${textAlign}`,
    isColored && 'has-text-color',
    preset('textColor', 'has-', '-color'),
    isFilled && 'has-background',
    preset('backgroundColor', 'has-', '-background-color'),
    preset('gradient', 'has-', '-gradient-background'),
    has('elements', 'link', 'color', 'text') && 'has-link-color',
    (text(call, 'borderColor') !== '' || has('border', 'color')) && 'has-border-color',
    preset('borderColor', 'has-', '-border-color'),
    preset('fontSize', 'has-', '-font-size'),
    preset('fontFamily', 'has-', '-font-family'),
    ...text(call, 'className')
      .split(/\s+/)
      .map((name) => written(name)),
  ]
}

// ---------------------------------------------------------------- style

const SIDES = ['top', 'right', 'bottom', 'left']

/** Declarations by the place of their value in `style`. */
const PROPERTIES: readonly (readonly [property: string, ...path: string[]])[] = [
  ...STYLE_MEMBERS,
  ['padding', 'spacing', 'padding'],
  ['margin', 'spacing', 'margin'],
  ['gap', 'spacing', 'blockGap'],
  ...SIDES.flatMap((side) => [
    [`padding-${side}`, 'spacing', 'padding', side] as const,
    [`margin-${side}`, 'spacing', 'margin', side] as const,
  ]),
]

/** Returns the declarations of `style` that the filter for styles allows. */
function styleOf(call: BlockCall): string {
  const styles = object(call, 'style')
  const declarations = PROPERTIES.flatMap(([property, ...path]) => {
    const value = valueAt(styles, path)
    return value === '' ? [] : [`${property}:${value}`]
  })
  // Each by itself, so that a value can not end its declaration.
  return declarations.filter((one) => !one.includes(';') && safeStyle(one) === one).join(';')
}

/** A value that names a preset, `var:preset|color|primary`, refers to its variable. */
function valueAt(styles: { readonly [name: string]: unknown }, path: readonly string[]): string {
  let value: unknown = styles
  for (const name of path) value = isObject(value) ? ownValue(value, name) : undefined
  const written = textOf(value).trim()
  const parts = written.startsWith('var:') ? written.slice(4).split('|') : undefined
  return parts ? `var(--cms--${parts.map(slugOf).join('--')})` : written
}
