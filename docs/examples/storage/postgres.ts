/** A storage in the existing database of the application. */
import pg from 'pg'
import { postgresStorage } from '../../../src/storage/postgres.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, pipeline: true })
export const storage = postgresStorage(pool)
