import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { resolveSources as resolve } from '../support/package-sources.ts'

/** The tests in a real browser: `npm run test:browser`. They are no part of `npm test`, which needs no browser. */
export default defineConfig({
  resolve,
  test: {
    name: 'browser',
    // As in `npm test`: the files of a process share the modules they load.
    isolate: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/browser/**/*.test.ts'],
    // All cores: by default vitest leaves one of them to itself.
    maxWorkers: '100%',
    globalSetup: fileURLToPath(new URL('needs-chromium.ts', import.meta.url)),
    env: { TEST_STORAGE: 'sqlite-memory' },
    // A browser starts, and loads pages, slowly on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
