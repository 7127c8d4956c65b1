/**
 * A thread that runs tests and stays for the next run, with the modules of `src` as they are: a module keeps state for
 * one site, one row or one schema, and each test opens another site. Tests and what supports them are evaluated anew for
 * each run, and all modules before and after a mutant of the code that runs at import.
 */
import { parentPort } from 'node:worker_threads'
import type { WorkerGlobalState } from 'vitest'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

if (!parentPort) throw new Error('this file runs in a worker thread')
const port = parentPort
let evaluated: WorkerGlobalState['evaluatedModules'] | undefined
let wasStatic = false

function forgetModules(isForgotten: (file: string) => boolean) {
  for (const module of evaluated?.idToModuleMap.values() ?? []) {
    // Packages have no mutants.
    if ((module.meta && 'externalize' in module.meta) || !isForgotten(module.file)) continue
    module.promise = undefined
    module.exports = undefined
    module.evaluated = false
    module.importers.clear()
  }
}

init({
  post: (response) => port.postMessage(response),
  on: (callback) => port.on('message', callback),
  off: (callback) => port.off('message', callback),
  setup: setupEnvironment,
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  runTests: async (state, traces) => {
    // The cast: Stryker provides it, and Vitest's types know no names of others.
    const isStatic = (state.providedContext as { mutantActivation?: string }).mutantActivation === 'static'
    const isFresh = isStatic || wasStatic || process.env['MUTATION_MODULES'] === 'fresh'
    wasStatic = isStatic
    forgetModules((file) => isFresh || !file.includes('/src/'))
    await runBaseTests('run', state, traces)
    evaluated = state.evaluatedModules
  },
})
