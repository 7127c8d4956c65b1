/** Arguments and responses of the routes of the history. */
import { anything, dateTime, int, list, oneOf, paging, required, str } from '../../../core/declare/args.ts'
import { fields, sometimes } from '../../../core/declare/response-schema.ts'

const momentForm = 'A moment in GMT, or with its zone.'

/** A text, because a moment that is none gets an error with an example. */
const moment = (description: string) => str({ description: `${description} ${momentForm}` })
const record = str({ description: 'A record: post:12, term:3, option:name.' })

export const listArgs = { record, ...paging() }
export const readArgs = {
  path: required(str({ description: 'The address below the root, with its query: /cms/v2/pages/12?context=edit.' })),
  as_of: required(moment('The answer is that of the site as it was then.')),
}
export const differenceArgs = {
  record: required(record),
  from: required(moment('The earlier moment.')),
  to: moment('The later moment. Default: now.'),
}
export const restoreArgs = {
  to: required(moment('What has changed since is taken back.')),
  record: str({ description: 'The one record to restore: post:12, term:3, option:name. Default: the whole site.' }),
}

const recordName = str({ description: 'post:12, term:3, option:name, or a collection and an id.' })

export const changesSchema = list(
  fields(
    {
      id: int(),
      record: recordName,
      at: dateTime({ description: 'In GMT.' }),
      user: int({ description: 'Who has changed it; 0: the program.' }),
      change: oneOf(['created', 'changed', 'removed']),
      members: list(str(), { description: 'What has changed: columns, meta.key, terms.taxonomy.' }),
    },
    { title: 'Change of a record' },
  ),
)

const words = sometimes(
  list(fields({ change: oneOf(['same', 'removed', 'added']), text: str() }), { description: 'Of two texts.' }),
)
const sentence = str({ description: 'What has changed, for people.' })
const member = fields({
  ...{ member: str(), before: anything({ description: 'Null: there was none.' }), after: anything(), words, sentence },
})
const place = sometimes(
  fields({
    parent: str({ description: 'The element that it is in; empty: none.' }),
    position: int({ description: 'From 0.' }),
  }),
)

/** Lists the differences by member and by element. */
export const differenceMembers = {
  members: list(member),
  elements: list(
    fields({
      ...{ id: str(), name: str({ description: 'The type of the widget.' }) },
      change: oneOf(['added', 'removed', 'moved', 'changed']),
      ...{ from: place, to: place, members: list(member), sentence },
    }),
    { description: 'Of a document of the page builder.' },
  ),
}

export const differenceSchema = fields(
  {
    record: recordName,
    title: str(),
    from: dateTime(),
    to: dateTime(),
    state: oneOf(['same', 'changed', 'created', 'removed', 'absent']),
    ...differenceMembers,
  },
  { title: 'Difference of a record between two moments' },
)

export const restoredSchema = fields(
  {
    moment: dateTime(),
    records: list(str(), { description: 'The records that were changed.' }),
    left: list(str(), { description: 'Media that were uploaded or removed since: they stay as they are.' }),
  },
  { title: 'Restoration' },
)
