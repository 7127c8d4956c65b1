/** Compares the answers of the storages to one request. */
import { withoutPreviewKeys } from '../support/preview-keys.ts'
import type { Answer } from './request.ts'

/** Names of headers that tell of lists, links and permissions. Tags of versions differ by storage. */
const compared = [
  'x-cms-total',
  'x-cms-totalpages',
  'link',
  'location',
  'allow',
  'content-type',
  'cache-control',
  'vary',
]

/** Finds the tag of a response within the body of a batch. */
const tagInBatch = /"ETag":"(?:[^"\\]|\\.)*"/g

const partsOf = ({ status, headers, body }: Answer): [string, string][] => [
  ['status', String(status)],
  ...compared.map((name): [string, string] => [name, headers[name] ?? '']),
  ['body', withoutPreviewKeys(body.replaceAll(tagInBatch, ''))],
]

const around = 160

/** Cuts two texts around the place where they begin to differ. */
function difference(expected: string, seen: string): string {
  let at = 0
  while (at < expected.length && expected[at] === seen[at]) at++
  const from = Math.max(0, at - around / 2)
  return `…${expected.slice(from, from + around)}\n      …${seen.slice(from, from + around)}`
}

/** Undefined if both are equal; else what differs first. */
export function differenceOf(expected: Answer, seen: Answer): string | undefined {
  const others = new Map(partsOf(seen))
  for (const [name, value] of partsOf(expected)) {
    const other = others.get(name) ?? ''
    if (other !== value) return `${name} differs:\n      ${difference(value, other)}`
  }
  return undefined
}
