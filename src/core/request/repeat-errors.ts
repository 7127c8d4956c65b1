/** The errors that say whether and how a write may be sent again: those of Idempotency-Key, and of a storage that is away. */
import { ApiError } from '../declare/errors.ts'

export const invalidKey = (): ApiError =>
  new ApiError(
    'rest_invalid_idempotency_key',
    'The Idempotency-Key must be a printable text of 1 to 255 characters.',
    400,
  )

export const keyReused = (): ApiError =>
  new ApiError(
    'rest_idempotency_key_reused',
    'This Idempotency-Key was sent with another request within the last day: use a new key.',
    422,
  )

export const keyInUse = (): ApiError =>
  new ApiError(
    'rest_idempotency_key_in_use',
    'A request with this Idempotency-Key is running, or ended without a known outcome.',
    409,
  )

export const resultNotKept = (): ApiError =>
  new ApiError(
    'rest_idempotency_result_not_kept',
    'The request with this Idempotency-Key was carried out. Its response is not kept, because it is a file or holds a secret.',
    409,
  )

const retryAfterSeconds = 5

/** `id`: of the line in the log. */
export function unavailable(written: 'no' | 'perhaps', id: string): ApiError {
  const data = { written, retry_after: retryAfterSeconds, id }
  if (written === 'no') {
    return new ApiError(
      'storage_unavailable',
      'The storage is not available. Nothing was written: try again.',
      503,
      data,
    )
  }
  return new ApiError(
    'storage_outcome_unknown',
    'The storage failed: the change, or a part of it, may have been written. Read before you try again, or send it again with its Idempotency-Key.',
    503,
    data,
  )
}
