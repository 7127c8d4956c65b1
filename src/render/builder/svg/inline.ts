/** Inlines svg files of the library. */
import { isObject } from '../document/values.ts'
import { mediumOf } from '../elements/image.ts'
import { type Attributes, type HtmlElement, withAttributes } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
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
  if (medium?.mimeType !== 'image/svg+xml') return undefined
  return withAttributes(pass.get(drawings, medium.path), attributes)
}
