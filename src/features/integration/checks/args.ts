/** Arguments of the routes of checks. */
import { list, object, required, str } from '../../../core/declare/args.ts'

const records = /^(?:post|page|template|component|document|release):[1-9]\d{0,14}$/

export const record = required(
  str({
    description: 'A record, such as post:12, page:12 or template:12, or release:3: all that a release would publish.',
    check: (value: string) => (records.test(value) ? undefined : 'It names neither a record nor a release.'),
    example: 'post:12',
  }),
)

/** `page:12` is `post:12`. */
export const recordOf = (text: string): string =>
  text.startsWith('release:') ? text : `post:${text.slice(text.indexOf(':') + 1)}`

export const isRecord = (text: string): boolean => records.test(text)

const members = () => object({}, { additionalProperties: true })

export const applyArgs = {
  record,
  finding: str({ description: 'The id of a finding, whose patch is written.', maxLength: 100 }),
  patch: object(
    {
      record: required(str()),
      says: str(),
      members: members(),
      content: list(object({ from: required(str()), to: required(str()) }, { additionalProperties: false })),
      settings: object({}, { additionalProperties: { type: 'object', additionalProperties: true } }),
      remediation: members(),
    },
    { additionalProperties: false, description: 'A patch of a finding as you have changed it.' },
  ),
}
