/** Draws images of media values: the record of a medium in one of its sizes, or else an address. */

import { fileAddress } from '../document/addresses.ts'
import type { Settings } from '../document/settings.ts'
import { idOf, isObject, numberOf, objectOf, ownValue, textOf } from '../document/values.ts'
import { type Attributes, type Child, h } from '../html/nodes.ts'
import { withoutMarkup } from '../html/plain-text.ts'
import type { Pass } from '../pass/pass.ts'
import type { Medium } from '../records/kinds.ts'

interface ImageOptions {
  /** The prefix of the settings `<sizeName>_size` and `<sizeName>_custom_dimension`. */
  readonly sizeName: string
  readonly settings: Settings
  readonly pass: Pass
  /** The size when the settings store none. */
  readonly byDefault?: string
  readonly attributes?: Attributes
}

export function imageOf(value: unknown, options: ImageOptions): Child {
  if (!isObject(value)) return undefined
  const medium = mediumOf(value, options.pass)
  return medium ? recordImage(medium, options) : addressImage(value, options)
}

/** Returns the record of a media value; undefined when it does not exist. */
export function mediumOf(value: unknown, pass: Pass): Medium | undefined {
  const id = isObject(value) ? idOf(ownValue(value, 'id')) : undefined
  return id === undefined ? undefined : pass.medium(id)
}

/** Returns the address of the file of a media value. The record wins over the stored address; empty without both. */
export const mediaAddress = (value: unknown, pass: Pass): string =>
  fileAddress(mediumOf(value, pass)?.address ?? textOf(ownValue(objectOf(value), 'url')))

/** Returns the text alternative of a media value; empty when neither the record nor the value has one. */
export function mediaLabel(value: unknown, pass: Pass): string {
  const medium = mediumOf(value, pass)
  return medium ? alternativeOf(medium) : textOf(ownValue(objectOf(value), 'alt'))
}

function addressImage(value: { readonly [name: string]: unknown }, { attributes = {} }: ImageOptions): Child {
  const src = fileAddress(textOf(ownValue(value, 'url')))
  if (src === '') return undefined
  const title = textOf(ownValue(value, 'title'))
  return h('img', {
    src,
    title: title === '' ? undefined : title,
    alt: textOf(ownValue(value, 'alt')),
    loading: 'lazy',
    ...attributes,
  })
}

function recordImage(medium: Medium, { sizeName, settings, byDefault = 'full', attributes = {} }: ImageOptions): Child {
  const name = settings.text(`${sizeName}_size`, byDefault) || byDefault
  const shown = name === 'custom' ? customSize(medium, settings, sizeName) : (medium.sizes.get(name) ?? medium)
  const size = name.replace(/[^\w-]+/g, '')
  const srcset = srcsetOf(medium)
  return h('img', {
    decoding: 'async',
    loading: 'lazy',
    width: shown.width,
    height: shown.height,
    src: fileAddress(shown.address),
    class: [`attachment-${size}`, `size-${size}`, `cms-image-${medium.id}`],
    alt: alternativeOf(medium),
    srcset: srcset === '' ? undefined : srcset,
    sizes:
      srcset === '' || shown.width === undefined ? undefined : `(max-width: ${shown.width}px) 100vw, ${shown.width}px`,
    ...attributes,
  })
}

function customSize({ address, width, height }: Medium, settings: Settings, sizeName: string) {
  const wanted = objectOf(settings.value(`${sizeName}_custom_dimension`))
  const pixels = (side: string) => {
    const number = numberOf(ownValue(wanted, side))
    return number !== undefined && number > 0 ? Math.round(number) : undefined
  }
  const [wide, high] = [pixels('width'), pixels('height')]
  return wide === undefined && high === undefined ? { address, width, height } : { address, width: wide, height: high }
}

export function srcsetOf({ address, width, sizes }: Medium): string {
  if (sizes.size === 0) return ''
  const all = [...(width === undefined ? [] : [{ address, width }]), ...sizes.values()]
  const byWidth = new Map(all.map((one) => [one.width, fileAddress(one.address)]))
  return [...byWidth]
    .map(([wide, source]) => `${source.replaceAll(' ', '%20').replaceAll(',', '%2C')} ${wide}w`)
    .join(', ')
}

/** Returns the alternative text, else the caption, else the title, without markup. */
export const alternativeOf = ({ alternative, caption, title }: Medium): string =>
  withoutMarkup(alternative || caption || title)
