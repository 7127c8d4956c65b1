/** Checks of records before they are published: what a check is, what it gets, and what it finds. Features contribute checks. */
import { nameAdvice } from '../../../contract/nearest-name.ts'
import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook } from '../../../core/declare/events.ts'
import type { Incoming } from '../../../core/declare/request.ts'
import type { Warning } from '../../../core/declare/result.ts'
import type { Settings } from '../../../site/settings.ts'
import type { PublicType } from '../../content/content-types/model.ts'
import type { BuilderElement } from '../../shared/elements.ts'
import type { MetaValues } from '../../shared/post-meta.ts'

declare module '../../../core/declare/contributions.ts' {
  interface Contributions {
    /** The checks of records; the table of this feature comes first. */
    checks: Check
    /** Judges writes that publish records, where the host asks for it. */
    gates: PublishingGate
  }
}

export const severities = ['error', 'warning', 'notice'] as const
export type Severity = (typeof severities)[number]

/** Where a finding is. */
export interface FindingPlace {
  /** `post:12`. */
  readonly record: string
  /** The member of the record: `title`, `excerpt`, `content`, `featured_media`. */
  readonly member?: string
  /** The id of an element of its document. */
  readonly element?: string
  /** The XPath in the page, where the check looks at the whole page. */
  readonly xpath?: string
}

/** A change that mends a finding. It is written by the route of its record. */
export interface Patch {
  /** The record that it changes: `post:12`, also of a medium. */
  readonly record: string
  /** Says in one sentence what it does. */
  readonly says: string
  /** Members as the route of the record takes them. */
  readonly members?: { readonly [member: string]: Json }
  /** Replaces these parts of the stored content, each wherever it is. */
  readonly content?: readonly TextChange[]
  /** Settings of elements by their ids; null removes one. */
  readonly settings?: { readonly [element: string]: { readonly [setting: string]: Json } }
  /** A remediation of the page, as `a11y/v1` takes it. */
  readonly remediation?: { readonly [member: string]: Json }
}

export interface TextChange {
  readonly from: string
  readonly to: string
}

/** One problem, as its check reports it. */
export interface Found {
  readonly severity: Severity
  /** Without a record it is in the one that is checked. */
  readonly place?: Partial<FindingPlace>
  /** One sentence for people. */
  readonly message: string
  /** The subject, such as an address: it tells apart two findings of a check at one place. */
  readonly about?: string
  readonly patch?: Omit<Patch, 'record'> & { readonly record?: string }
}

/** A record with what checks ask of it. The functions do their work once. */
export interface CheckedSubject {
  readonly record: string
  readonly post: Post
  readonly type: PublicType | undefined
  readonly meta: MetaValues
  /** The page builder has made these; the list is empty for any other record. */
  readonly elements: readonly BuilderElement[]
  readonly storage: Storage
  readonly app: AppContext
  readonly settings: Settings
  /** Bounds for pages and pictures. */
  readonly bounds: CheckBounds
  /** The pages of the site; undefined where `createSitePages` has made none. */
  readonly site: CheckedPages | undefined
  /** The content of the record alone, as readers get it. */
  html(): Promise<string>
  /** The whole page as visitors get it; undefined: it has none. */
  page(): Promise<CheckedPage | undefined>
}

interface CheckBounds {
  /** A page with its sheets, scripts and pictures may have so many bytes. */
  readonly pageBytes: number
}

/** One kind of finding. */
export interface Check {
  /** The code of its findings: `dead-link`. */
  readonly code: string
  /** `page`: it looks at the whole page, which the site has to have. `record`: at the record alone. */
  readonly looksAt: 'record' | 'page'
  readonly find: (subject: CheckedSubject) => Promise<readonly Found[]> | readonly Found[]
}

/** A finding of a record. */
export interface CheckFinding {
  /** The same finding has the same id when the record is checked again. */
  readonly id: string
  readonly code: string
  readonly severity: Severity
  readonly place: FindingPlace
  /** One sentence for people. */
  readonly message: string
  readonly patch?: Patch
}

