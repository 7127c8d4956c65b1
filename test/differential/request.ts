/** Declares the messages between the model and its processes. */

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | { readonly base64: string }
  /** The time of the site, in milliseconds since 1970. */
  readonly time: number
  /** True: the process runs the due tasks before the request. */
  readonly isDue: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}
