/** Arguments and schemas of presence. */
import { bool, dateTime, int, list, nullable, oneOf, required, str } from '../../../core/declare/args.ts'
import { fields } from '../../../core/declare/response-schema.ts'

const place = '(?:post:[1-9]\\d{0,15}|[a-z][a-z0-9-]{0,40}(?:/[\\w.-]{1,80})?)'

export const record = () =>
  str({
    description:
      'Where: `post:12` for a record of any type, or a word for a place such as `menus` or `global-colors/brand`.',
    pattern: place,
  })

const session = () =>
  required(str({ description: 'A word that the client draws for a window.', pattern: '[\\w-]{1,64}' }))

export const reportArgs = {
  session: session(),
  record: required(record()),
  state: oneOf(['viewing', 'editing'], { default: 'viewing', description: 'What the user does there.' }),
  renew_lock: bool({ default: false, description: 'Whether to renew your lock of the post, if you have it.' }),
}

export const leaveArgs = { session: session() }

export const listArgs = { record: record() }

export const streamArgs = {
  record: record(),
  seconds: int({ minimum: 1, maximum: 3600, default: 300, description: 'When the stream ends; clients connect anew.' }),
}

const userSchema = fields({ id: int(), name: str() })

const lockSchema = fields({
  user: userSchema,
  is_yours: bool(),
  since: dateTime({ description: 'In GMT.' }),
  until: dateTime({ description: 'In GMT.' }),
  taken_over: bool({ description: 'Whether the one who has the lock has taken it from the caller.' }),
})

const presenceSchema = fields(
  {
    session: str({ description: 'Of the caller; of others it is empty.' }),
    user: userSchema,
    record: str(),
    state: oneOf(['viewing', 'editing']),
    since: dateTime({ description: 'In GMT.' }),
    lock: nullable(lockSchema),
  },
  { title: 'Presence' },
)

export const presencesSchema = list(presenceSchema)
