/**
 * The first sign-in of a day is stored, and so is when scheduled tasks are due next. Tests that count writes sign every user in and run the
 * tasks before they start.
 */
import type { TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

export const logins = smallSite.users.map(({ login }) => login)

export async function signedInBefore(site: TestSite): Promise<TestSite> {
  for (const login of logins) await site.as(login)('GET', '/cms/v2/posts', { query: 'per_page=1' })
  await site.api.site.runDue()
  return site
}
