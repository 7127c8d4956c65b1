/**
 * Limits wrong passwords in the storage, for each account and network of a client, and for each network. Several processes count
 * together, and one client cannot use up the attempts of others.
 */

import type { Collection, Storage, StoredRecord } from '../../contract/storage.ts'
import { sha256Of } from '../../core/runtime/crypto.ts'

/** Attempts at passwords, as buckets of tokens: all processes of a site count together. */
export const signInAttempts: Collection = {
  name: 'sign_in_attempts',
  fields: { key: 'text', tokens: 'number', at: 'integer' },
  indexed: ['at'],
  unique: [['key']],
}

export interface Bucket {
  readonly capacity: number
  readonly perMinute: number
}

/** A burst of ten, then five a minute. */
export const accountBucket: Bucket = { capacity: 10, perMinute: 5 }
/** Many people may share a network. */
export const networkBucket: Bucket = { capacity: 60, perMinute: 30 }

const rounds = 20

/** Takes a token. Returns 0, or the seconds until the next one. */
export async function takeAttempt(storage: Storage, key: string, bucket: Bucket, now: number): Promise<number> {
  // A login may be a password that was entered in the wrong field, so that only its digest is stored.
  const digest = sha256Of(key)
  const msPerToken = 60_000 / bucket.perMinute
  // A bucket that has been left alone for so long is full.
  await storage.records.remove(signInAttempts, { field: 'at', below: now - forgottenMs })
  for (let round = 0; round < rounds; round++) {
    const { rows } = await storage.records.query(signInAttempts, { where: { field: 'key', is: digest } })
    const [row] = rows
    const tokens = tokensIn(row, bucket, now)
    if (tokens < 1) return Math.ceil(((1 - tokens) * msPerToken) / 1000)
    if (await store(storage, row, { key: digest, tokens: tokens - 1, at: now })) return 0
  }
  // Other processes have taken an attempt in each round.
  return 1
}

/** Puts back the token of an attempt that was right. */
export async function returnAttempt(storage: Storage, key: string, bucket: Bucket, now: number): Promise<void> {
  const digest = sha256Of(key)
  for (let round = 0; round < rounds; round++) {
    const { rows } = await storage.records.query(signInAttempts, { where: { field: 'key', is: digest } })
    const [row] = rows
    if (!row) return
    const tokens = Math.min(bucket.capacity, tokensIn(row, bucket, now) + 1)
    if (await store(storage, row, { key: digest, tokens, at: now })) return
  }
}

const forgottenMs = 10 * 60_000

function tokensIn(row: StoredRecord | undefined, { capacity, perMinute }: Bucket, now: number): number {
  if (!row) return capacity
  const passedMs = Math.max(0, now - Number(row['at']))
  return Math.min(capacity, Number(row['tokens']) + (passedMs * perMinute) / 60_000)
}

/** False: another attempt came first. */
async function store(
  storage: Storage,
  row: StoredRecord | undefined,
  next: { readonly key: string; readonly tokens: number; readonly at: number },
): Promise<boolean> {
  if (row) {
    const when = { every: (['tokens', 'at'] as const).map((field) => ({ field, is: Number(row[field]) })) }
    const { tokens, at } = next
    const updated = await storage.records.update(signInAttempts, [{ id: row.id, changes: { tokens, at }, when }])
    return updated.length > 0
  }
  try {
    await storage.records.insert(signInAttempts, [next])
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'storage_conflict') return false
    throw error
  }
}
