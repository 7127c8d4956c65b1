/** Resolves images of tagged values: the record of a medium in one of its sizes, or else an address. */
import { fileAddress } from '../document/addresses.ts'
import { idOf, isObject, objectOf, ownValue, textOf } from '../document/values.ts'
import { alternativeOf, srcsetOf } from '../elements/image.ts'
import type { Attributes } from '../html/nodes.ts'
import type { Medium } from '../records/kinds.ts'
import { type Tagged, tagged, type ValueContext } from './tagged.ts'

interface ImageSource {
  readonly medium: Medium | undefined
  /** Empty when the value has no image. */
  readonly address: string
}

/** Reads an `image-src`, a `video-src`, or the `{ id, url }` that a dynamic tag returns. The record wins over the address. */
export function imageSource(found: Tagged | undefined, context: ValueContext): ImageSource {
  if (!found) return { medium: undefined, address: '' }
  if (!isObject(found.value)) return { medium: undefined, address: fileAddress(textOf(found.value)) }
  const member = (name: string) => tagged(ownValue(objectOf(found.value), name), context)?.value
  const id = idOf(member('id'))
  const medium = id === undefined ? undefined : context.pass.medium(id)
  return { medium, address: medium ? fileAddress(medium.address) : fileAddress(textOf(member('url'))) }
}

interface SizedImage extends ImageSource {
  readonly width: number | undefined
  readonly height: number | undefined
}

/** Reads an `image`: its source in the size that it names. */
export function sizedImage(found: Tagged | undefined, context: ValueContext): SizedImage {
  const value = objectOf(found?.value)
  const isWhole = Object.hasOwn(value, 'src')
  const source = imageSource(isWhole ? tagged(value['src'], context) : found, context)
  const name = isWhole ? textOf(tagged(ownValue(value, 'size'), context)?.value) : ''
  const { medium } = source
  const size = medium?.sizes.get(name)
  return {
    medium,
    address: size ? fileAddress(size.address) : source.address,
    width: size?.width ?? medium?.width,
    height: size?.height ?? medium?.height,
  }
}

/** Returns undefined when the value has no image. */
export function imageAttributes(found: Tagged | undefined, context: ValueContext): Attributes | undefined {
  const { address, width, height, medium } = sizedImage(found, context)
  if (address === '') return undefined
  if (!medium) return { src: address }
  const srcset = srcsetOf(medium)
  return { src: address, width, height, srcset: srcset === '' ? undefined : srcset, alt: alternativeOf(medium) }
}
