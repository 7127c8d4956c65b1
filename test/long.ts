/** `npm run test:long`: the checks that take too long for every change, one after the other. All run, also after a failure. */
import { spawnSync } from 'node:child_process'

/** `check:package` packs what was built. */
const steps = [
  'build',
  'check:package',
  'test:next',
  'test:hour',
  'test:hour:editor',
  'test:hour:sign-in',
  'test:full',
  'test:random',
  'test:invalidation',
  'test:static',
  'test:browser:full',
  'test:trust',
  'test:clients',
  'test:editor',
]

const failed = steps.filter((step, at) => {
  console.log(`[${at + 1}/${steps.length}] npm run ${step}`)
  const started = performance.now()
  const { status } = spawnSync('npm', ['run', '-s', step], { stdio: 'inherit' })
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(`[${at + 1}/${steps.length}] ${status === 0 ? 'passed' : 'FAILED'} after ${minutes} minutes`)
  return status !== 0
})
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
