/** Finds the submissions of a person by the e-mail address: to hand them out, and to erase them. */

import type { Storage, Where } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { formDeliveries, type Submission, submissionsCollection, toSubmission } from './model.ts'
import { removeSubmissions } from './write.ts'

const windowSize = 500

/** Finds the submissions with a value that equals the address without regard to case. */
export async function findByEmail(storage: Storage, email: string): Promise<Submission[]> {
  const wanted = email.trim().toLowerCase()
  if (wanted === '') return []
  const found: Submission[] = []
  let last = 0
  for (;;) {
    const where: Where = {
      every: [
        { field: 'id', above: last },
        { field: 'search_text', holds: wanted },
      ],
    }
    const query = { where, order: [{ by: 'id' }], limit: windowSize }
    const rows = (await storage.records.query(submissionsCollection, query)).rows.map(toSubmission)
    found.push(...rows.filter(({ values }) => values.some(({ value }) => value.trim().toLowerCase() === wanted)))
    if (rows.length < windowSize) return found
    last = rows.at(-1)?.id ?? 0
  }
}

export async function eraseByEmail(context: HookContext, email: string): Promise<number> {
  const found = await findByEmail(context.storage, email)
  await eraseUnkept(context.storage, email.trim().toLowerCase())
  return removeSubmissions(
    context,
    found.map(({ id }) => id),
  )
}

/** The pending mails and calls of forms that keep no submissions. */
async function eraseUnkept({ records }: Storage, email: string): Promise<void> {
  if (email === '') return
  const { rows } = await records.query(formDeliveries, { where: { field: 'submission', is: null } })
  const ids = rows.filter(({ message }) => JSON.stringify(message).toLowerCase().includes(email)).map(({ id }) => id)
  if (ids.length > 0) await records.remove(formDeliveries, { field: 'id', in: ids })
}
