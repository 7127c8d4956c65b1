/** Pictures that are made smaller after their upload, and a report of what that saved. */
import { createImages, type Full, type SiteApi } from 'site-api'

export const images = createImages({ optimizes: true })

export async function report(api: SiteApi<Full>): Promise<string> {
  const { isOn, reason = '', optimized, before, after, pending } = await api.site.images.summary()
  if (!isOn) return `pictures stay as they come: ${reason}`
  return `${optimized} pictures take ${after} bytes instead of ${before}; ${pending} wait`
}
