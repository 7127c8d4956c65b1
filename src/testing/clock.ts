/** The clock of a storage that several processes share. */
import type { Storage } from '../contract/storage.ts'
import { type ConformanceCase, isTrue } from './case.ts'

/** The cast: the case runs only on storages with a clock. */
const timeOf = async (storage: Storage): Promise<number> => storage.now!()

export const clockCases: readonly ConformanceCase[] = [
  {
    name: 'has a clock in milliseconds that goes on, inside a transaction too',
    needs: 'now',
    async run(storage) {
      const first = await timeOf(storage)
      const inside = (await storage.atomic?.((transaction) => timeOf(transaction))) ?? first
      const last = await timeOf(storage)
      isTrue(Number.isInteger(first) && first > Date.UTC(2020, 0), 'the time is in milliseconds since 1970')
      isTrue(first <= inside && inside <= last, 'no time is before an earlier one')
    },
  },
]
