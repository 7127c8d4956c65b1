/** Answers of the routes of checks. */
import { anything, list, oneOf, str } from '../../../core/declare/args.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'
import { type CheckFinding, type CheckReport, severities } from './model.ts'

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

export const findingSchema = fields(
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

export const findingView = (finding: CheckFinding) => ({ ...finding })

export const appliedSchema = fields(
  { patch: patchSchema, answer: anything({ description: 'The answer of the route that has written it.' }) },
  { title: 'Applied patch' },
)
