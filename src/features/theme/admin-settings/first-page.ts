/** Creates a draft page for the page builder on sites that have none. */

import type { Json, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { inOwnTransaction } from '../../../core/pipeline/hooks.ts'
import { findPackage, plugin } from '../../add-ons/packages/model.ts'
import { createDocument } from '../../builder/site-navigation/model.ts'
import { findContentType } from '../../content/content-types/model.ts'
import { documentStatuses, editModeKey } from '../../shared/elements.ts'

/** A counter that is swapped before a page is created: of several parallel requests, one creates the page. */
export const counterOption = 'theme_first_page'

/** Choice: the search for a page of the page builder covers the 1000 pages modified last. */
const maxPages = 1000

/**
 * Interface: a read creates a draft, so that there is a page to edit: only while the page builder is active, and only
 * when the site has no page of the page builder.
 */
export async function ensureFirstPage(context: Context): Promise<void> {
  if (context.incoming.method === 'HEAD') return
  const builder = await findPackage(context, plugin('builder'))
  if (builder?.status !== 'active' || (await hasBuilderPage(context.storage))) return
  await createFirstPage(context)
}

async function hasBuilderPage(storage: Storage): Promise<boolean> {
  const { idsPage } = await storage.posts.query({
    types: ['page'],
    statuses: documentStatuses,
    order: { by: 'modified', descending: true },
    offset: 0,
    limit: maxPages,
  })
  const ids = idsPage.map(({ id }) => id)
  const entries = await storage.meta.read('post', ids, [editModeKey])
  return entries.some(({ value }) => value === 'builder')
}

/** The counter only increases, so a removed page is created again. */
async function createFirstPage(context: Context): Promise<void> {
  const type = findContentType('page')
  if (type?.documentType === undefined) return
  const { documentType } = type
  await inOwnTransaction(context, async (inside) => {
    const { storage } = inside
    const counter = (await storage.options.read([counterOption]))[counterOption]
    if (await hasBuilderPage(storage)) return
    if (!(await storage.options.swap(counterOption, counter ?? null, nextCount(counter)))) return
    await createDocument(inside, { ...type, documentType })
  })
}

const nextCount = (counter: Json | undefined): number => (typeof counter === 'number' ? counter + 1 : 1)
