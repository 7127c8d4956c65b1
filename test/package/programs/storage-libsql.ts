import type { Storage } from 'site-api'
import { type LibsqlClient, libsqlStorage } from 'site-api/storage/libsql'

declare const client: LibsqlClient
export const storage: Storage = libsqlStorage(client, { isExclusive: true })
// @ts-expect-error it takes a client
libsqlStorage('file:site.db')
