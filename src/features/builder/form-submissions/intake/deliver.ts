/** Sends what the actions of forms have composed, with retries, and enters the results in the log of the submission. */

import type { Json, StoredRecord } from '../../../../contract/storage.ts'
import type { Context } from '../../../../core/declare/context.ts'
import type { BackgroundContext } from '../../../../core/declare/scheduled-task.ts'
import { randomId } from '../../../../core/runtime/crypto.ts'
import { httpSenderOf } from '../../../../services/http-client/index.ts'
import { type MailAttachment, type MailMessage, mailServiceOf } from '../../../../services/mail.ts'
import { mediaOf } from '../../../../services/media.ts'
import { type Attempted, atTarget, deliverDue, newDelivery } from '../../../shared/deliveries.ts'
import { keepNewest } from '../../../shared/keep-for.ts'
import { removeLater, removeNoted } from '../../../shared/pending-files.ts'
import { type ActionEntry, formDeliveries, textAt } from '../model.ts'
import { enterLog, filesOf } from '../write.ts'
import { type AttachedFile, type FormAction, type FormMessage, fileName, linkedFiles } from './messages.ts'

interface Entered {
  /** Undefined: the form keeps no submissions. */
  readonly submission?: number
  /** Of a form that keeps no submissions. */
  readonly unkept?: UnkeptForm
}

interface UnkeptForm {
  /** The paths of its files. Those whose addresses a mail has stay as long as its deliveries. */
  readonly files: readonly string[]
  /** The columns by which a form that was sent twice is known. */
  readonly request: { readonly request_key: string; readonly request_digest: string }
}

const kept = { count: 100_000, days: 30 }
/** How long the files of a form that keeps no submissions stay at the most: as long as its deliveries. */
export const longestMs = kept.days * 24 * 60 * 60 * 1000
const sweepEvery = 512

/** Enters what has to be sent: in the transaction of the submission. */
export async function enterActions(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  actions: readonly FormAction[],
  { submission, unkept }: Entered,
): Promise<void> {
  if (actions.length === 0) return
  const linked = new Set(actions.flatMap(({ message }) => linkedFiles(message)))
  const files = unkept?.files.filter((path) => !linked.has(path)) ?? []
  const subject = submission === undefined ? `form:${randomId()}` : `submission:${submission}`
  const rows = actions.map(({ name, label, message }, index) =>
    newDelivery({ target: name, subject, sequence: index + 1 }, app.clock(), {
      submission: submission ?? null,
      // The cast: messages are texts and lists of texts.
      message: { ...message, label } as unknown as Json,
      ...(files.length > 0 ? { files } : {}),
      ...(unkept && index === 0 ? unkept.request : {}),
    }),
  )
  const ids = await storage.records.insert(formDeliveries, rows)
  if (ids.some((id) => id % sweepEvery === 0)) await keepNewest({ storage, app }, formDeliveries, kept)
}

type StoredMessage = FormMessage & { readonly label: string }

/** For the background work of the feature: returns when the next is due. */
export async function deliverForms(context: BackgroundContext): Promise<number> {
  const obsolete = new Set<string>()
  const sender = new FormSender(context.app)
  try {
    return await deliverDue(context, {
      collection: formDeliveries,
      name: 'form action',
      // The cast: `enterActions` wrote it.
      attempt: (row) => sender.send(row.message as unknown as StoredMessage, row),
      record: async (storage, row, attempted) => {
        const inside = { storage, app: context.app }
        await enterResult(inside, row, attempted)
        for (const path of await filesAfter(inside, row, attempted)) obsolete.add(path)
      },
    })
  } finally {
    // A failure leaves their notes.
    if (obsolete.size > 0) await removeNoted(context, [...obsolete], { isDue: true }).catch(() => undefined)
  }
}

const mailMs = 30_000

/** Sends messages. Of those with files, one at a time is in memory. */
class FormSender {
  readonly #app: BackgroundContext['app']
  #withFiles: Promise<unknown> = Promise.resolve()

  constructor(app: BackgroundContext['app']) {
    this.#app = app
  }

