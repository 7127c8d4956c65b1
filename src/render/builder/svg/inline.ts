/** Inlines svg files of the library. */

import { fileAddress } from '../document/addresses.ts'
import { isObject } from '../document/values.ts'
import { mediumOf } from '../elements/image.ts'
import { type Attributes, type HtmlElement, h, withAttributes } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import type { Medium } from '../records/kinds.ts'
import type { RecordKind } from '../records/records.ts'
import { sanitizeSvg } from './sanitize.ts'

const maxBytes = 256 * 1024
const decoder = new TextDecoder()

/** Sanitized trees of files; the key is the path below the uploads folder. */
const drawings: RecordKind<string, HtmlElement> = {
  name: 'svg files',
  load: async (paths, { readFile }) => {
    const files = await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const))
    const found = new Map<string, HtmlElement>()
    for (const [path, bytes] of files) {
      const tree = bytes && bytes.length <= maxBytes ? sanitizeSvg(decoder.decode(bytes)) : undefined
      if (tree) found.set(path, tree)
    }
    return found
  },
}

/**
 * Returns the file of a media value `{ id }`. An address alone returns nothing, because only files of the library are inlined.
 */
export function svgOf(value: unknown, pass: Pass, attributes: Attributes = {}): HtmlElement | undefined {
  const medium = isObject(value) ? mediumOf(value, pass) : undefined
  if (medium?.mimeType !== 'image/svg+xml' || isElsewhere(medium)) return undefined
  return withAttributes(pass.get(drawings, medium.path), attributes)
}

/** Whether an import left the file on another server: its path is its address there. */
const isElsewhere = ({ path }: Medium): boolean => /^https?:/i.test(path)

/** Draws a file of the library that another server has. Its colours stay those of the file. */
export function pictureOf(value: unknown, pass: Pass): HtmlElement | undefined {
  const medium = isObject(value) ? mediumOf(value, pass) : undefined
  const src = medium && isElsewhere(medium) && medium.mimeType.startsWith('image/') ? fileAddress(medium.address) : ''
  if (src === '') return undefined
  const { width, height } = medium as Medium
  return h('img', { class: ['e-icon-file'], src, alt: '', width, height, loading: 'lazy' })
}
