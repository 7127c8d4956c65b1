/** Finds where readers sign in and out, for blocks and classic widgets. The host has these pages: the service has none. */

import { linkAddress } from '../document/addresses.ts'
import type { Pass } from '../pass/pass.ts'

interface AccountLink {
  readonly isSignedIn: boolean
  readonly address: string
  readonly label: string
}

/**
 * Returns the link to sign in, or to sign out. The result depends on the reader. Choice: without the service `account`, the links lead to
 * `/login/` and `/logout/` of the site.
 */
export function accountLink(back: string, pass: Pass): AccountLink {
  const { site, records } = pass
  const isSignedIn = !pass.reader().isVisitor
  const given = records.source.services.account?.(back)
  const name = isSignedIn ? 'logout' : 'login'
  const query = back === '' ? '' : `?${new URLSearchParams({ redirect_to: back })}`
  const address = linkAddress(given?.[name] ?? `${site.home}/${name}/${query}`)
  return { isSignedIn, address, label: isSignedIn ? 'Log out' : 'Log in' }
}
