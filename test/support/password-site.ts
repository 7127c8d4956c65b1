/** The small site with a user who has a password, and the consent request of an application. */
import { smallSite } from './small-site.ts'

export const password = 'low tide at six'

/** The digest of that password, with a lower cost than the default: digests store their own cost. */
const digest = 'scrypt$1024$8$1$YSBzbWFsbCB0ZXN0IHNhbHQ$Nt1YI2CyrxZM0M_K4liic3XDFkoy__YXYH_saoMjDxA'

/** The small site; ada has a password besides the application password. */
export const siteWithPassword = {
  ...smallSite,
  users: smallSite.users.map((user) => (user.login === 'ada' ? { ...user, password_digest: digest } : user)),
}

export const request = {
  app_name: 'Tide Tables',
  app_id: '0d8f3c1e-5b7a-4c2e-9f60-1a2b3c4d5e6f',
  success_url: 'https://app.example/connected',
  reject_url: 'https://app.example/refused',
}

/** The hidden fields of a form in the page. */
export function hiddenIn({ body }: { readonly body: unknown }): { [name: string]: string } {
  const fields = String(body).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&amp;', '&')
