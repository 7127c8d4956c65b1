import { createSiteApi, d1, type Storage } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

export const storage: Storage = memoryStorage()
export const api = createSiteApi({ storage, profile: d1 })
