/** The fields that the host declares for comments: stored with the comment, beside what a note does. */
import { type Args, type ArgValues, loose, object } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { problemOf } from '../../../core/request/check.ts'
import type { Comment } from '../../../site/comments/comment.ts'
import { onceForEach, ownFieldsOf } from '../../shared/own-fields.ts'
import { createFields, type MetaFields, type MetaValues } from '../../shared/post-meta.ts'
import { createArgs, noteMeta, noteStatusKey, updateArgs } from './args.ts'

export const commentFieldsIn = onceForEach(
  (read): MetaFields => createFields(ownFieldsOf(read, 'comment'), 'Meta of a comment', { kind: 'comment' }),
)

/** The arguments of writes, with the fields of a profile: defaults of fields are no values to write. */
export function writeArgsWith(own: Args) {
  if (Object.keys(own).length === 0) return { createArgs, updateArgs }
  // `metaAfter` checks the fields of the host, as other records do.
  const all = loose(
    object({ ...noteMeta, ...own }, { description: 'Fields of comments and notes.' }),
    (meta: unknown) => problemOf(createArgs.meta.node, meta, 'meta'),
  )
  // The cast: members of the host are more.
  const meta = all as unknown as typeof createArgs.meta
  return { createArgs: { ...createArgs, meta }, updateArgs: { ...updateArgs, meta } }
}

/** The values that a comment has after a write; undefined: none. Throws for one that is not of its type. */
export function metaAfter(
  context: Pick<Context, 'user' | 'app' | 'warnings'>,
  { meta }: { readonly meta?: ArgValues<typeof createArgs>['meta'] | undefined },
  before: MetaValues = {},
): Pick<Comment, 'meta'> {
  const { [noteStatusKey]: _, ...sent } = (meta ?? {}) as { readonly [key: string]: unknown }
  const changes = Object.entries({ ...before, ...commentFieldsIn(context.app.contributions).changes(sent, context) })
  const stored = changes.filter(([, value]) => value !== null)
  return stored.length === 0 ? {} : { meta: Object.fromEntries(stored) }
}
