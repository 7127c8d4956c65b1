/**
 * The long run of the filter's promises: `npm run test:fuzz`, or with a number of texts and a first seed,
 * `npm run test:fuzz -- 200000 7`. Each thousand has a seed of its own; the one of a failure is printed with the text.
 */
import fc from 'fast-check'
import { hostileMarkup } from '../render/filter/hostile-markup.ts'
import { brokenPromises } from '../render/filter/properties.ts'

const total = Number(process.argv[2] ?? 1_000_000)
const firstSeed = Number(process.argv[3] ?? 1)
const perSeed = 1000
const perLine = 50_000

const isSafe = fc.property(hostileMarkup, (html) => {
  const broken = brokenPromises(html)
  if (broken.length > 0) throw new Error(broken.join('\n'))
})

const started = performance.now()
for (let done = 0; done < total; ) {
  const seed = firstSeed + done / perSeed
  const run = fc.check(isSafe, { seed, numRuns: Math.min(perSeed, total - done) })
  if (run.failed) {
    console.error(`seed ${seed}, path ${run.counterexamplePath}: ${JSON.stringify(run.counterexample)}`)
    console.error(run.errorInstance)
    process.exit(1)
  }
  done += run.numRuns
  if (done % perLine === 0 || done === total) {
    console.log(`${done} of ${total} texts, ${Math.round((performance.now() - started) / 1000)} s`)
  }
}
console.log('All are safe and stable.')
