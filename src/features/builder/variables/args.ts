/** Arguments of the variable routes, with the checks whose codes clients know. */
import { type ArgCheck, anything, int, list, required, str } from '../../../core/declare/args.ts'
import { cleanText, isOfLength, isVariableValue, limits, operationTypes, variableTypes } from './model.ts'

const textCheck =
  (name: 'id' | 'label' | 'value'): ArgCheck =>
  (sent: string) => {
    const text = cleanText(sent)
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
    check: (sent: string) =>
      variableTypes.some((one) => one === sent)
        ? undefined
        : { code: 'invalid_variable_type', message: `The type is not one of ${variableTypes.join(', ')}.` },
  })

export const order = () =>
  int({
    description: 'Its place among the others.',
    check: (sent: number) =>
      sent >= 0 ? undefined : { code: 'invalid_order', message: 'The order is a number from 0.' },
  })

export const watermark = () =>
  required(
    int({
      description: 'The watermark that the caller knows.',
      check: (sent: number) =>
        sent >= 0 ? undefined : { code: 'invalid_watermark', message: 'The watermark is a number from 0.' },
    }),
  )

/** Choice: as many as it takes to replace every variable. */
const maxOperations = 2 * limits.active

export const operations = () =>
  required(list(anything(), { description: 'Changes to make in order, all or none.', check: checkOperations }))

function checkOperations(sent: readonly unknown[]) {
  if (sent.length === 0) return { code: 'invalid_operations_empty', message: 'There are no operations.' }
  if (sent.length > maxOperations) {
    return { code: 'invalid_operations_length', message: `There are more than ${maxOperations} operations.` }
  }
  const types = sent.map((one) =>
    typeof one === 'object' && one !== null ? (one as { type?: unknown }).type : undefined,
  )
  if (types.includes(undefined)) {
    return { code: 'invalid_operation_structure', message: 'Each operation is an object with a type.' }
  }
  if (types.every((one) => operationTypes.some((known) => known === one))) return undefined
  return { code: 'invalid_operation_type', message: `An operation is one of ${operationTypes.join(', ')}.` }
}
