/**
 * Tests the promises of the filter and generated builder documents for long: `npm run test:fuzz`. `--texts 1000000`,
 * `--documents 100000`, `--seed 1`. Each thousand texts have another seed; the one of a failure is printed with the text.
 */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { hostileMarkup } from '../render/filter/hostile-markup.ts'
import { brokenPromises } from '../render/filter/properties.ts'
import { createDocumentFuzz } from '../support/document-fuzz.ts'

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '1000000' },
    documents: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const total = Number(values.texts)
const firstSeed = Number(values.seed)
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
console.log('All texts are safe and stable.')

const documents = Number(values.documents)
process.env['TEST_STORAGE'] ??= 'memory'
const fuzz = await createDocumentFuzz()
for (let done = 0; done < documents; ) {
  const count = Math.min(perSeed, documents - done)
  const problem = await fuzz.run({ seed: firstSeed + done / perSeed, documents: count })
  if (problem !== undefined) {
    console.error(problem)
    process.exit(1)
  }
  done += count
  console.log(`${done} of ${documents} documents, ${Math.round((performance.now() - started) / 1000)} s`)
}
await fuzz.dispose()
console.log('All documents are harmless.')
