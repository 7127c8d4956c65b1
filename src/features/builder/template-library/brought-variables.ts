/** The variables that a template file brings along. */
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { changeKit } from '../../shared/kit.ts'
import {
  cleanText,
  createVariable,
  isOfLength,
  isVariableValue,
  randomId,
  type Variable,
  type Variables,
  limits as variableLimits,
  variablesPart,
  variableTypes,
  withNextWatermark,
} from '../variables/model.ts'
import { type DesignContext, type Ids, nothingTaken, reportLeftOut, type Taken } from './taken-design.ts'

type NewVariable = Pick<Variable, 'type' | 'label' | 'value'>

type Brought = readonly (readonly [id: string, variable: BuilderElement])[]

/** Returns the ids of this site. Throws 400 where it has as many variables as it may. */
export async function takeVariables(context: DesignContext, brought: Brought): Promise<Ids> {
  if (brought.length === 0) return new Map()
  const mayAdd = context.user.can('manage_options')
  const { taken, watermark } = await changeKit(context.storage, variablesPart, (stored) => {
    const { taken, variables } = withBrought(stored, brought, mayAdd)
    const [last] = taken.added
    const next = last && withNextWatermark({ variables, variable: last }).variables
    return { ...(next ? { next } : {}), answer: { taken, watermark: (next ?? stored).watermark } }
  })
  for (const variable of taken.added) context.emit('variable.created', { variable, watermark })
  for (const [id, why] of taken.refused) reportLeftOut(context, 'global_variables', id, why)
  return taken.ids
}

function withBrought(stored: Variables, brought: Brought, mayAdd: boolean) {
  const taken: Taken<Variable> = nothingTaken()
  let variables = stored
  for (const [id, given] of brought) {
    const values = variableIn(given)
    const known = values && knownVariable(variables, id, values)
    if (known !== undefined) taken.ids.set(id, known)
    else if (values && mayAdd) {
      const changed = addVariable(variables, id, values)
      taken.ids.set(id, changed.variable.id)
      taken.added.push(changed.variable)
      variables = changed.variables
    } else {
      taken.refused.set(id, values ? 'you may not add variables' : 'its type, label or value is not one of a variable')
      if (stored.list.some((variable) => variable.id === id)) taken.ids.set(id, undefined)
    }
  }
  return { taken, variables }
}

export const isVariableType = (type: unknown) => variableTypes.some((name) => name === type)

function variableIn({ type, label, value }: BuilderElement): NewVariable | undefined {
  const plain = isObject(value) && '$$type' in value ? value['value'] : value
  const written = isObject(plain) ? `${String(plain['size'] ?? '')}${String(plain['unit'] ?? '')}` : plain
  if (typeof type !== 'string' || !isVariableType(type)) return undefined
  if (typeof label !== 'string' || typeof written !== 'string') return undefined
  const values = { type, label: cleanText(label), value: cleanText(written) }
  const isWhole = isOfLength('label', values.label) && isOfLength('value', values.value)
  return isWhole && isVariableValue(values.value) && /^[\w-]*[A-Za-z0-9][\w-]*$/.test(values.label) ? values : undefined
}

/** By the id first: another variable of the same label and value does as well. */
function knownVariable({ list }: Variables, id: string, values: NewVariable): string | undefined {
  const active = list.filter(({ deletedAt }) => deletedAt === undefined)
  const isSame = (variable: Variable) => variable.type === values.type && variable.value === values.value
  const sameLabel = ({ label }: Variable) => label.toLowerCase() === values.label.toLowerCase()
  return (active.find((one) => one.id === id && isSame(one)) ?? active.find((one) => sameLabel(one) && isSame(one)))?.id
}

/** Throws 400 where the site has as many as it may. */
function addVariable(variables: Variables, id: string, values: NewVariable) {
  const labels = new Set(variables.list.map(({ label }) => label.toLowerCase()))
  let label = values.label
  for (let number = 2; labels.has(label.toLowerCase()); number++) {
    label = `${values.label.slice(0, variableLimits.label - String(number).length - 1)}-${number}`
  }
  const wanted = /^[\w-]{1,64}$/.test(id) ? [id] : []
  return createVariable(variables, { ...values, label }, { now: '', newId: () => wanted.pop() ?? randomId() })
}
