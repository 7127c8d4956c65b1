/** `changes`: the token stays the same between writes and differs after each write. */
import type { MaybePromise, Storage } from '../contract/storage.ts'
import { type ConformanceCase, equal, flushMicrotasks, isTrue, throws } from './case.ts'
import { addPost, addTerm, addUser, assign, findPosts, findThings, things } from './content.ts'

/** The cast: these cases run only on storages with one of both. */
const tokenOf = async (storage: Storage) => storage.changes?.() ?? (await storage.readChanges!()).all

export const changeCases: readonly ConformanceCase[] = [
  {
    name: 'returns another token of the options after each write of an option, where it has one',
    needs: 'changes',
    async run(storage) {
      const optionsToken = async () => (await storage.readChanges?.())?.options
      let before = await optionsToken()
      if (before === undefined) return
      const differs = async (about: string, write: () => MaybePromise<unknown>) => {
        await write()
        const after = await optionsToken()
        isTrue(after !== before, `${after} differs from the token before ${about}`)
        before = after
      }
      await differs('writing', () => storage.options.write({ o: 1, p: 2 }))
      await differs('swapping', () => storage.options.swap('o', 1, 2))
      await differs('creating', () => storage.options.swap('q', null, 2))
      await differs('removing', () => storage.options.write({ o: null }))
      await differs('removing by a swap', () => storage.options.swap('q', 2, null))
      if (storage.atomic) {
        await differs('a transaction', () =>
          storage.atomic?.(async (transaction) => {
            await transaction.atomic?.((inner) => inner.options.write({ o: 3 }))
            await addPost(transaction)
          }),
        )
      }
    },
  },
  {
    name: 'keeps the `changes` token while it is only read',
    needs: 'changes',
    async run(storage) {
      await addPost(storage)
      await storage.options.write({ o: 1 })
      const token = await tokenOf(storage)
      await findPosts(storage)
      await storage.posts.read([1])
      await storage.options.read()
      await storage.meta.read('post', [1])
      await findThings(storage)
      equal(await tokenOf(storage), token, 'the token')
    },
  },
  {
    name: 'returns another `changes` token after each write',
    needs: 'changes',
    async run(storage) {
      const tokens = new Set([await tokenOf(storage)])
      const differs = async <T>(about: string, write: () => MaybePromise<T>): Promise<T> => {
        const result = await write()
        const token = await tokenOf(storage)
        isTrue(!tokens.has(token), `${token} is new after ${about}`)
        tokens.add(token)
        return result
      }
      const post = await differs('inserting a post', () => addPost(storage))
      await differs('updating a post', () => storage.posts.update([{ id: post, changes: { title: 'a' } }]))
      const term = await differs('inserting a term', () => addTerm(storage, 'a'))
      await differs('updating a term', () => storage.terms.update([{ id: term, changes: { name: 'b' } }]))
      await differs('assigning a term', () => assign(storage, post, [term]))
      const entry = { id: post, key: 'k' }
      await differs('writing meta', () => storage.meta.write('post', [{ ...entry, value: 1 }]))
      await differs('removing meta', () => storage.meta.write('post', [{ ...entry, value: null }]))
      await differs('removing a term', () => storage.terms.remove([term]))
      await differs('removing a post', () => storage.posts.remove([post]))
      const user = await differs('inserting a user', () => addUser(storage, 'a'))
      await differs('updating a user', () => storage.users.update([{ id: user, changes: { url: 'x' } }]))
      await differs('removing a user', () => storage.users.remove([user]))
      await differs('writing an option', () => storage.options.write({ o: 1 }))
      await differs('swapping an option', () => storage.options.swap('o', 1, 2))
      await differs('removing an option', () => storage.options.write({ o: null }))
      const [id] = (await differs('inserting a record', () => storage.records.insert(things, [{}]))) as [number]
      await differs('updating a record', () => storage.records.update(things, [{ id, changes: { size: 2 } }]))
      await differs('removing a record', () => storage.records.remove(things, { every: [] }))
    },
  },
  {
    name: 'returns another `changes` token when a transaction commits, not only when it writes',
    needs: 'atomic',
    async run(storage) {
      if ((storage.changes ?? storage.readChanges) === undefined) return
      const before = await tokenOf(storage)
      const end = Promise.withResolvers<void>()
      const written = Promise.withResolvers<void>()
      const running = Promise.resolve(
        storage.atomic?.(async (transaction) => {
          await transaction.options.write({ o: 1 })
          written.resolve()
          await end.promise
        }),
      )
      running.catch(written.reject)
      await written.promise
      await flushMicrotasks()
      const during = await tokenOf(storage)
      end.resolve()
      await running
      const after = await tokenOf(storage)
      isTrue(after !== before, `${after} differs from the token before`)
      isTrue(after !== during, `${after} differs from the token during the transaction`)
      await throws(
        () =>
          storage.atomic?.(async (transaction) => {
            await transaction.options.write({ o: 2 })
            throw new Error('no')
          }) ?? Promise.reject(new Error('no')),
        'a failing transaction',
      )
      await storage.options.write({ o: 3 })
      isTrue((await tokenOf(storage)) !== after, 'a write after a failed transaction changes the token')
    },
  },
]
