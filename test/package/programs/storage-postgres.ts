import type { Storage } from 'site-api'
import { postgresStorage } from 'site-api/storage/postgres'

export const storage: Storage = postgresStorage('postgres://localhost/site')
// @ts-expect-error an address is a text
postgresStorage(5432)
