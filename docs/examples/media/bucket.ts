/** Keeps uploaded files in a bucket of R2; visitors load them from its public address. */
import { createMedia, createSiteApi, full } from 'site-api'
import { s3Media } from 'site-api/media/s3'
import { sqliteStorage } from 'site-api/storage/sqlite'

const { ACCOUNT, KEY = '', SECRET = '' } = process.env
const driver = s3Media({
  url: `https://${ACCOUNT}.r2.cloudflarestorage.com/files`,
  accessKeyId: KEY,
  secretAccessKey: SECRET,
})

export const api = createSiteApi({
  storage: sqliteStorage('site.db'),
  profile: full,
  services: { media: createMedia({ driver, address: 'https://files.example.com' }) },
})
