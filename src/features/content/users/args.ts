/** The arguments of the routes of users, in the order in which the index shows them. */

import { toInteger } from '../../../contract/scalars.ts'
import {
  type Arg,
  type ArgValues,
  bool,
  context,
  identifiers,
  int,
  list,
  loose,
  object,
  oneOf,
  paging,
  required,
  search,
  secret,
  str,
} from '../../../core/declare/args.ts'
import { loginProblem, passwordProblem, toLogin } from '../../../site/user-names.ts'
import { withOwnFields } from '../../shared/own-fields.ts'
import { createFields } from '../../shared/post-meta.ts'

export const readArgs = { context: context() }

export const idArg = { id: int({ description: 'The id of the user.' }) }

// ---------------------------------------------------------------- the list

const listedTypes = ['post', 'page', 'attachment', 'nav_menu_item', 'cms_block'] as const

/** True or false, or the types of the posts. */
const publishedTypes: Arg<boolean | readonly (typeof listedTypes)[number][], false> = {
  node: {
    description: 'Only users with published posts: of any public type, or of these types.',
    type: ['boolean', 'array'],
    items: { type: 'string', enum: listedTypes },
  },
}

export const listArgs = {
  context: context(),
  ...paging(),
  search: search(),
  exclude: list(int(), { default: [], description: 'Leaves these users out.' }),
  include: list(int(), { default: [], description: 'Lists these users only.' }),
  offset: int({ description: 'Leaves out so many users at the start.' }),
  order: oneOf(['asc', 'desc'], { default: 'asc', description: 'Ascending or descending.' }),
  orderby: oneOf(['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'], {
    default: 'name',
    description: 'What the list is ordered by.',
  }),
  slug: list(str(), { description: 'Users with these public names.' }),
  roles: list(str(), { description: 'Users with one of these roles.' }),
  capabilities: identifiers(list(str(), { description: 'Users with one of these capabilities.' })),
  who: oneOf(['authors'], { description: 'Users who may write posts.' }),
  has_published_posts: publishedTypes,
  search_columns: list(oneOf(['email', 'name', 'id', 'username', 'slug']), {
    default: [],
    description: 'Where the search looks.',
  }),
}

export type ListArgs = ArgValues<typeof listArgs>

// ---------------------------------------------------------------- writing

/** Members that only the edit context shows, and that are kept as JSON. */
export const userMeta = {
  persisted_preferences: object(
    { _modified: str({ format: 'date-time', description: 'When they were changed.' }) },
    { default: [], context: ['edit'], additionalProperties: true, description: 'What the user set in editors.' },
  ),
}

export const plainFields = createFields(userMeta, 'Meta of a user', { kind: 'user' })

/** Adds the fields of the host to those of editors. */
export const userFieldsIn = withOwnFields(
  'user',
  plainFields,
  // The cast: the members of the host are more.
  (own) => createFields({ ...userMeta, ...own }, 'Meta of a user', { kind: 'user' }) as unknown as typeof plainFields,
)

const texts = {
  name: str({ description: 'The name that is shown.', maxLength: 250 }),
  first_name: str({ description: 'The first name.', maxLength: 250 }),
  last_name: str({ description: 'The last name.', maxLength: 250 }),
}
const email = str({ format: 'email', description: 'The e-mail address.' })
const others = {
  url: str({ format: 'uri', description: 'The address of the pages of the user.', maxLength: 2000 }),
  description: str({ description: 'Some words about the user.', maxLength: 100_000 }),
  locale: oneOf(['', 'en_US'], { description: 'The language of the user; empty: that of the site.' }),
  nickname: str({ description: 'The name that the user is called by.', maxLength: 250 }),
  slug: str({ description: 'The public name, for addresses.' }),
  roles: list(str(), { description: 'The roles of the user.' }),
}
const username = str({ description: 'The login. It can not be changed.', check: isLogin })
const password = secret(str({ description: 'The password. It is never shown.', check: isPassword }))

function isLogin(login: string) {
  const problem = loginProblem(toLogin(login))
  return problem && { code: 'rest_user_invalid_username', message: `The user name is refused: ${problem.message}.` }
}

/** Interface: without backslashes. */
function isPassword(text: string) {
  const message = text === '' ? 'the password is empty' : passwordProblem(text)?.message
  if (message === undefined && !text.includes('\\')) return undefined
  return {
    code: 'rest_user_invalid_password',
    message: `The password is refused: ${message ?? 'it holds a backslash'}.`,
  }
}

export const createArgs = {
  username: required(username),
  ...texts,
  email: required(email),
  ...others,
  password: required(password),
  meta: plainFields.arg,
}

export const updateArgs = { username, ...texts, email, ...others, password, meta: plainFields.arg }

export type UpdateArgs = ArgValues<typeof updateArgs>

/** The arguments of writes, with the fields of a profile. */
export const writeArgsWith = ({ arg: meta }: typeof plainFields) => ({
  createArgs: { ...createArgs, meta },
  updateArgs: { ...updateArgs, meta },
})

/** Interface: an id, or `false` or nothing for posts that go to the trash. */
const reassign = loose(
  int({ description: 'The user who gets the posts; false or empty: they go to the trash.' }),
  (sent: unknown) =>
    heirOf(sent) === undefined
      ? { code: 'rest_invalid_param', message: 'reassign takes the id of a user, or false.' }
      : undefined,
)

export const deleteArgs = {
  force: bool({ default: false, description: 'Has to be true: users have no trash.' }),
  reassign: required(reassign),
}

/** The id of the user who gets the posts, 0 for none; undefined for a value that is neither. */
export function heirOf(sent: unknown): number | undefined {
  if (sent === '' || sent === false || sent === 'false') return 0
  const id = toInteger(sent)
  return typeof id === 'number' ? Math.abs(id) : undefined
}
