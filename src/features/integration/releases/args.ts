/** Arguments and answers of the routes of releases. */
import {
  anything,
  dateTime,
  int,
  list,
  nullable,
  object,
  oneOf,
  paging,
  required,
  str,
} from '../../../core/declare/args.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'
import { findingSchema } from '../checks/view.ts'
import { differenceMembers } from '../history/view.ts'
import type { Release } from './model.ts'
import { releaseStates } from './model.ts'
import type { ReleasedRecord } from './read.ts'

const id = required(int({ description: 'The release.', minimum: 1 }))
const name = str({ description: 'What people call it.', minLength: 1, maxLength: 200 })
const note = str({ description: 'A text for its readers.', maxLength: 10_000 })

export const listArgs = { state: oneOf(releaseStates, { description: 'Only releases in this state.' }), ...paging() }
export const createArgs = { name: required(name), note }
export const changeArgs = {
  ...{ id, name, note },
  state: oneOf(['draft', 'in_review', 'approved'], { description: 'The state of the review.' }),
  publish_at: nullable(dateTime({ description: 'When it is published by itself, in GMT; null: it is not.' })),
}
export const previewArgs = {
  id,
  days: int({ minimum: 1, maximum: 90, default: 7, description: 'How long the token shows the release.' }),
}
export const endPreviewArgs = { id, preview: required(str({ description: 'The id of a preview.' })) }
export const oneArgs = { id }
export const changesArgs = { id, ...paging() }
export const dropArgs = { id, record: required(str({ description: 'A record: post:12, term:3, option:name.' })) }
export const decideArgs = {
  id,
  decide: object(
    {},
    {
      description:
        'Decides conflicts, by `post:12 title`, `post:12`, or `*` for all: `release` or `live`. When undoing, `release` is the way back.',
      additionalProperties: { type: 'string', enum: ['release', 'live'] },
    },
  ),
}

const time = (description: string) => nullable(dateTime({ description }))
const user = (description: string) => nullable(int({ description }))

export const releaseSchema = fields(
  {
    id: int(),
    name: str(),
    note: str(),
    state: oneOf(releaseStates),
    created_by: int({ description: 'A user; 0: the program.' }),
    created_at: dateTime({ description: 'In GMT, as all times.' }),
    changed_at: dateTime({ description: 'When its changes have changed last.' }),
    approved_by: user('Who has approved it.'),
    approved_at: time('When.'),
    published_by: user('Who has published it.'),
    published_at: time('When.'),
    undone_at: time('When it was undone.'),
    publish_at: time('When it is to be published.'),
    failure: anything({
      description: 'Why it was not published at its time; null: it was, or its time is still to come.',
    }),
  },
  { title: 'Release' },
)

export const releaseView = (release: Release) => ({
  id: release.id,
  name: release.name,
  note: release.note,
  state: release.state,
  created_by: release.createdBy,
  created_at: release.createdAt,
  changed_at: release.changedAt,
  approved_by: release.approvedBy,
  approved_at: release.approvedAt,
  published_by: release.publishedBy,
  published_at: release.publishedAt,
  undone_at: release.undoneAt,
  publish_at: release.publishAt,
  failure: release.failure,
})

const preview = {
  id: str(),
  until: dateTime({ description: 'In GMT.' }),
  user: int({ description: 'Who has made it; 0: the program.' }),
}

export const previewsSchema = list(fields(preview, { title: 'Preview of a release' }))
export const newPreviewSchema = fields(
  {
    ...preview,
    token: str({ description: 'Shown once: the name of the release, for reads of anybody.' }),
    url: str({ description: 'The site as it would be.' }),
  },
  { title: 'New preview of a release' },
)

const conflict = fields({
  record: str(),
  member: str({ description: 'Empty: the whole record.' }),
  base: anything({ description: 'What both began with; null: there was none.' }),
  yours: anything({ description: 'Of the release.' }),
  theirs: anything({ description: 'Of the site.' }),
})

export const changesSchema = list(
  fields(
    {
      record: str({ description: 'post:12, term:3, option:name, or a collection and an id.' }),
      title: str(),
      change: oneOf(['added', 'changed', 'removed']),
      user: int({ description: 'Who has changed it last; 0: the program.' }),
      at: dateTime(),
      ...differenceMembers,
      conflicts: list(conflict, { description: 'What the site has changed too since.' }),
    },
    { title: 'Change of a release' },
  ),
)

export const changeView = ({ record, title, change, user, at, members, elements, conflicts }: ReleasedRecord) => ({
  ...{ record, title, change, user, at, members, elements, conflicts },
})

export const publishedSchema = fields(
  {
    release: releaseSchema,
    records: list(str(), { description: 'The records of the site that have changed.' }),
    findings: sometimes(
      list(findingSchema, { description: 'The findings of its records, where the host asks for checks.' }),
    ),
  },
  { title: 'Published release' },
)
