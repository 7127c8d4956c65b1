/** The page that people begin with where the page builder has none yet. */

import type { Context } from '../../../core/declare/context.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import type { Json, Storage } from '../../../storage/contract.ts'
import { findPackage, plugin } from '../../add-ons/packages/model.ts'
import { createDocument } from '../../builder/site-navigation/model.ts'
import { contentType } from '../../content/content-types/model.ts'
import { documentStatuses, editModeKey } from '../../shared/elements/model.ts'

/** Whose turn it was: of several who ask at the same moment, one makes the page. */
const counterOption = 'theme_first_page'

/** Choice: looked for among so many that were changed last. */
const maxPages = 1000

/**
 * Interface: a read makes a draft, so that there is something to edit. Only when the page builder is active, and never a
 * second one while the first is there.
 */
export function ensureFirstPage(context: Context): MaybePromise<void> {
  if (context.incoming.method === 'HEAD') return undefined
  return andThen(findPackage(context, plugin('builder')), (builder) => {
    if (builder?.status !== 'active') return undefined
    return andThen(hasBuilderPage(context.storage), (isThere) => (isThere ? undefined : createFirstPage(context)))
  })
}

function hasBuilderPage(storage: Storage): MaybePromise<boolean> {
  const pages = storage.posts.query({
    types: ['page'],
    statuses: documentStatuses,
    order: { by: 'modified', descending: true },
    offset: 0,
    limit: maxPages,
  })
  return andThen(pages, ({ heads }) => {
    const ids = heads.map(({ id }) => id)
    return andThen(storage.meta.read('post', ids, [editModeKey]), (entries) =>
      entries.some(({ value }) => value === 'builder'),
    )
  })
}

/** A turn is a number that only grows, so that a page which was removed is made again. */
async function createFirstPage(context: Context): Promise<void> {
  const type = contentType('page')
  if (type?.documentType === undefined) return
  const { documentType } = type
  let events: Parameters<Context['emit']>[] = []
  await retryTransaction(context.storage, async (inside) => {
    events = []
    const turn = (await inside.options.read([counterOption]))[counterOption]
    if (await hasBuilderPage(inside)) return
    if (!(await inside.options.swap(counterOption, turn ?? null, nextCount(turn)))) return
    const emit: Context['emit'] = (...event) => void events.push(event as never)
    await createDocument({ ...context, storage: inside, emit }, { ...type, documentType })
  })
  for (const event of events) context.emit(...event)
}

const nextCount = (turn: Json | undefined): number => (typeof turn === 'number' ? turn + 1 : 1)
