import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/**
 * The packed package in a plain application of `create-next-app`: `npm run test:next`, after `npm run build`. It installs
 * the application from npm, and drives one of them in a browser.
 */
export default defineConfig({
  test: {
    name: 'next',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/next/**/*.test.ts'],
    globalSetup: ['test/browser/needs-chromium.ts', 'test/next/installed.ts'],
    // All files share the one installed application.
    fileParallelism: false,
    // Builds of Next.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
