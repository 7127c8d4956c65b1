import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { isFullRun } from './support/generated-cases.ts'
import { resolveSources as resolve } from './support/package-sources.ts'

// Processes that tests start from the sources begin in half the time with what another has compiled.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/** Tests that run once, whatever the storage. */
const plain = [
  'test/architecture/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/core/**/*.test.ts',
  'test/html/**/*.test.ts',
  'test/site/**/*.test.ts',
  'test/names/**/*.test.ts',
  'test/render/**/*.test.ts',
  'test/services/**/*.test.ts',
  'test/profiles/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/client/**/*.test.ts',
  'test/mcp/**/*.test.ts',
  'test/pages/docs/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/simulation/**/*.test.ts',
  // Next is built for it.
  'test/adapters/next-start.test.ts',
]
/** Tests that run on each storage in turn: `test/support/site.ts` reads the name from the environment. */
const onStorage = [
  'test/features/**/*.test.ts',
  'test/management/**/*.test.ts',
  'test/pages/consent/**/*.test.ts',
  'test/site-pages/**/*.test.ts',
  'test/testing/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/storage/**/*.test.ts',
  'test/adapters/**/!(next-start).test.ts',
  'test/crash/**/*.test.ts',
]

/** A full run, and one of named files, run each file on every storage that can run it. */
const isEverywhere =
  isFullRun ||
  process.argv.some(
    (word, index, words) => word === 'watch' || (word.startsWith('test/') && words[index - 1] !== '--config'),
  )

/**
 * Tests that a storage has no part in: requests that are refused before it is asked, forms of the consent page, and HTML of
 * documents. They run on memory alone.
 */
const onMemoryAlone = [
  'test/security/!(durability|content|query|paths|batch|kill|fuzz|leaf-mutations).test.ts',
  'test/features/builder/rendering/!(cache|lists).test.ts',
  'test/pages/consent/**/*.test.ts',
  'test/management/recordings.test.ts',
]

/**
 * These tests read a few rows and judge the pages, pictures and answers that come of them, or write rows as other features do. They
 * run on SQLite, and on PostgreSQL in full runs.
 */
const besidePostgres = [
  'test/features/{account,add-ons,guidance,theme}/**/*.test.ts',
  'test/features/integration/checks/{findings,table}.test.ts',
  'test/features/integration/usage/changed-pages.test.ts',
  'test/features/builder/!(form-submissions|notes|site-documents)/**/*.test.ts',
  'test/features/builder/!(edit-locks).test.ts',
  'test/features/builder/**/{validation,errors,fields,uploads,mailed-files,permissions,mentions,export}.test.ts',
  'test/features/builder/form-submissions/{actions,public-form}.test.ts',
  'test/features/content/media/{deferred-sizes,files,metadata,optimization,svg}.test.ts',
  'test/features/content/{builder-meta,drawn-blocks,embeds-proxy,menus,meta-fields,public-clients}.test.ts',
  'test/features/content/{query-blocks,scripts,site-settings,typed-values}.test.ts',
  'test/management/{kit-export,document-file,user-names}.test.ts',
  'test/management/import/!(import|large|repeated|rest).test.ts',
  'test/site-pages/!(addresses|comments|feeds|former-slugs|other-addresses|work).test.ts',
  'test/site-pages/*/**/*.test.ts',
]

/**
 * Memory leaves to SQLite and PostgreSQL what both run: that it answers as they do is what the tests of `test/storage` and
 * `test/testing` hold.
 */
const onMemory = isEverywhere
  ? onStorage
  : [...onMemoryAlone, ...onStorage.filter((pattern) => !/features|management|site-pages/.test(pattern))]

/** How a request comes and an answer goes is the same on all storages. */
const onSqlite = onStorage.filter((pattern) => !/adapters/.test(pattern))

/** PostgreSQL runs all storage and feature tests, and those security cases in which the storage decides. */
const onPostgres = [
  ...onSqlite.filter((pattern) => !/security/.test(pattern)),
  'test/security/{durability,content,query,paths}.test.ts',
]

const exclude = isEverywhere ? configDefaults.exclude : [...configDefaults.exclude, ...onMemoryAlone]

/**
 * The files of a process share the modules they load: what ours keep, they keep for one site or one storage, and loading
 * them anew for each of hundreds of files took more time than the tests. A test that hangs fails; one on a busy machine may take a while.
 */
const common = {
  isolate: false,
  expect: { poll: { timeout: 20_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  setupFiles: fileURLToPath(new URL('support/seed.ts', import.meta.url)),
} as const

export default defineConfig({
  test: {
    // All cores: by default vitest leaves one of them to itself.
    maxWorkers: '100%',
    projects: [
      {
        resolve,
        test: {
          ...common,
          name: 'plain',
          include: plain,
          globalSetup: fileURLToPath(new URL('support/cli-setup.ts', import.meta.url)),
        },
      },
      { resolve, test: { ...common, name: 'memory', include: onMemory, env: { TEST_STORAGE: 'memory' } } },
      { resolve, test: { ...common, name: 'sqlite', include: onSqlite, exclude, env: { TEST_STORAGE: 'sqlite' } } },
      {
        resolve,
        test: {
          ...common,
          name: 'postgres',
          include: onPostgres,
          exclude: isEverywhere ? exclude : [...exclude, ...besidePostgres],
          env: { TEST_STORAGE: 'postgres' },
          // A database that is busy with other tests may let a race end in another, equally right order.
          retry: 2,
          globalSetup: fileURLToPath(new URL('support/postgres-setup.ts', import.meta.url)),
        },
      },
    ],
  },
})
