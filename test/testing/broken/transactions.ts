/** Storages with defects of transactions or of `changes`. */
import type { AtomicOptions, MaybePromise, Storage } from '../../../src/contract/storage.ts'
import type { Break } from './break.ts'

/** Runs option reads or writes from outside in the open transaction. */
function joining(which: 'read' | 'write'): Break {
  return (correct) => {
    const running: Storage[] = []
    const now = () => running.at(-1) ?? correct
    const atomic: Storage['atomic'] = (work) =>
      correct.atomic!(async (transaction) => {
        running.push(transaction)
        try {
          return await work(transaction)
        } finally {
          running.pop()
        }
      })
    if (which === 'read') {
      return { atomic, options: { read: (names) => now().options.read(names) } }
    }
    return { atomic, options: { write: (values) => now().options.write(values) } }
  }
}

export const brokenTransactions: { readonly [name: string]: Break } = {
  'rolls back nothing': (correct) => ({ atomic: async (work) => work({ ...correct, changes: undefined }) }),
  'rolls back no savepoint': (correct) => {
    const flat = (transaction: Storage): Storage => ({
      ...transaction,
      atomic: async (work) => work(flat(transaction)),
    })
    return { atomic: (work) => correct.atomic!((transaction) => work(flat(transaction))) }
  },
  'swallows the error of its work': (correct) => ({
    atomic: <T>(work: (transaction: Storage) => MaybePromise<T>) =>
      Promise.resolve(correct.atomic!(work)).catch(() => undefined as T),
  }),
  'lets others write into a transaction': joining('write'),
  'lets others read a transaction': joining('read'),
  'accepts a transaction after its end': (correct) => ({
    atomic: (work) => {
      let ended = false
      const end = () => {
        ended = true
      }
      const result = correct.atomic!((transaction) => {
        const late = (): Storage => (ended ? correct : transaction)
        const options: Storage['options'] = {
          read: (names) => late().options.read(names),
          write: (values) => late().options.write(values),
          swap: (...values) => late().options.swap(...values),
        }
        return work({ ...transaction, options })
      })
      Promise.resolve(result).then(end, end)
      return result
    },
  }),
  'counts the ids of new records itself, without those of rows that might have conflicted': (correct) => ({
    atomic: (work) =>
      correct.atomic!((transaction) => {
        let next: number | undefined
        const insert: Storage['records']['insert'] = async (collection, ...values) => {
          const ids = await transaction.records.insert(collection, ...values)
          if (collection.unique !== undefined) return ids
          const first = next ?? ids[0] ?? 0
          next = first + ids.length
          return ids.map((_, at) => first + at)
        }
        return work({ ...transaction, records: { ...transaction.records, insert } })
      }),
  }),
  'undoes all transactions that share a commit when one of them fails': (correct) => {
    type Work = (transaction: Storage) => unknown
    let works: Work[] = []
    let group: Promise<readonly unknown[]> | undefined
    const runGroup = async () => {
      const all = works
      works = []
      group = undefined
      return correct.atomic!(async (transaction) => {
        const results: unknown[] = []
        for (const work of all) results.push(await work(transaction))
        return results
      })
    }
    return {
      atomic: async <T>(
        work: (transaction: Storage) => MaybePromise<T>,
        { groupCommit = false }: AtomicOptions = {},
      ) => {
        if (!groupCommit) return correct.atomic!(work)
        const index = works.push(work) - 1
        group ??= Promise.resolve().then(runGroup)
        // The cast: the result is that of this work.
        return (await group)[index] as T
      },
    }
  },
  'passes `changes` to transactions': (correct) => ({
    atomic: (work) => correct.atomic!((transaction) => work({ ...transaction, changes: correct.changes })),
  }),
  'never changes its token': () => ({ changes: () => 1 }),
  'changes its token with each read': () => {
    let reads = 0
    return { changes: () => ++reads }
  },
}
