/** A storage that reads from two standbys. */
import { postgresStorage } from '../../../src/storage/postgres.ts'

export const storage = postgresStorage(process.env.DATABASE_URL ?? '', {
  replicas: [process.env.FIRST_REPLICA_URL ?? '', process.env.SECOND_REPLICA_URL ?? ''],
})
