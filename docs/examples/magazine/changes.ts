/** The token of `changes`: counts the commits of this process, and the notifications of writes by others. */
import type pg from 'pg'

export interface Changes {
  open(): Promise<void>
  close(): void
  /** After a commit of this process, which then ignores the notification of it. */
  count(): void
  token(): number
}

export function watchChanges(pool: pg.Pool, origin: string): Changes {
  let token = 0
  let listener: pg.PoolClient | undefined
  let opening: Promise<void> | undefined
  let isClosed = false
  const listen = async (): Promise<void> => {
    const client = await pool.connect()
    const lose = () => {
      if (listener !== client) return
      listener = undefined
      client.release(true)
    }
    // A lost connection has both events.
    client.on('error', lose).on('end', lose)
    client.on('notification', ({ payload }) => {
      if (payload !== origin) token++
    })
    try {
      const { rows } = await client.query("select quote_ident('site:' || current_schema()) as channel")
      await client.query(`listen ${rows[0].channel}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    // Rows that were read before may be older than rows that are written from now on.
    token++
    listener = client
    if (isClosed) lose()
  }
  const open = async (): Promise<void> => {
    if (listener !== undefined) return
    opening ??= listen().finally(() => {
      opening = undefined
    })
    return opening
  }
  return {
    open,
    close: () => {
      isClosed = true
      const client = listener
      listener = undefined
      client?.release(true)
    },
    count: () => {
      token++
    },
    token: () => {
      if (listener !== undefined) return token
      // Deaf to others: until it listens again, nothing may be cached. The next call tries again.
      if (!isClosed) open().catch(() => undefined)
      return ++token
    },
  }
}
