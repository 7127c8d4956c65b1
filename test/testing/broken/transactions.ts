/** Storages that do not keep transactions apart, or say the wrong thing about changes. */
import type { MaybePromise, Storage } from '../../../src/storage/contract.ts'
import type { Break } from './break.ts'

/** Sends what outsiders ask for to the transaction that runs. */
function joining(which: 'read' | 'write'): Break {
  return (sound) => {
    const running: Storage[] = []
    const now = () => running.at(-1) ?? sound
    const atomic: Storage['atomic'] = (work) =>
      sound.atomic!(async (inside) => {
        running.push(inside)
        try {
          return await work(inside)
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
  'undoes nothing': (sound) => ({ atomic: async (work) => work({ ...sound, changes: undefined }) }),
  'undoes no savepoint': (sound) => {
    const flat = (inside: Storage): Storage => ({ ...inside, atomic: async (work) => work(flat(inside)) })
    return { atomic: (work) => sound.atomic!((inside) => work(flat(inside))) }
  },
  'swallows the error of its work': (sound) => ({
    atomic: <T>(work: (inside: Storage) => MaybePromise<T>) =>
      Promise.resolve(sound.atomic!(work)).catch(() => undefined as T),
  }),
  'lets others write into a transaction': joining('write'),
  'lets others read a transaction': joining('read'),
  'goes on after the end of a transaction': (sound) => ({
    atomic: (work) => {
      let ended = false
      const end = () => {
        ended = true
      }
      const answer = sound.atomic!((inside) => {
        const late = (): Storage => (ended ? sound : inside)
        const options: Storage['options'] = {
          read: (names) => late().options.read(names),
          write: (values) => late().options.write(values),
          swap: (...asked) => late().options.swap(...asked),
        }
        return work({ ...inside, options })
      })
      Promise.resolve(answer).then(end, end)
      return answer
    },
  }),
  'hands transactions its token of changes': (sound) => ({
    atomic: (work) => sound.atomic!((inside) => work({ ...inside, changes: sound.changes })),
  }),
  'never changes its token': () => ({ changes: () => 1 }),
  'changes its token whenever it is asked': () => {
    let asked = 0
    return { changes: () => ++asked }
  },
}
