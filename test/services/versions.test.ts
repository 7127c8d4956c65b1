import { expect, test } from 'vitest'
import { compareVersions } from '../../src/services/versions.ts'

test.each([
  ['1.0', '1.0', 0],
  ['1.0', '1.0.0', 0],
  ['1.10', '1.9.2', 1],
  ['1.2', '1.2.1', -1],
  ['2.0-beta', '2.0', -1],
  ['2.0-beta2', '2.0-beta10', -1],
  ['2.0-alpha', '2.0-beta', -1],
  ['2.0-rc1', '1.9', 1],
  ['v3', '3', -1],
  ['', '', 0],
  ['', '1', -1],
])('compares %s and %s: %i', (a, b, expected) => {
  expect(Math.sign(compareVersions(a, b))).toBe(expected)
  expect(Math.sign(compareVersions(b, a))).toBe(expected === 0 ? 0 : -expected)
})
