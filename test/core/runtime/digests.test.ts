/** The digests in plain JavaScript are those of `node:crypto`: a password digested on one runtime is right on another. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Digests, nodeDigests } from '../../../src/core/runtime/node-digests.ts'
import { webDigests } from '../../../src/core/runtime/web-digests.ts'

// The cast: the tests run on Node.
const node = nodeDigests() as Digests
const text = fc.string({ unit: 'binary', maxLength: 200 })

test('both digest texts alike', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      for (const encoding of ['hex', 'base64'] as const) {
        expect(webDigests.sha256(one, encoding)).toBe(node.sha256(one, encoding))
      }
      expect(webDigests.hmac(one, other)).toBe(node.hmac(one, other))
      expect([webDigests.isEqual(one, other), webDigests.isEqual(one, `${one}`)]).toEqual([
        node.isEqual(one, other),
        true,
      ])
    }),
  )
})

test('both derive the same key from a password', async () => {
  const salt = new TextEncoder().encode('0123456789abcdef')
  const cost = { N: 1024, r: 8, p: 1, length: 32 }
  const keys = [await node.scrypt('pa ß word', salt, cost), await webDigests.scrypt('pa ß word', salt, cost)]
  expect([...(keys[0] ?? [])]).toEqual([...(keys[1] ?? [])])
  expect(keys[0]).toHaveLength(32)
})