  async send(sent: StoredMessage, { id }: StoredRecord): Promise<Attempted> {
    const { label: _label, ...message } = sent
    if (message.kind === 'webhook') return call(this.#app, message)
    const mail = mailServiceOf(this.#app)
    if (!mail) return { result: 'dead', error: 'services.mail is missing' }
    const { kind: _kind, attached, linked: _linked, note: _note, ...parts } = message
    const post = async (more: Pick<MailMessage, 'attachments'> = {}) =>
      atTarget(() => withinTime(mail.send({ ...parts, ...more, id: `form-${id}` })))
    if (attached) await this.#inTurn(async () => post({ attachments: await this.#read(attached) }))
    else await post()
    return { result: 'delivered' }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#withFiles.then(work)
    this.#withFiles = turn.catch(() => undefined)
    return turn
  }

  /** Leaves out a file that is gone: the text of the mail names it. */
  async #read(files: readonly AttachedFile[]): Promise<readonly MailAttachment[]> {
    const found: MailAttachment[] = []
    for (const file of files) {
      const content = await mediaOf(this.#app).read(file.path)
      if (content) found.push({ filename: fileName(file), contentType: file.type, content })
    }
    return found
  }
}

/** The lease of a delivery is longer. */
async function withinTime(sending: void | Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer after ${mailMs / 1000} seconds`)), mailMs)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}

async function call(app: BackgroundContext['app'], { url, body }: FormMessage & { readonly kind: 'webhook' }) {
  const sender = httpSenderOf(app)
  if (!sender) return { result: 'dead', error: 'services.outbound has no function send' } as const
  const request = { method: 'POST', contentType: 'application/x-www-form-urlencoded', body } as const
  const { status, retryAfter } = await atTarget(() => sender.send(url, request, { overflow: 'cut', maxBytes: 1024 }))
  if (status >= 200 && status < 300) return { result: 'delivered', status } as const
  const error = `the receiver answered ${status}`
  return { result: status === 410 ? 'dead' : 'again', status, error, retryAfter } as const
}

// ---------------------------------------------------------------- the log

type FilesContext = Pick<Context, 'storage' | 'app'>

async function enterResult(
  { storage, app }: FilesContext,
  row: StoredRecord,
  attempted: Attempted & { readonly attempts: number },
): Promise<void> {
  // The cast: see `StoredMessage`.
  const { note } = row.message as { readonly note?: string }
  if (typeof row.submission === 'number')
    await enterLog(storage, row.submission, [entryOf(row, attempted, textAt(app.clock()))])
  else if (note !== undefined && attempted.result === 'delivered')
    app.log.error('files of a form are too large for its mail', { id: `${formDeliveries.name} ${row.id}`, error: note })
  // The texts of visitors are not kept twice.
  if (attempted.result !== 'delivered') return
  await storage.records.update(formDeliveries, [{ id: row.id, changes: { message: null } }])
}

/** Receivers of webhooks may answer first and fetch the files then. */
const fetchMs = 60 * 60 * 1000

/** Returns the files that go now, because no action of their form is left that needs them. */
async function filesAfter(context: FilesContext, row: StoredRecord, { result }: Attempted): Promise<readonly string[]> {
  const paths = filesOf(row)
  if (paths.length === 0 || result === 'again') return []
  // First, so that of two actions that end at the same time the second one finds the first one ended.
  await removeLater(context, paths, longestMs)
  const { rows } = await context.storage.records.query(formDeliveries, {
    where: { field: 'subject', is: row.subject as string },
  })
  if (rows.some(({ state }) => state === 'pending')) return []
  const isCalled = rows.some(({ target, state }) => target === 'webhook' && state === 'delivered')
  await removeLater(context, paths, isCalled ? fetchMs : 0)
  return isCalled ? [] : paths
}

function entryOf(
  { target, message }: StoredRecord,
  { result, error = '', attempts }: Attempted & { readonly attempts: number },
  now: string,
): ActionEntry {
  // The cast: see `StoredMessage`.
  const { label, note } = message as { readonly label: string; readonly note?: string }
  const failure = `attempt ${attempts}: ${error}${result === 'again' ? '; it is tried again' : ''}`
  const success = [...(attempts > 1 ? [`attempt ${attempts}`] : []), ...(note === undefined ? [] : [note])].join('; ')
  const isDone = result === 'delivered'
  return {
    ...{ name: String(target), label, log: isDone ? success : failure },
    status: isDone ? 'success' : 'failed',
    createdAt: now,
    updatedAt: now,
  }
}
