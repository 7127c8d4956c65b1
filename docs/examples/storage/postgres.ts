/** A storage in the existing database of the application. */
import pg from 'pg'
import { postgresStorage } from 'site-api/storage/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, pipeline: true })
export const storage = postgresStorage(pool)
