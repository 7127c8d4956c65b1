/** The arguments of the comments routes, in the order in which the interface declares them. */
import {
  bool,
  context,
  dateTime,
  int,
  list,
  loose,
  object,
  oneOf,
  orText,
  paging,
  publishedDefault,
  search,
  secret,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import { problemOf } from '../../../core/request/check.ts'

const ids = (description: string) => list(int(), { default: [], description })

export const listArgs = {
  context: context(),
  ...paging(),
  search: search(),
  after: dateTime({ description: 'Lists only comments with a later date.' }),
  author: list(int(), { description: 'Lists only comments of these users.' }),
  author_exclude: list(int(), { description: 'Leaves out the comments of these users.' }),
  // The cast: the index shows null, which the handler never receives.
  author_email: publishedDefault(
    str({ format: 'email', default: null as never, description: 'Lists only comments from this address.' }),
  ),
  before: dateTime({ description: 'Lists only comments with an earlier date.' }),
  exclude: ids('Leaves out the comments with these IDs.'),
  include: ids('Lists only the comments with these IDs.'),
  offset: int({ description: 'How many comments to skip, in place of a page.' }),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'The direction of the order.' }),
  orderby: oneOf(['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'], {
    default: 'date_gmt',
    description: 'What the list is ordered by.',
  }),
  parent: ids('Lists only the replies to these comments; 0: only what begins a thread.'),
  parent_exclude: ids('Leaves out the replies to these comments.'),
  post: ids('Lists only the comments on these posts.'),
  status: str({
    default: 'approve',
    description: 'Lists only comments with this status: approve, hold, spam, trash, or all for the first two.',
  }),
  type: str({ default: 'comment', description: 'Lists only comments of this type; all: all but notes.' }),
  password: secret(str({ description: 'The password of a locked post.' })),
}

const textForm = object(
  {
    raw: str({ description: 'The comment as it is stored.', context: ['edit'] }),
    rendered: str({ description: 'The comment as HTML.', context: ['view', 'edit', 'embed'], readonly: true }),
  },
  { description: 'The comment.' },
)

/** Interface: declared as an object, but a plain text is accepted too; any other value counts as no content. */
const text = orText(
  loose(textForm, (input: unknown) =>
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? problemOf(textForm.node, input, 'content')
      : undefined,
  ),
)

export const noteStatusKey = '_cms_note_status'

const sharedArgs = {
  author: int({ description: 'The ID of the user who wrote it; 0: a visitor.' }),
  author_email: str({ format: 'email', description: 'The address of the author.' }),
  author_ip: str({ format: 'ip', description: 'The network address of the author.' }),
  author_name: str({ description: 'The name of the author.' }),
  author_url: str({ format: 'uri', description: 'The site of the author.' }),
  author_user_agent: str({ description: 'The client of the author.' }),
  content: text,
  date: dateTime({ description: 'When it was written, in the time of the site.' }),
  date_gmt: dateTime({ description: 'When it was written, in UTC.' }),
}

export const noteMeta = {
  [noteStatusKey]: oneOf(['resolved', 'reopen'], {
    default: '' as never,
    description: 'What a reply to a note does with it.',
  }),
}

const metaArg = {
  status: str({ description: 'approved, hold, spam or trash; unspam and untrash restore the status before.' }),
  meta: object(noteMeta, { description: 'Fields of notes.' }),
}

export const createArgs = {
  ...sharedArgs,
  parent: int({ default: 0, description: 'The comment that this one replies to.' }),
  post: int({ default: 0, description: 'The post.' }),
  ...metaArg,
  type: unlisted(str({ description: 'comment, or note for a remark on a block.' })),
  password: secret(unlisted(str({ description: 'The password of a locked post.' }))),
}

const idArg = { id: int({ description: 'The ID of the comment.' }) }
const passwordArg = { password: secret(str({ description: 'The password of a locked post.' })) }

export const readArgs = { ...idArg, context: context(), ...passwordArg }

export const updateArgs = {
  ...idArg,
  ...sharedArgs,
  parent: int({ description: 'The comment that this one replies to.' }),
  post: int({ description: 'The post.' }),
  ...metaArg,
  type: unlisted(str({ description: 'The type that the comment has: another one is refused.' })),
}

export const deleteArgs = {
  ...idArg,
  force: bool({ default: false, description: 'Whether to remove it for good instead of moving it to the trash.' }),
  ...passwordArg,
}
