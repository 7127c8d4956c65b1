/** Arguments of the document routes. */
import { bool, int, list, object, oneOf, required, str } from '../../../core/declare/args.ts'
import { maxFiles } from './file.ts'
import { kindNames } from './kinds.ts'

export const id = () => required(int({ description: 'The ID of the document.' }))

export const kind = () => required(oneOf(kindNames, { description: 'Which kind of documents.' }))

const title = () => str({ description: 'The title.' })
const elements = () =>
  list(object({}, { additionalProperties: true }), { description: 'All elements of the document.' })
const settings = () => object({}, { additionalProperties: true, description: 'The settings of the page.' })

export const drafted = { title: title(), elements: elements(), settings: settings() }

export const saved = {
  ...drafted,
  status: oneOf(['publish', 'draft', 'pending', 'private'], { description: 'The status.' }),
}

export const created = {
  type: str({ description: 'The type of document, such as header.', pattern: '[\\w-]*', maxLength: 60 }),
  ...saved,
}

export const force = () =>
  bool({ default: false, description: 'Removes the document in place of a move to the trash.' })

export const revision = () => required(int({ description: 'The ID of the revision.' }))

export const hours = () =>
  int({ minimum: 1, maximum: 720, default: 24, description: 'How many hours the address works.' })

export const ids = () =>
  required(
    list(int(), { minItems: 1, maxItems: maxFiles, uniqueItems: true, description: 'The IDs of the documents.' }),
  )

export const files = () =>
  list(object({}, { additionalProperties: true }), {
    minItems: 1,
    maxItems: maxFiles,
    description: 'Exported files, unless the body is a zip archive.',
  })
