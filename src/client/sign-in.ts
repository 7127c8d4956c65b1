/** The credentials of a call. */

export interface SignIn {
  readonly login: string
  /** An application password. */
  readonly password: string
}

/** Headers, or a function that makes them for each request. */
export type HeaderSource =
  | { readonly [name: string]: string }
  | (() => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>)

/** HTTP Basic in UTF-8. Throws for a login with a colon, which the scheme does not allow. */
export function basic({ login, password }: SignIn): string {
  if (login.includes(':')) throw new TypeError('a login with a colon cannot sign in by password')
  const bytes = new TextEncoder().encode(`${login}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
