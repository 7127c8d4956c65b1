/** Arguments of the component routes. */
import {
  type ArgCheck,
  int,
  list,
  num,
  object,
  oneOf,
  required,
  requiredUnless,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import { titleLength } from './records.ts'

/** More than a site can have; bounds the rows that one request reads. */
const maxIds = 1000

const notTooMany: ArgCheck = (input: readonly unknown[]) =>
  input.length > maxIds ? { code: 'rest_too_many_items', message: `There are more than ${maxIds} items.` } : undefined

export const componentId = () => required(num({ description: 'The id of the component.' }))

/** Unknown ids are listed as failed in the response; numbers that cannot be ids are refused with 400. */
const possibleIds: ArgCheck = (input: readonly number[], context) => {
  const tooLarge = input.find((id) => Math.abs(id) > Number.MAX_SAFE_INTEGER)
  if (tooLarge === undefined) return notTooMany(input as never, context)
  return { code: 'rest_out_of_bounds', message: `${tooLarge} is no id.` }
}

export const ids = (description: string) => required(list(num(), { description, check: possibleIds }))

/** Front ends of today send `componentIds`, the interface lists `componentId`: either tells which answer is expected. */
export const oneOrSeveral = () => ({
  componentId: requiredUnless(
    int({ description: 'The id of the component.' }),
    ({ componentIds }) => componentIds !== undefined,
  ),
  componentIds: unlisted(list(num(), { description: 'The ids of several components.', check: possibleIds })),
})

export const status = () =>
  required(
    oneOf(['publish', 'draft', 'autosave'], { description: 'Publish changes the component, the others keep a draft.' }),
  )

export const items = () =>
  required(
    list(
      object({
        uid: required(str({ description: 'An identifier that the client made.' })),
        title: required(str({ ...titleLength, description: 'The name, unique among components in use.' })),
        elements: required(list(object({}), { description: 'The elements it is made of.' })),
        settings: object({}, { description: 'Settings, with the properties that each use may change.' }),
      }),
      { description: 'The components to create, all or none.', check: notTooMany },
    ),
  )

export const titles = () =>
  required(
    list(
      object({
        componentId: componentId(),
        title: required(str({ description: 'The new name.' })),
      }),
      { description: 'The new names by component.', check: notTooMany },
    ),
  )
