/** Arguments of the routes of global classes. */
import {
  anything,
  bool,
  list,
  object,
  oneOf,
  required,
  requiredUnless,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import { isObject } from '../../shared/elements.ts'

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
/** Front ends of today say whether the order changed, which tells that they send the changed items alone. */
export const changesArg = () =>
  required(
    object(
      { ...changeLists, order: bool({ description: 'Whether the order changed; sent with the changed items alone.' }) },
      { additionalProperties: false, description: 'What of the items is new, changed or gone.' },
    ),
  )

export const itemsArg = () =>
  required(object({}, { additionalProperties: globalClass.node, description: 'The classes by id.' }))

const saysOrder = ({ changes }: { readonly [name: string]: unknown }) => isObject(changes) && 'order' in changes

export const orderArg = () => requiredUnless(idList('The ids of all items, in their order.'), saysOrder)

/** The list of a front end of today has labels, that of the interface has the classes: `view` says which, or the option. */
export type ListedClasses = 'classes' | 'labels'

export const viewArg = () =>
  unlisted(oneOf(['labels', 'map'], { description: 'Ids and labels in their order, or the classes by id.' }))
