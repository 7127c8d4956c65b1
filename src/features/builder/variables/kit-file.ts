/** The variables as kits have them: `{ data }` in a file, by their ids. */
import type { Json } from '../../../contract/storage.ts'
import { isApiError } from '../../../core/declare/errors.ts'
import type { KitFileRules, TakenFile } from '../../../core/declare/feature.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'
import { storedPart } from '../../shared/kit.ts'
import {
  addVariable,
  limits,
  type NewVariable,
  restoreVariable,
  updateVariable,
  type Variable,
  type Variables,
  variableIn,
  variablesPart,
  withNextWatermark,
} from './model.ts'

const storedIn = (stored: Json | undefined): Variables =>
  storedPart(variablesPart, stored === undefined ? {} : { [variablesPart.option]: stored })

export const variablesFile: KitFileRules = {
  option: variablesPart.option,
  withFile(stored, file, { replaces, now, onProblem }) {
    let variables = storedIn(stored)
    const members = membersOf(file)
    // A site can not have more.
    for (const [id] of members.slice(limits.active)) onProblem(id)
    for (const [id, given] of members.slice(0, limits.active)) {
      const values = variableIn(given)
      const change = values && changeWith(variables, { id, ...values }, { replaces, now })
      if (change === undefined) onProblem(id)
      else if (change !== 'kept') variables = withNextWatermark(change).variables
    }
    // The cast: variables are JSON.
    return variables as unknown as Json
  },
  fileOf(stored) {
    const { list, watermark } = storedIn(stored)
    const active = list.filter(({ deletedAt }) => deletedAt === undefined)
    const data = active.map(({ id, type, label, value, order }) => [id, { type, label, value, order }])
    return data.length === 0 ? undefined : { data: Object.fromEntries(data) as Json, watermark }
  },
}

function membersOf(file: Json): readonly (readonly [string, BuilderElement])[] {
  const data = isObject(file) ? file['data'] : undefined
  const entries = isObject(data) ? Object.entries(data) : []
  return entries.map(([id, given]) => [id, isObject(given) ? given : {}])
}

/** Undefined for a variable that the site can not have. */
function changeWith(
  variables: Variables,
  { id, ...values }: NewVariable & { readonly id: string },
  { replaces, now }: Pick<TakenFile, 'replaces' | 'now'>,
) {
  const known = variables.list.find((one) => one.id === id)
  try {
    if (!known) return addVariable(variables, id, values)
    if (known.deletedAt !== undefined) return restoreVariable(variables, id, values, { now, newId: () => id })
    if (!replaces || isSame(known, values)) return 'kept'
    return updateVariable(variables, id, values, { now, newId: () => id })
  } catch (error) {
    if (isApiError(error)) return undefined
    throw error
  }
}

const isSame = (known: Variable, { type, label, value }: NewVariable): boolean =>
  known.type === type && known.label === label && known.value === value
