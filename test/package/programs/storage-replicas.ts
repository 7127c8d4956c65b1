import type { Storage } from 'site-api'
import { postgresStorage } from 'site-api/storage/postgres'
import { replicatedStorage } from 'site-api/storage/replicas'

export const storage: Storage = replicatedStorage(postgresStorage('postgres://localhost/site'), [
  'postgres://standby/site',
])
// @ts-expect-error it wraps a storage
replicatedStorage('postgres://localhost/site', [])
