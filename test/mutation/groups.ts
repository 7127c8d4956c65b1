/** Which files are mutated, and which tests judge them: one run of the tests of a group has to be short. */

export interface MutationGroup {
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  /** The pipeline has two paths: one where the storage is synchronous, and one that waits for it. */
  readonly storages: readonly string[]
  /** Modules of `src` are evaluated anew for each mutant: one of the files keeps something for the whole process. */
  readonly isFresh?: boolean
}

const source = 'src/features/content/posts'
const posts = 'test/features/content/posts'

export const groups: { readonly [name: string]: MutationGroup } = {
  permissions: {
    mutate: ['src/core/declare/permissions.ts'],
    tests: ['test/core/declare/permissions.test.ts', 'test/security/permissions.test.ts'],
    storages: ['memory'],
    isFresh: true,
  },
  pipeline: {
    mutate: ['src/core/pipeline/execution.ts'],
    tests: [
      'test/core/pipeline/**/*.test.ts',
      'test/features/idempotency.test.ts',
      'test/features/content/{batch,conditional,envelope,warnings}.test.ts',
      'test/features/content/media/upload.test.ts',
      `${posts}/{conditional,hooks}.test.ts`,
      'test/features/builder/form-submissions/{change,list}.test.ts',
      'test/features/integration/outbox/events.test.ts',
      'test/security/{bodies,body-limits,disclosure,unknown-arguments,unreadable-bodies}.test.ts',
    ],
    storages: ['memory', 'memory-deferred'],
  },
  batch: {
    mutate: ['src/features/content/batch.ts'],
    tests: [
      'test/security/{batch,query-keys}.test.ts',
      'test/features/{idempotency,content/batch,content/warnings,content/posts/conditional,content/posts/hooks}.test.ts',
      'test/features/integration/outbox/events.test.ts',
    ],
    storages: ['memory', 'memory-deferred'],
  },
  notes: {
    mutate: ['src/features/builder/notes/*.ts'],
    tests: ['test/features/builder/notes/**/*.test.ts'],
    storages: ['memory'],
  },
  autosaves: {
    mutate: [`${source}/autosaves.ts`],
    tests: ['test/features/content/revisions.test.ts', `${posts}/conditional.test.ts`],
    storages: ['memory'],
  },
  'post-rules': {
    mutate: [`${source}/model.ts`],
    tests: [
      'test/security/content.test.ts',
      'test/features/content/{own-type,pages}.test.ts',
      `${posts}/{embedded,hooks,permissions,stored-writes}.test.ts`,
      'test/site-pages/pictures.test.ts',
    ],
    storages: ['memory'],
  },
  'post-schedule': {
    mutate: [`${source}/schedule.ts`],
    tests: [`${posts}/{due-time,schedule}.test.ts`],
    storages: ['memory'],
  },
  'post-values': {
    mutate: [`${source}/prepare-post.ts`],
    tests: ['test/features/content/{batch,own-type,pages}.test.ts', `${posts}/{values,write}.test.ts`],
    storages: ['memory'],
  },
  'post-writes': {
    mutate: [`${source}/write.ts`],
    tests: [
      'test/features/content/{own-type,pages,revisions,users}.test.ts',
      `${posts}/{built,due-time,hooks,search-text,stored-writes,write}.test.ts`,
    ],
    storages: ['memory'],
  },
  storage: {
    mutate: ['src/storage/memory/rows.ts', 'src/storage/memory/where.ts'],
    tests: ['test/testing/conformance.test.ts'],
    storages: ['memory'],
  },
}

/** The group of `MUTATION_GROUP`. */
export function mutatedGroup(): MutationGroup & { readonly name: string } {
  const name = process.env['MUTATION_GROUP'] ?? ''
  const group = groups[name]
  if (!group) throw new Error(`MUTATION_GROUP is one of ${Object.keys(groups).join(', ')}`)
  return { name, ...group }
}
