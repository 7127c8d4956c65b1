/** Arguments of the variable routes, with checks that have their own error codes. */
import { type ArgCheck, anything, int, list, required, str } from '../../../core/declare/args.ts'
import { cleanText, isOfLength, isVariableValue, limits, operationTypes, variableTypes } from './model.ts'

const textCheck =
  (name: 'id' | 'label' | 'value'): ArgCheck =>
  (input: string) => {
    const text = cleanText(input)
    if (text === '') return { code: `invalid_variable_${name}_empty`, message: `The ${name} is empty.` }
    if (!isOfLength(name, text)) {
      return {
        code: `invalid_variable_${name}_length`,
        message: `The ${name} has more than ${limits[name]} characters.`,
      }
    }
    return name === 'value' && !isVariableValue(text)
      ? {
          code: 'invalid_variable_value',
          message: 'The value holds signs that are no part of a color, a font or a size.',
        }
      : undefined
  }

export const id = () => str({ description: 'The id of the variable.', check: textCheck('id') })
export const label = () => str({ description: 'The name, unique among active variables.', check: textCheck('label') })
export const value = () => str({ description: 'A color, a font or a size.', check: textCheck('value') })

export const type = () =>
  str({
    description: 'What kind of value it holds.',
    check: (input: string) =>
      variableTypes.some((name) => name === input)
        ? undefined
        : { code: 'invalid_variable_type', message: `A type is one of ${variableTypes.join(', ')}.` },
  })

export const order = () =>
  int({
    description: 'Its place among the others.',
    check: (input: number) =>
      input >= 0 ? undefined : { code: 'invalid_order', message: 'The order is a number from 0.' },
  })

export const watermark = () =>
  required(
    int({
      description: 'The watermark that the caller knows.',
      check: (input: number) =>
        input >= 0 ? undefined : { code: 'invalid_watermark', message: 'The watermark is a number from 0.' },
    }),
  )

/** Choice: enough operations to delete and create every variable in one batch. */
const maxOperations = 2 * limits.active

export const operations = () =>
  required(list(anything(), { description: 'Changes to make in order, all or none.', check: checkOperations }))

function checkOperations(input: readonly unknown[]) {
  if (input.length === 0) return { code: 'invalid_operations_empty', message: 'There are no operations.' }
  if (input.length > maxOperations) {
    return { code: 'invalid_operations_length', message: `There are more than ${maxOperations} operations.` }
  }
  const types = input.map((operation) =>
    typeof operation === 'object' && operation !== null ? (operation as { type?: unknown }).type : undefined,
  )
  if (types.includes(undefined)) {
    return { code: 'invalid_operation_structure', message: 'Each operation is an object with a type.' }
  }
  if (types.every((type) => operationTypes.some((name) => name === type))) return undefined
  return { code: 'invalid_operation_type', message: `An operation is one of ${operationTypes.join(', ')}.` }
}
