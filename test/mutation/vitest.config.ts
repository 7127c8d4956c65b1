import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { mutatedGroup } from './groups.ts'
import { warmThreads } from './warm-pool.ts'

const group = mutatedGroup()

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    projects: group.storages.map((name) => ({
      plugins: [warmThreads],
      test: {
        name,
        isolate: false,
        testTimeout: 30_000,
        env: { TEST_STORAGE: name, MUTATION_MODULES: group.isFresh ? 'fresh' : 'kept' },
        setupFiles: [fileURLToPath(new URL('../support/seed.ts', import.meta.url))],
        include: [...group.tests],
      },
    })),
  },
})
