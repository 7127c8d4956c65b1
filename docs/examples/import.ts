/** Takes over a site that runs, from inside an application. */
import type { SiteApi } from 'site-api'

export async function takeOver(api: SiteApi, password: string) {
  const report = await api.site.importFrom('https://old.example/wp-json', { user: 'ann', password, media: 'fetch' })
  // Counts and digests of each kind, there and here.
  return report.comparison
}
