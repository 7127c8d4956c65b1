/** A storage that reads from two standbys. */
import { postgresStorage } from 'site-api/storage/postgres'
import { replicatedStorage } from 'site-api/storage/replicas'

const primary = postgresStorage(process.env.DATABASE_URL ?? '')
const standbys = [process.env.FIRST_REPLICA_URL ?? '', process.env.SECOND_REPLICA_URL ?? '']
export const storage = replicatedStorage(primary, standbys)
