/** Arguments of the component routes. */
import { type ArgCheck, list, num, object, oneOf, required, str } from '../../../core/declare/args.ts'
import { titleLength } from './model.ts'

/** More than any site has; keeps a single request from asking for a million rows. */
const maxIds = 1000

const notTooMany: ArgCheck = (sent: readonly unknown[]) =>
  sent.length > maxIds ? { code: 'rest_too_many_items', message: `There are more than ${maxIds} items.` } : undefined

export const componentId = () => required(num({ description: 'The id of the component.' }))

/** Unknown ids are told apart from known ones in the answer; what no id can be is wrong from the start. */
const possibleIds: ArgCheck = (sent: readonly number[], context) => {
  const tooLarge = sent.find((id) => Math.abs(id) > Number.MAX_SAFE_INTEGER)
  if (tooLarge === undefined) return notTooMany(sent as never, context)
  return { code: 'rest_out_of_bounds', message: `${tooLarge} is no id.` }
}

export const ids = (description: string) => required(list(num(), { description, check: possibleIds }))

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
