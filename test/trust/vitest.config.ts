import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * Tests faults of servers that need programs of the system or take long: `npm run test:trust`. Missing programs are
 * installed by apt where the tests run as root; else a line says that their tests were skipped.
 */
export default defineConfig({
  test: {
    name: 'trust',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/trust/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    env: { TEST_STORAGE: 'postgres' },
    // Several servers of PostgreSQL at once would measure the machine.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
