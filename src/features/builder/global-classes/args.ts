/** Arguments of the routes of global classes. */
import { anything, bool, list, object, oneOf, required, str } from '../../../core/declare/args.ts'

export const classContext = () =>
  oneOf(['frontend', 'preview'], { default: 'frontend', description: 'The live copy, or the one that is prepared.' })

const idList = (description: string) => list(str(), { description })

const globalClass = object({
  id: str(),
  variants: list(anything()),
  type: oneOf(['class']),
  label: str(),
})

const changeLists = {
  added: required(idList('Ids of new classes.')),
  deleted: required(idList('Ids of classes to remove.')),
  modified: required(idList('Ids of classes that changed.')),
}
const changeWords = { additionalProperties: false, description: 'What of the items is new, changed or gone.' } as const

export const changesArg = () => required(object(changeLists, changeWords))

/** Also says whether the order changed. */
export const changesWithOrderArg = () =>
  required(object({ ...changeLists, order: bool({ description: 'Whether the order changed.' }) }, changeWords))

export const itemsArg = () =>
  required(object({}, { additionalProperties: globalClass.node, description: 'The classes by id.' }))

export const orderArg = () => idList('The ids of all items, in their order.')
