/** Reads images as values of controls: `{ id, url }`. */

import type { Post } from '../../../contract/storage.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { OpenTag, Token } from '../../../html/tokens.ts'
import { decodeReferences } from '../../filter/references.ts'
import { limits } from '../document/limits.ts'
import { idOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'

interface ImageValue {
  readonly id: number | ''
  readonly url: string
}

export function imageValue(id: number, pass: Pass): ImageValue | undefined {
  const medium = id > 0 ? pass.medium(id) : undefined
  return medium && { id: medium.id, url: medium.address }
}

/** Returns the images in the content of a post, each once. */
export function postImages({ content }: Post, pass: Pass): ImageValue[] {
  const found = new Map<string, ImageValue>()
  for (const token of tokenize(content)) {
    if (found.size >= limits.items) break
    const value = isImage(token) ? readImage(token, pass) : undefined
    if (value) found.set(value.url, value)
  }
  return [...found.values()]
}

const isImage = (token: Token): token is OpenTag => token.kind === 'open' && token.lowerName === 'img'

function readImage({ attributes }: OpenTag, pass: Pass): ImageValue | undefined {
  const attribute = (wanted: string) =>
    decodeReferences(attributes.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '')
  const id = idOf(/(?:^|\s)[a-z]+-image-(\d{1,15})(?:\s|$)/.exec(attribute('class'))?.[1])
  const known = id === undefined ? undefined : imageValue(id, pass)
  const url = attribute('src')
  return known ?? (url === '' ? undefined : { id: '', url })
}
