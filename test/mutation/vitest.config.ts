import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that judge the mutated files: one run of them has to be short. */
const include = [
  'test/core/{declare,pipeline,request,routing,runtime}/**/*.test.ts',
  'test/features/builder/notes/**/*.test.ts',
  'test/features/content/posts/**/*.test.ts',
  'test/features/content/{conditional,content-types,envelope,own-type,pages,revisions,warnings}.test.ts',
  'test/features/idempotency.test.ts',
  'test/security/{batch,body-limits,content,durability,paths,permission-table,permissions,query}.test.ts',
  'test/testing/conformance.test.ts',
]
/** What is synchronous where the storage is, and what waits for it, are two paths through the pipeline. */
const storages = ['memory', 'memory-deferred']

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    projects: storages.map((name) => ({
      test: {
        name,
        isolate: false,
        testTimeout: 30_000,
        env: { TEST_STORAGE: name },
        setupFiles: [fileURLToPath(new URL('../support/seed.ts', import.meta.url))],
        include,
      },
    })),
  },
})