/** Lists the findings of a record, of a release, or of the site. */
export interface CheckReport {
  readonly findings: readonly CheckFinding[]
  /** The codes of checks that could not look: the site has no pages for them. */
  readonly unchecked: readonly string[]
}

type GateVerdict = 'refuse' | 'warn' | 'off'

/** Decides about writes that publish a record, or leave it published. */
export interface PublishingOptions {
  /**
   * `warn`: findings are in `_warnings` of the answer. `refuse`: findings of the severity `error` refuse the write, others warn. By code:
   * `refuse` whatever severity, `warn` or `off`; codes that are not named warn. Absent: nothing is checked.
   */
  readonly checks?: 'warn' | 'refuse' | { readonly [code: string]: GateVerdict }
  /** How often links to elsewhere are checked, in milliseconds, a few at a time, beside requests. Default: never. */
  readonly linksEveryMs?: number
  /** A page with its sheets, scripts and pictures may have so many bytes. Default: 2,000,000. */
  readonly pageBytes?: number
}

/** Has the writes of patches: they mend, so the findings that they leave do not refuse them. */
export const mending = new WeakSet<Incoming>()

interface PublishingGate {
  /** They run in the transaction of each write, after all other hooks. */
  readonly hooks: Hook<HookContext>
  /** Throws 422 where findings of these posts refuse the write; else they are in the warnings of the context, and returned. */
  readonly judge: (context: GateContext, posts: readonly Post[]) => Promise<readonly CheckFinding[]>
}

export type GateContext = Pick<HookContext, 'storage' | 'app' | 'settings' | 'user' | 'incoming'> & {
  readonly warnings?: Warning[] | undefined
}

/** The codes of the table, which is loaded with the first check. */
export const ownCodes: readonly string[] = [
  'missing-title',
  'missing-excerpt',
  'missing-description',
  'dead-link',
  'moved-link',
  'dead-outside-link',
  'missing-alt',
  'picture-weight',
  'outside-script',
  'page-weight',
]

/** One sentence for each code that no check has: a misspelt one would refuse nothing. */
export function unknownCodes({ checks }: PublishingOptions, contributed: readonly Check[]): string[] {
  const known = [...ownCodes, ...contributed.map(({ code }) => code)]
  const named = typeof checks === 'object' ? Object.keys(checks) : []
  return named
    .filter((code) => !known.includes(code))
    .map((code) => `The option publishing.checks names ${code}: ${nameAdvice(code, known, 'code')}`)
}

// The cast: the host fills the slot.
export const publishingOf = ({ services }: Pick<AppContext, 'services'>): PublishingOptions =>
  (services['publishing'] as PublishingOptions | undefined) ?? {}

/** Records that visitors, or pages that visitors see, show. */
export const isShownToVisitors = ({ status }: Pick<Post, 'status'>): boolean =>
  status === 'publish' || status === 'future'

// ---------------------------------------------------------------- the pages of a site, which `site-api/pages` draws

/** A page as visitors would get it, whatever the status of its record. */
export interface CheckedPage {
  readonly address: string
  readonly html: string
}

/** Tells whether visitors find a page or a file at an address; `moved`: a redirect from an old address of a record. `other`: the address is not one of the pages. */
export type AddressKind = 'page' | 'missing' | 'other' | { readonly moved: string }

export interface CheckedPages {
  /** Undefined: the record has no page, or one that takes too much work. */
  page(post: Post): Promise<CheckedPage | undefined>
  kindOf(address: string): Promise<AddressKind>
  /** A file that a page of this site loads: its text, for a sheet or a script; its bytes; undefined where there is none. */
  textOf(address: string): Promise<string | undefined>
  bytesOf(address: string): Promise<number | undefined>
}

/** Draws from this storage, which may be a transaction. Nothing of it is cached. */
export type CheckPages = (storage: Storage, settings: Settings) => CheckedPages
