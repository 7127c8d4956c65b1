/** Finds the submissions of a person by the e-mail address: to hand them out, and to erase them. */

import type { Json, Storage, StoredRecord, Where } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { noteRemoval } from '../../shared/pending-files.ts'
import { formDeliveries, type Submission, submissionsCollection, toSubmission } from './model.ts'
import { filesOf, removeSubmissions } from './write.ts'

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
        // Null: a seed has written the row, and the scheduled task has not run yet.
        {
          some: [
            { field: 'search_text', holds: wanted },
            { field: 'search_text', is: null },
          ],
        },
      ],
    }
    const query = { where, order: [{ by: 'id' }], limit: windowSize }
    const rows = (await storage.records.query(submissionsCollection, query)).rows.map(toSubmission)
    found.push(...rows.filter(({ values }) => values.some(({ value }) => value.trim().toLowerCase() === wanted)))
    if (rows.length < windowSize) return found
    last = rows.at(-1)?.id ?? 0
  }
}

interface Erased {
  /** How many submissions there were. */
  readonly count: number
  /** The files of forms that keep no submissions: to be removed after the commit. */
  readonly files: readonly string[]
}

export async function eraseByEmail(context: HookContext, email: string): Promise<Erased> {
  const found = await findByEmail(context.storage, email)
  const files = await eraseUnkept(context, email.trim().toLowerCase())
  const count = await removeSubmissions(
    context,
    found.map(({ id }) => id),
  )
  return { count, files }
}

/** Removes the deliveries of forms that keep no submissions, and notes the removal of their files. */
async function eraseUnkept(context: HookContext, email: string): Promise<readonly string[]> {
  if (email === '') return []
  const { records } = context.storage
  const { rows } = await records.query(formDeliveries, { where: { field: 'submission', is: null } })
  const subjects = new Set(rows.filter(({ message }) => isAbout(message ?? null, email)).map(({ subject }) => subject))
  // Other actions of the same form send data of the same person.
  const erased = rows.filter(({ subject }) => subjects.has(subject))
  const files = [...new Set(erased.flatMap((row) => [...filesOf(row), ...filesOf({ ...row, files: linkedIn(row) })]))]
  await noteRemoval(context, files)
  if (erased.length > 0) await records.remove(formDeliveries, { field: 'id', in: erased.map(({ id }) => id) })
  return files
}

/** The paths of the files whose addresses a mail has, until it is sent. */
const linkedIn = ({ message }: StoredRecord): Json => (message as { readonly linked?: Json } | null)?.linked ?? []

/** In the body of a webhook the address is encoded. */
function isAbout(message: Json, email: string): boolean {
  const text = JSON.stringify(message).toLowerCase()
  return text.includes(email) || text.includes(new URLSearchParams([['', email]]).toString().slice(1).toLowerCase())
}
