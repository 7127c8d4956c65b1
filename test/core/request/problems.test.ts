/** Tests the problems that a client reads: each kind of wrong argument has a code and a sentence that says what to send. */
import { describe, expect, test } from 'vitest'
import type { Arg, SchemaNode } from '../../../src/core/declare/args.ts'
import { bool, int, list, nullable, num, object, required, str } from '../../../src/core/declare/args.ts'
import type { Context } from '../../../src/core/declare/context.ts'
import { isApiError } from '../../../src/core/declare/errors.ts'
import { parsePattern } from '../../../src/core/declare/pattern.ts'
import { createArgumentParser } from '../../../src/core/request/argument-parser.ts'
import { createNames } from '../../../src/names/word-map.ts'

const names = createNames()
// The cast is safe: arguments without checks need their names only.
const context = { app: { names } } as unknown as Context

/** The value that a handler would get, or the problem; generated code and its interpreter have to agree. */
async function outcomeOf(arg: Arg, value: unknown, args: { readonly [name: string]: Arg } = {}): Promise<unknown> {
  const outcomes = [true, false].map(async (generatesCode) => {
    const parser = createArgumentParser({ value: arg, ...args }, parsePattern('/a'), names, generatesCode)
    try {
      const found = parser.parse([], '', { value, other: 'x' })
      await parser.validate(found, context)
      return found.args['value']
    } catch (error) {
      if (!isApiError(error)) throw error
      const { params, details } = error.data as {
        readonly params: { readonly [name: string]: string }
        readonly details: { readonly [name: string]: { readonly code: string } }
      }
      return params['value'] && [details['value']?.code, params['value']]
    }
  })
  const [generated, interpreted] = await Promise.all(outcomes)
  expect(interpreted).toEqual(generated)
  return generated
}

/** A schema as a feature of the host may write it. */
const of = (node: SchemaNode): Arg => ({ node })

const percent = num({ minimum: 0, maximum: 100, exclusiveMinimum: true, exclusiveMaximum: true })
const word = str({ minLength: 2, maxLength: 4 })
const pair = list(int(), { minItems: 1, maxItems: 2 })
const distinct = list(object({ id: int() }), { uniqueItems: true })
const textOrList = of({ type: ['string', 'array'] })
const level = of({ type: 'integer', enum: [1, 2] })
const flags = of({ type: 'object', additionalProperties: { type: 'boolean' } })
const form = (type: string, rest: SchemaNode['properties']): SchemaNode => ({
  type: 'object',
  properties: { type: { type: 'string', enum: [type], required: true }, ...rest },
})
const shape = of({
  oneOf: [form('circle', { radius: { type: 'integer' } }), form('square', { side: { type: 'integer' } })],
})
const numberOrFlag = of({ oneOf: [{ type: 'integer' }, { type: 'boolean' }] })

describe('refuses', () => {
  test.each<[what: string, arg: Arg, value: unknown, code: string, words: RegExp]>([
    ['the lower bound that is outside', percent, 0, 'rest_out_of_bounds', /above 0 and below 100/],
    ['the upper bound that is outside', percent, 100, 'rest_out_of_bounds', /above 0 and below 100/],
    ['more than the most', int({ maximum: 9 }), '10', 'rest_out_of_bounds', /at most 9/],
    ['less than the least', int({ minimum: 2 }), '1', 'rest_out_of_bounds', /at least 2/],
    ['what is outside of a range', int({ minimum: 2, maximum: 9 }), '1', 'rest_out_of_bounds', /from 2 to 9/],
    ['a short text', word, 'a', 'rest_too_short', /fewer than 2 characters/],
    ['a long text', word, 'abcde', 'rest_too_long', /more than 4 characters/],
    ['a number that is not listed', level, '3', 'rest_not_in_enum', /takes only these values: 1, 2/],
    ['too few items', pair, '', 'rest_too_few_items', /fewer than 1 items/],
    ['too many items', pair, '1,2,3', 'rest_too_many_items', /more than 2 items/],
    ['an object that is there twice', distinct, [{ id: 1 }, { id: 1 }], 'rest_duplicate_items', /twice/],
    ['an item of the wrong type', pair, ['a'], 'rest_invalid_type', /^value\[0\] has the wrong type/],
    ['a number where a text or a list is meant', textOrList, 5, 'rest_invalid_type', /string,array/],
    ['a member of the wrong type', flags, { wet: 'perhaps' }, 'rest_invalid_type', /^value\[wet\]/],
    ['no object where one is meant', flags, 'wet', 'rest_invalid_type', /object/],
    ['a form of no known type', shape, { type: 'line' }, 'rest_no_matching_schema', /fits none/],
    ['no form at all', shape, [], 'rest_no_matching_schema', /fits none/],
    ['what fits two forms', numberOrFlag, '1', 'rest_one_of_multiple_matches', /several of its forms/],
    ['text for null', nullable(int()), 'none', 'rest_invalid_type', /integer,null/],
  ])('%s', async (_, arg, value, code, words) => {
    expect(await outcomeOf(arg, value)).toEqual([code, expect.stringMatching(words)])
  })
})

describe('takes', () => {
  test.each<[what: string, arg: Arg, value: unknown, taken: unknown]>([
    ['a number between bounds that are outside', percent, '0.5', 0.5],
    ['a listed number', level, '2', 2],
    ['different objects', distinct, [{ id: 1 }, { id: '2' }], [{ id: 1 }, { id: 2 }]],
    ['a list where a text may be', textOrList, ['a'], ['a']],
    ['members of any name', flags, { wet: '1' }, { wet: true }],
    ['the form that its type names', shape, { type: 'square', side: '2' }, { type: 'square', side: 2 }],
    ['null and an empty text for null', nullable(int()), '', null],
    ['the one form that fits', numberOrFlag, 'true', true],
  ])('%s', async (_, arg, value, taken) => {
    expect(await outcomeOf(arg, value)).toEqual(taken)
  })
})

test('a right form has no problem when another argument is wrong', async () => {
  expect(await outcomeOf(shape, { type: 'square' }, { other: int() })).toBeUndefined()
  expect(await outcomeOf(numberOrFlag, 'true', { other: bool() })).toBeUndefined()
})

test('a required member has to be there', async () => {
  const arg = object({ id: required(int()) })
  expect(await outcomeOf(arg, {})).toEqual(['rest_property_required', 'value lacks the member id.'])
})

test('a value that only one of the two checks refuses is refused', async () => {
  // `anyOf` is for responses: the list of problems does not know it.
  await expect(outcomeOf(of({ anyOf: [{ type: 'integer' }] }), 'x')).rejects.toThrow(
    'the check and the list of problems disagree',
  )
})
