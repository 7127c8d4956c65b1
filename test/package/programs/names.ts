import { createSiteApi, d1, type NameMap } from 'site-api'
import { wordpress } from 'site-api/names'
import { memoryStorage } from 'site-api/storage/memory'

export const names: NameMap = wordpress
export const api = createSiteApi({ storage: memoryStorage(), profile: d1, names })
