/** The variables that a template file brings along. */
import type { BuilderElement } from '../../shared/elements.ts'
import { changeKit } from '../../shared/kit.ts'
import {
  addVariable,
  type NewVariable,
  type Variable,
  type Variables,
  variableIn,
  variablesPart,
  withNextWatermark,
} from '../variables/model.ts'
import { type DesignContext, type Ids, nothingTaken, reportLeftOut, type Taken } from './taken-design.ts'

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

/** By the id first: another variable of the same label and value does as well. */
function knownVariable({ list }: Variables, id: string, values: NewVariable): string | undefined {
  const active = list.filter(({ deletedAt }) => deletedAt === undefined)
  const isSame = (variable: Variable) => variable.type === values.type && variable.value === values.value
  const sameLabel = ({ label }: Variable) => label.toLowerCase() === values.label.toLowerCase()
  return (active.find((one) => one.id === id && isSame(one)) ?? active.find((one) => sameLabel(one) && isSame(one)))?.id
}
