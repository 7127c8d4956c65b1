import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invalid } from '../../../src/contract/scalars.ts'
import { int, num, oneOf, str } from '../../../src/core/declare/args.ts'
import { parsePattern } from '../../../src/core/declare/pattern.ts'
import { conditionOn } from '../../../src/core/request/argument-compiler.ts'
import { createArgumentParser } from '../../../src/core/request/argument-parser.ts'
import { checkOf } from '../../../src/core/request/check.ts'
import { coercer } from '../../../src/core/request/coercion.ts'
import { createNames } from '../../../src/names/word-map.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'

const bounded = [
  int({ minimum: 1, maximum: 100 }),
  int({ minimum: -3 }),
  num({ maximum: 2.5 }),
  str({ minLength: 2, maxLength: 4 }),
  oneOf(['asc', 'desc', "it's", '"', '\\']),
]
const declared = [d1, d2].flatMap(({ features }) =>
  features.flatMap(({ endpoints }) => endpoints.flatMap(({ args }) => Object.values(args))),
)

const texts = fc.oneof(
  fc.integer({ min: -5, max: 105 }).map(String),
  fc.double().map(String),
  fc.constantFrom(
    'asc',
    'desc',
    "it's",
    '"',
    '\\',
    'view',
    'edit',
    'publish',
    'draft',
    '',
    'a',
    'ab',
    'abcde',
    '1',
    '0',
  ),
)

test('generated conditions agree with the compiled check', () => {
  const args = [...bounded, ...declared].filter((arg) => checkOf(arg) && conditionOn(arg.node, 'value') !== undefined)
  expect(args.length).toBeGreaterThan(bounded.length)
  for (const arg of args) {
    const condition = new Function('value', `return ${conditionOn(arg.node, 'value')}`) as (value: unknown) => boolean
    const coerce = coercer(arg.node)
    fc.assert(
      fc.property(texts, (text) => {
        const value = coerce(text)
        fc.pre(value !== invalid)
        expect(condition(value), JSON.stringify([arg.node, value])).toBe(checkOf(arg)?.(value))
      }),
      { numRuns: 40 },
    )
  }
})

test.each([true, false])(
  'reads only declared members of a body, inherited names included (generated: %s)',
  (generated) => {
    const plan = createArgumentParser({ title: str(), valueOf: str() }, parsePattern('/a'), createNames(), generated)
    expect(plan.parse([], '', { title: 'x', other: 1 }).args).toEqual({ title: 'x', valueOf: undefined })
    expect(plan.parse([], '', { valueOf: 'y' }).args).toEqual({ title: undefined, valueOf: 'y' })
  },
)
