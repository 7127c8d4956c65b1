/** Generated requests, bodies, texts and documents break nothing. */
import { groupsOf, runNode, runTests } from '../program.ts'
import type { Row } from '../row.ts'

/** Requests of one process: half of them to each of two profiles. */
const requestsPerSlice = 20_000
const longestMs = 1000

const requests: Row = {
  name: 'fuzz-requests',
  what: 'generated requests to every route',
  bound: '0 × 5xx, 0 unhandled rejections, none above 1 s',
  size: { short: 4000, long: 1_000_000, unit: 'requests' },
  run: async (total, say) => {
    let failed = 0
    let done = 0
    let slowest = 0
    for (let slice = 0; done < total; slice++) {
      const runs = Math.ceil(Math.min(requestsPerSlice, total - done) / 2)
      const env = { FUZZ_RUNS: String(runs), FUZZ_SEED: String(20_240_615 + slice), FUZZ_REPORT: '1' }
      const tests = await runTests(['test/security/fuzz.test.ts'], { say, env, projects: ['memory'] })
      failed += tests.failed
      done += 2 * runs
      const [times] = groupsOf(tests.lines, /requests, the slowest took (\d+) ms/)
      slowest = Math.max(slowest, Number(times))
      say(`${done} of ${total} requests, seed ${env.FUZZ_SEED}`)
    }
    const figure = `${done.toLocaleString('en')} requests, ${failed} failures, slowest ${slowest} ms`
    return { figure, isMet: failed === 0 && slowest <= longestMs }
  },
}

/** Each process takes every so many-th mutation. */
const leafSlices = 12

const leaves: Row = {
  name: 'fuzz-leaves',
  what: 'each value of each documented body replaced by odd ones',
  bound: '0 × 5xx',
  size: { short: 1, long: leafSlices, unit: `of ${leafSlices} parts` },
  run: async (slices, say) => {
    let sent = 0
    let failed = 0
    for (let slice = 0; slice < slices; slice++) {
      const env = { LEAF_STEP: String(leafSlices), LEAF_FIRST: String(slice), LEAF_REPORT: '1' }
      const tests = await runTests(['test/security/leaf-mutations.test.ts'], { say, env, projects: ['memory'] })
      failed += tests.failed
      sent += Number(groupsOf(tests.lines, /^(\d+) mutated bodies/)[0])
      say(`part ${slice + 1} of ${slices}, ${sent} bodies`)
    }
    return { figure: `${sent.toLocaleString('en')} bodies, ${failed} parts with failures`, isMet: failed === 0 }
  },
}

const texts: Row = {
  name: 'fuzz-texts',
  what: 'hostile texts through the filter, and a tenth as many builder documents',
  bound: 'all safe and stable',
  size: { short: 10_000, long: 1_000_000, unit: 'texts' },
  run: async (count, say) => {
    const documents = Math.ceil(count / 10)
    const args = ['--texts', String(count), '--documents', String(documents)]
    const { code, lines } = await runNode('test/fuzz/main.ts', args, { say })
    if (code !== 0) return { figure: lines.at(-1) ?? `ended with ${code}`, isMet: false }
    return { figure: `${count.toLocaleString('en')} texts, ${documents.toLocaleString('en')} documents`, isMet: true }
  },
}

export const hostileRows: readonly Row[] = [requests, leaves, texts]
