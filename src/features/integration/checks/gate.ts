/** The gate before publishing: findings of a record that visitors see from now on warn, or refuse the write. */
import type { Post } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { type Warning, warn } from '../../../core/declare/result.ts'
import {
  type CheckFinding,
  type GateContext,
  isShownToVisitors,
  mending,
  type PublishingOptions,
  publishingOf,
} from './model.ts'

export const placeText = ({ place: { record, member, element, xpath } }: CheckFinding): string =>
  [record, element === undefined ? (member ?? xpath) : `elements[${element}]`].filter(Boolean).join(' ')

/** Whether findings with this code are not asked for. */
const isOff =
  ({ checks }: PublishingOptions) =>
  (code: string): boolean =>
    typeof checks === 'object' && checks[code] === 'off'

function refuses({ checks }: PublishingOptions, { code, severity }: CheckFinding): boolean {
  if (typeof checks === 'object') return checks[code] === 'refuse'
  return checks === 'refuse' && severity === 'error'
}

/** Throws 422 with the findings that refuse the write; else the others are in its warnings, and returned. */
export async function judgePublishing(context: GateContext, posts: readonly Post[]): Promise<readonly CheckFinding[]> {
  const options = publishingOf(context.app)
  const shown = posts.filter(isShownToVisitors)
  if (options.checks === undefined || shown.length === 0) return []
  const { checkPosts } = await import('./late.ts')
  const { findings } = await checkPosts(context, shown, { isLeftOut: isOff(options) })
  const isMending = context.incoming !== undefined && mending.has(context.incoming)
  const refusing = context.app.isInRelease || isMending ? [] : findings.filter((finding) => refuses(options, finding))
  if (refusing.length > 0) throw refusal(refusing)
  for (const finding of findings) {
    warn(context, { code: finding.code, message: finding.message, param: placeText(finding) })
  }
  return findings
}

function refusal(findings: readonly CheckFinding[]): ApiError {
  const [first] = findings
  const rest = findings.length > 1 ? ` and ${findings.length - 1} more` : ''
  const message = `This is not published: ${first?.message ?? ''}${rest === '' ? '' : ` There are${rest}.`}`
  return new ApiError('publishing_refused', message, 422, { findings })
}

type Judged = HookContext & { readonly warnings?: Warning[] }

/** A write may emit several events of one post. */
const judged = new WeakMap<object, Set<number>>()

async function judgeOnce(context: Judged, post: Post | undefined): Promise<void> {
  if (!post || !isShownToVisitors(post)) return
  const ids = judged.get(context) ?? new Set()
  judged.set(context, ids)
  if (ids.has(post.id)) return
  ids.add(post.id)
  await judgePublishing(context, [post])
}

const judgeStored = async ({ id }: { readonly id: number }, context: Judged): Promise<void> =>
  judgeOnce(context, (await context.storage.posts.read([id]))[0])

/** An api has them where its host asks for checks. A scheduled post is judged when its time is set. */
export const gateHooks: Hook<HookContext> = {
  'post.created': ({ post }, context) => judgeOnce(context, post),
  'post.updated': ({ post }, context) => judgeOnce(context, post),
  'template.created': judgeStored,
  'template.updated': judgeStored,
  'component.created': judgeStored,
  'component.published': judgeStored,
}
