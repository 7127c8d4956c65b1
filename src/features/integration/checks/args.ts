/** Arguments and answers of the routes of checks. */
import { anything, list, object, oneOf, required, str } from '../../../core/declare/args.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'
import { type CheckFinding, type CheckReport, severities } from './model.ts'

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

export const applyArgs = {
  record,
  finding: str({ description: 'The id of a finding, whose patch is written.', maxLength: 100 }),
  patch: object({}, { additionalProperties: true, description: 'A patch of a finding as you have changed it.' }),
}

const patchSchema = fields(
  {
    record: str({ description: 'The record that it changes.' }),
    says: str({ description: 'Says what it does.' }),
    members: sometimes(anything({ description: 'Members as the route of the record takes them.' })),
    content: sometimes(list(fields({ from: str(), to: str() }), { description: 'Parts of the stored content.' })),
    settings: sometimes(anything({ description: 'Settings by the ids of elements; null removes one.' })),
    remediation: sometimes(anything({ description: 'A remediation as a11y/v1 takes it.' })),
  },
  { title: 'Patch' },
)

const findingSchema = fields(
  {
    id: str({ description: 'The same when the record is checked again.' }),
    code: str({ description: 'The kind of finding: dead-link.' }),
    severity: oneOf(severities),
    place: fields({
      record: str(),
      member: sometimes(str({ description: 'title, excerpt, content, featured_media.' })),
      element: sometimes(str({ description: 'The id of an element.' })),
      xpath: sometimes(str({ description: 'The place in the page.' })),
    }),
    message: str({ description: 'One sentence for people.' }),
    patch: sometimes(patchSchema),
  },
  { title: 'Finding' },
)

export const reportSchema = fields(
  {
    findings: list(findingSchema),
    unchecked: list(str(), { description: 'Codes of checks that could not look, since the site has no pages.' }),
  },
  { title: 'Check of a record' },
)

/** A copy, because an interface is no record of unknown members. */
export const reportView = ({ findings, unchecked }: CheckReport) => ({ findings: findings.map(findingView), unchecked })

const findingView = (finding: CheckFinding) => ({ ...finding })

export const appliedSchema = fields(
  { patch: patchSchema, answer: anything({ description: 'The answer of the route that has written it.' }) },
  { title: 'Applied patch' },
)
