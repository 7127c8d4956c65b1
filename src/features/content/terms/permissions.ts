/** Who may list, read, create, change and remove terms. */

import type { Term } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { actorFor } from '../content-types/model.ts'
import { mayReadRecord, trashStatuses } from '../posts/model.ts'
import { createCapability, mayCreateTerms, type TermType } from './model.ts'

/** Returns the error for a user who may not read the terms of this taxonomy in this context. */
function refusalOf({ granted, readCapability }: TermType, user: Actor, context: string): ApiError | undefined {
  if (readCapability !== undefined && !user.can(readCapability)) {
    return forbidden(user, 'rest_cannot_view', 'You may not see the terms of this taxonomy.')
  }
  return context === 'edit' && !user.can(granted.edit_terms)
    ? forbidden(user, 'rest_forbidden_context', notEditor)
    : undefined
}

const readers = ({ granted, readCapability }: TermType) =>
  `${readCapability ?? 'anyone'}; in the edit context ${granted.edit_terms}`

const notEditor = 'You may not edit the terms of this taxonomy.'

export const mayListTerms = (type: TermType) =>
  permission<{ readonly context: string; readonly post?: number | undefined }, unknown>(
    `${readers(type)}; the terms of a record: who may read it`,
    (context) => {
      const { args, user } = context
      const refusal = refusalOf(type, user, args.context)
      return refusal ?? (args.post === undefined ? undefined : mayReadTermsOf(context, args.post))
    },
  )

async function mayReadTermsOf({ storage, app, user }: Context<unknown>, id: number): Promise<ApiError | undefined> {
  const [post] = await storage.posts.read([id])
  const type = post && publicTypesOf(app).find(({ name }) => name === post.type)
  if (!post || !type) return new ApiError('rest_post_invalid_id', 'There is no such record.', 400)
  const trashedFrom = (await trashStatuses(storage, [post])).get(id)
  const found = trashedFrom === undefined ? post : { ...post, trashedFrom }
  const { isViewable = true } = type.published
  return mayReadRecord({ isViewable, actor: actorFor(type) }, user, found)
    ? undefined
    : forbidden(user, 'rest_forbidden_context', 'You may not see the terms of this record.')
}

export const mayReadTerm = (type: TermType) =>
  permission<{ readonly context: string }, Term>(readers(type), ({ args, user }) => refusalOf(type, user, args.context))

export const mayCreateTerm = (type: TermType) =>
  permission<unknown, unknown>(createCapability(type), ({ user }) =>
    mayCreateTerms(user, type)
      ? undefined
      : forbidden(user, 'rest_cannot_create', 'You may not create terms in this taxonomy.'),
  )

export const mayUpdateTerm = ({ granted }: TermType) =>
  permission<unknown, Term>(granted.edit_terms, ({ user }) =>
    user.can(granted.edit_terms) ? undefined : forbidden(user, 'rest_cannot_update', 'You may not change this term.'),
  )

/** The default term stays. */
export const mayDeleteTerm = ({ granted, defaultTerm }: TermType) =>
  permission<unknown, Term>(granted.delete_terms, ({ user, resource, settings }) =>
    user.can(granted.delete_terms) && resource.id !== defaultTerm?.(settings)
      ? undefined
      : forbidden(user, 'rest_cannot_delete', 'You may not remove this term.'),
  )
