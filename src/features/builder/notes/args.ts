/** Arguments of the note routes, with the checks of their values. */

import { toInteger } from '../../../contract/scalars.ts'
import {
  anything,
  bool,
  int,
  list,
  num,
  object,
  oneOf,
  required,
  search,
  str,
  unlisted,
} from '../../../core/declare/args.ts'
import { cleanContent, cleanRouteUrl } from './cleaning.ts'

const statuses = ['publish', 'draft'] as const

const routeUrl = () =>
  str({
    description: 'The page on which the note is shown.',
    check: (input: string) => (cleanRouteUrl(input) === undefined ? 'This is no address of a page.' : undefined),
  })

const content = () =>
  str({
    description: 'The text of the note.',
    check: (input: string) => (cleanContent(input) === '' ? 'The content is empty.' : undefined),
  })

const mentions = { description: 'The slugs of the users to mention.' }

const orders = {
  order_by: oneOf(['last_activity_at', 'created_at'], { default: 'last_activity_at', description: 'Order by a date.' }),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'Direction of the order.' }),
}

export const filters = {
  route_url: routeUrl(),
  status: oneOf(statuses, { default: 'publish', description: 'Lists only notes with this status.' }),
  is_resolved: bool({ description: 'True lists only resolved notes, false only open ones.' }),
  parent_id: int({ description: 'Lists only the replies to this note; 0: only threads.' }),
  post_id: int({ description: 'Lists only the notes of this post.' }),
  only_unread: bool({ description: 'Lists only what the caller has not read.' }),
  only_relevant: bool({ description: 'Lists only what concerns the caller.' }),
  ...orders,
}

export interface NoteFilters {
  readonly route_url: string | undefined
  readonly status: string
  readonly is_resolved: boolean | undefined
  readonly parent_id: number | undefined
  readonly post_id: number | undefined
  readonly only_unread: boolean | undefined
  readonly only_relevant: boolean | undefined
  readonly order_by: string
  readonly order: string
}

export const createArgs = {
  post_id: required(int({ description: 'The builder document that the note lies on.' })),
  element_id: required(
    str({
      description: 'The element that the note lies on.',
      check: (input: string) => (/^[a-z0-9]{7,9}$/.test(input.trim()) ? undefined : 'This is no id of an element.'),
    }),
  ),
  content: required(content()),
  position: required(
    object({ x: required(num()), y: required(num()) }, { description: 'The place inside the element, in percent.' }),
  ),
  mentioned_usernames: list(str(), { default: [] as string[], ...mentions }),
  route_post_id: anything({
    description: 'The builder document of the page on which the note is shown.',
    check: (input: unknown) => (toRoutePost(input) === undefined ? 'This is no id of a post.' : undefined),
  }),
  route_url: routeUrl(),
  route_title: str({ description: 'The title of the page on which the note is shown.' }),
  parent_id: int({ default: 0, description: 'The note that is replied to; 0 for a new thread.' }),
  is_public: bool({ description: 'Whether others may see the note.' }),
  status: unlisted(oneOf(statuses, { default: 'publish', description: 'The status of the note.' })),
}

/** Interface: an empty `route_post_id` means no post (null). Undefined when the value is no id or was not sent. */
export function toRoutePost(input: unknown): number | null | undefined {
  if (input === '' || input === 0 || input === '0') return null
  const id = toInteger(input)
  return typeof id === 'number' && id > 0 ? id : undefined
}

export const id = required(int({ description: 'The note.' }))

export const updateArgs = {
  id,
  content: content(),
  mentioned_usernames: list(str(), mentions),
  status: oneOf(statuses, { description: 'The status of the note.' }),
  is_public: bool({ description: 'Whether others may see the note.' }),
  is_resolved: bool({ description: 'Whether the matter is settled.' }),
}

export const deleteArgs = {
  id,
  force: bool({ default: false, description: 'Remove the note for good instead of moving it to the trash.' }),
}

export const readStatusArgs = { ids: required(list(int(), { description: 'The notes.' })) }

export const usersArgs = {
  limit: int({ description: 'How many users at most.' }),
  order_by: oneOf(['user_nicename', 'display_name', 'user_registered'], {
    default: 'display_name',
    description: 'Order by a field of the users.',
  }),
  order: oneOf(['asc', 'desc'], { default: 'asc', description: 'Direction of the order.' }),
  search: search('Finds only users whose slug, e-mail or name holds this text.'),
  post_id: unlisted(int({ description: 'Also says who may edit this post.' })),
}
