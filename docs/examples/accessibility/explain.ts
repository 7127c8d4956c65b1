/** Prints what each remediation of a page does. */
import type { SiteApi } from '../../../src/index.ts'
import type { d2 } from '../../../src/profiles/d2.ts'

export async function explain(api: SiteApi<typeof d2>, url: string, source: string): Promise<void> {
  const explained = await api.site.accessibility.explain(url, source)
  for (const { id, outcome, reason } of explained) console.log(id, outcome, reason)
}
