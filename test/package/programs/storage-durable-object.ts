/** The storage in a Durable Object; `Context` is the part of its `ctx` that it needs. */
import type { Storage } from 'site-api'
import { type DurableObjectDatabase, durableObjectStorage } from 'site-api/storage/durable-object'

interface Context {
  readonly storage: DurableObjectDatabase
}

export const storageOf = ({ storage }: Context): Storage => durableObjectStorage(storage, { searchIndex: false })
// @ts-expect-error a file is no database of an object
durableObjectStorage('site.db')
