/** Reads from standbys of a PostgreSQL server, exported as `site-api/storage/replicas`. */
import type { Storage } from '../contract/storage.ts'
import { postgresParts } from './sql/parts.ts'
import { type PostgresServer, serverOf } from './sql/postgres/pools.ts'
import type { ReadServer } from './sql/postgres/standbys/replica.ts'
import { Replicas } from './sql/postgres/standbys/replicas.ts'

/**
 * A PostgreSQL storage whose requests that only read go to a streaming standby: to one that has what this process has read and
 * written, and what the client has written elsewhere (`X-CMS-Position`); else to the primary. What other processes wrote is there
 * after a second at the latest. Takes a storage of `postgresStorage`, and the standbys as pools, options of pools or connection
 * strings.
 *
 * ```ts
 * import { postgresStorage } from 'site-api/storage/postgres'
 * import { replicatedStorage } from 'site-api/storage/replicas'
 *
 * const primary = postgresStorage(process.env.DATABASE_URL ?? '')
 * const storage = replicatedStorage(primary, [process.env.REPLICA_URL ?? ''])
 * ```
 */
export function replicatedStorage(primary: Storage, standbys: readonly PostgresServer[]): Storage {
  const { client, storageOn } = postgresParts.of(primary, 'replicatedStorage')
  if (standbys.length === 0) return primary
  const replicas = client.createReplicas(({ createPool, connectMs, ...parts }) => {
    const pools = standbys.map((standby) => createPool(serverOf(standby, connectMs)))
    return new Replicas({ ...parts, pools })
  })
  const storages = new WeakMap<ReadServer, Storage>()
  return {
    ...primary,
    requests: {
      header: 'X-CMS-Position',
      value: () => replicas.position,
      choose: async (sent) => {
        const { server, changes } = await replicas.choose(sent)
        const storage = storages.get(server) ?? storageOn(server)
        storages.set(server, storage)
        return { storage, changes }
      },
    },
    close: async () => {
      await Promise.all([primary.close?.(), replicas.close()])
    },
  }
}
