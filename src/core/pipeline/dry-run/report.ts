/** The report of a dry run: what a write would have changed. Types, and the result that carries them. */

import type { MetaOwner } from '../../../contract/storage.ts'
import { type ResponseHeaders, Result, Stream } from '../../declare/result.ts'
import { toValue } from '../../runtime/json.ts'
import type { ChangedPages } from './pages.ts'

/** Names a stored row: its store, and its id or its names there. */
export interface ChangedRecord {
  readonly store: 'posts' | 'terms' | 'users' | 'records' | 'meta' | 'assignments' | 'options'
  /** The id of the row, of the owner of meta, or of the post that has the terms. */
  readonly id?: number
  /** The type of a post. */
  readonly type?: string
  readonly taxonomy?: string
  readonly collection?: string
  /** The owner of meta. */
  readonly owner?: MetaOwner
  /** The key of meta, or the name of an option. */
  readonly key?: string
}

interface Members {
  readonly [member: string]: unknown
}

/** One row that a write would have changed. */
export interface ReportedChange {
  readonly record: ChangedRecord
  /** The names of the members that change. */
  readonly members: readonly string[]
  /** These members as they are; null for a new row. */
  readonly before: Members | null
  /** These members as they would be; null for a row that is removed. */
  readonly after: Members | null
}

/** One event that would have been emitted. */
interface ReportedEvent {
  readonly name: string
  /** As a listener gets it, without secrets. Only administrators have it. */
  readonly payload?: unknown
}

/** One call that would have reached outside of the site: a mail, a file, a request to another server. */
export interface OutsideCall {
  readonly service: string
  readonly call: string
  readonly detail?: unknown
}

/** A request of a batch. */
interface ReportedRequest {
  readonly method: string
  readonly path: string
  readonly changes: readonly ReportedChange[]
}

/** Tells what a write would have changed, in the order in which it writes. */
export interface DryRunReport {
  readonly changes: readonly ReportedChange[]
  readonly events: readonly ReportedEvent[]
  readonly outside: readonly OutsideCall[]
  /** False: the write depends on the answer of an outside service, or changes more rows than a report has. */
  readonly complete: boolean
  /** For callers with `edit_others_posts`, where the site has pages (`createSitePages`). */
  readonly pages?: ChangedPages
  /** Reports the requests of a batch, in their order. */
  readonly requests?: readonly ReportedRequest[]
}

/** The body of a dry run over HTTP has the answer of the write beside the report. */
export interface DryRunBody extends DryRunReport {
  readonly dry_run: true
  readonly status: number | null
  readonly headers: ResponseHeaders
  readonly body: unknown
}

/** The answer of a write that was not carried out. Over HTTP the body has both; a call inside the process gets them apart. */
export class DryRunResult extends Result {
  /** Undefined: it depends on the answer of an outside service. */
  readonly answer: Result | undefined
  readonly report: DryRunReport
  constructor(answer: Result | undefined, report: DryRunReport, body: unknown) {
    const { status = null, headers = {} } = answer ?? {}
    super({ dry_run: true, status, headers, body, ...report } satisfies DryRunBody, 200, appliedHeader)
    this.answer = answer
    this.report = report
  }
}

export const appliedHeader: ResponseHeaders = { 'Preference-Applied': 'dry-run' }

/** The body of an answer as a member of JSON: texts as they are; null for files and where there is none. */
export async function bodyOf(answer: Result | undefined): Promise<unknown> {
  const data = answer?.data
  if (!(data instanceof Stream)) return toValue(data) ?? null
  const isText = /^text\/|json|xml|csv|javascript/.test(data.contentType)
  if (isText) return new Response(data.body as BodyInit | null).text()
  if (data.body instanceof ReadableStream) await data.body.cancel()
  return null
}
