/** A storage in the database that the application has already. */
import pg from 'pg'
import { postgresStorage } from '../../../src/storage/postgres.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
export const storage = postgresStorage(pool)
