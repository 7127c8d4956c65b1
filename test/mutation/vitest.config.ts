import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that judge the mutated files, on the memory storage: one run of them has to be short. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    isolate: false,
    testTimeout: 30_000,
    env: { TEST_STORAGE: 'memory' },
    setupFiles: [fileURLToPath(new URL('../support/seed.ts', import.meta.url))],
    include: [
      'test/core/pipeline/**/*.test.ts',
      'test/features/builder/notes/**/*.test.ts',
      'test/features/content/posts/**/*.test.ts',
      'test/features/content/revisions.test.ts',
      'test/features/idempotency.test.ts',
      'test/security/{batch,permissions,content,durability}.test.ts',
      'test/testing/conformance.test.ts',
    ],
  },
})
