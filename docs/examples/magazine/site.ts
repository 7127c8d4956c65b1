/** Creates the site of the magazine on the tables of a separate schema. */
import pg from 'pg'
import { createSiteApi, d1 } from 'site-api'
import { magazineStorage } from './storage.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, options: '-c search_path=magazine' })
const api = createSiteApi({ storage: magazineStorage(pool), profile: d1, url: 'https://magazine.example' })

export const handle = (request: Request): Promise<Response> => api.fetch(request)
