/** Writes the small site into an empty storage before servers start. */
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { smallSite } from '../support/small-site.ts'

/** `storageText` is `sqlite:FILE` or `postgres://...`. */
export async function seedStorage(storageText: string): Promise<void> {
  const api = createSiteApi({ storage: await openStorage(storageText), profile: d1, url: 'https://quay.example' })
  await api.site.seed(smallSite)
  await api.close()
}
