/** The lines of a recording: a head, one line for each request, and an end. Types only. */

/** Digests of a site: of each part of its export, without secrets. */
export interface SiteDigest {
  readonly [part: string]: string
}

export interface Head {
  readonly kind: 'head'
  readonly form: 1
  readonly version: string
  readonly profile: string
  /** When it was written, in milliseconds since 1970, by the clock of the machine: that of the site may be another. */
  readonly began?: number
  /** The options with which answers change, as far as they are texts, numbers and switches. */
  readonly options: { readonly [name: string]: unknown }
  /** Names the options of functions and services, which a replay does not have. */
  readonly leftOut: readonly string[]
  readonly site: SiteDigest
}

/** The body of a request, without secrets. */
export type KeptBody =
  | { readonly json: unknown }
  | { readonly text: string }
  /** The name of a file beside the recording. */
  | { readonly file: string }
  | { readonly leftOut: true }
  /** The body was refused while it was read. */
  | {
      readonly error: {
        readonly code: string
        readonly message: string
        readonly status: number
        readonly data: object
      }
    }

/** The digest of an answer, and those of its members or items. Absent: a stream, or an answer that shows a secret. */
export interface AnswerDigest {
  readonly status: number
  readonly digest?: string
  readonly parts?: { readonly [name: string]: string }
}

export interface RequestLine {
  readonly kind: 'http' | 'call'
  readonly n: number
  readonly at: number
  /** An id, null for a visitor. Absent: the request did not come so far, and is not replayed. */
  readonly user?: number | 'system' | null
  /** The id of the application password with which the user has signed in. */
  readonly password?: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: KeptBody
  /** The request has sent a secret, for which a placeholder is kept. */
  readonly hasSecret?: true
  /** The ids that were drawn, in their order. */
  readonly drawn?: readonly (string | number)[]
  /** Secrets were drawn: the answer may show one. */
  readonly drewSecrets?: true
  readonly answer: AnswerDigest
}

export interface TasksLine {
  readonly kind: 'tasks'
  readonly n: number
  readonly at: number
  readonly drawn?: readonly (string | number)[]
}

export interface End {
  readonly kind: 'end'
  readonly site: SiteDigest
}

export type Line = Head | RequestLine | TasksLine | End
