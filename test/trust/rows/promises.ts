/** Bounds what one client, one author or one lost packet does to a site. The tests belong to `npm test` too; these rows add their figures. */
import type { Row } from '../row.ts'
import { suite } from '../suite.ts'

const onAll = ['memory', 'sqlite', 'postgres'] as const

const lostAnswers: readonly Row[] = [
  suite({
    name: 'lost-answers',
    what: 'the connection to PostgreSQL is cut at bytes of posts, batches, updates, uploads, imports and more, or its process is ended',
    bound: '0 times "no" for what is stored, "no" for each place before the commit, nothing stored in part',
    files: ['test/storage/postgres/lost-answers.test.ts'],
    projects: ['postgres'],
    least: { 'places of a lost connection': 200 },
  }),
  suite({
    name: 'removed-terms',
    what: 'posts are read before and after one of their terms is removed',
    bound: 'none shows it',
    files: ['test/features/content/posts/removed-terms.test.ts'],
    projects: onAll,
  }),
  suite({
    name: 'full-disks',
    what: 'the disk of the database or of uploads gets full, is read-only or without rights',
    bound: '503 with a code, nothing acknowledged lost, nothing half stored',
    files: [
      'test/storage/sqlite/disk-full.test.ts',
      'test/storage/sqlite/failures.test.ts',
      'test/features/content/media/unwritable.test.ts',
      'test/features/content/media/every-writer.test.ts',
    ],
    projects: ['sqlite'],
    least: { 'refused with a code': 2 },
  }),
  suite({
    name: 'two-apis',
    what: 'two storages of one process, or two processes, on one SQLite file',
    bound: 'each reads the writes of the other at once',
    files: ['test/storage/sqlite/processes.test.ts'],
    projects: ['sqlite'],
  }),
  suite({
    name: 'webhooks',
    what: 'webhooks beside clocks that are set back, two processes, dead receivers and faults of the service',
    bound: 'each event once from the number at which the webhook began; a fault of the service counts as no attempt',
    files: ['test/features/integration/outbox'],
    projects: onAll,
  }),
  suite({
    name: 'suspended',
    what: 'a timer on a machine that was suspended, and due posts',
    bound: 'it wakes once, within minutes; each due post is published once',
    files: ['test/core/runtime/timer.test.ts', 'test/features/content/posts/schedule.test.ts'],
    projects: ['plain', ...onAll],
  }),
  suite({
    name: 'close',
    what: 'requests of API, pages, files and forms beside and after close()',
    bound: 'an answer or 503, never 500; after it 503 alone',
    files: ['test/management/closing.test.ts'],
    projects: onAll,
    least: { 'requests beside close()': 100, 'refused after it': 40 },
  }),
]

const oneClient: readonly Row[] = [
  suite({
    name: 'refused-bodies',
    what: 'bodies of up to 3 MB that nobody reads, on each mount, then another request on the connection',
    bound: 'the connection answers it, or has said that it ends',
    files: ['test/adapters/refused-bodies.test.ts'],
    projects: ['memory'],
    least: { mounts: 7, 'bodies up to 3 MB': 300 },
  }),
  suite({
    name: 'request-work',
    what: 'ten posts of an author with 60 lists each, long texts, failing documents',
    bound: 'feeds, lists, searches and sitemaps are answered; nothing is drawn twice',
    files: ['test/site-pages/work.test.ts', 'test/core/runtime/work.test.ts'],
    projects: ['plain', ...onAll],
  }),
  suite({
    name: 'doubles',
    what: 'the next record of a title, name, author, parent, term, value or address that up to 10,000 have',
    bound: 'at most 4 calls of the storage more than for another one, and no rows of the others',
    files: ['test/features/doubles/names.test.ts', 'test/features/doubles/shared.test.ts'],
    projects: onAll,
  }),
  suite({
    name: 'growth-work',
    what: 'a user is removed whose posts go to another; searches after other writes; a title beside a document of 5 MB changes',
    bound: 'as many statements for 400 posts as for 4; no text is read or drawn again',
    files: [
      'test/storage/alike-updates.test.ts',
      'test/storage/kept-records.test.ts',
      'test/features/builder/rendering/title-change.test.ts',
    ],
    projects: ['sqlite', 'postgres'],
  }),
  suite({
    name: 'password-guesses',
    what: 'a client guesses the password of a post through each door, or that of a user by each name',
    bound: 'one count for all doors; others get in with the right password at once',
    files: ['test/security/password-guesses.test.ts', 'test/security/consent.test.ts'],
    projects: ['memory'],
    least: { 'doors closed to the client that guesses, open to others': 49 },
  }),
]

const disclosure: readonly Row[] = [
  suite({
    name: 'hidden-totals',
    what: 'searches of posts, media and comments by each role for words of hidden records',
    bound: 'lists and totals are those of an unknown word',
    files: ['test/features/content/search-reach.test.ts'],
    projects: onAll,
    least: { 'searches compared': 100 },
  }),
  suite({
    name: 'reader-tags',
    what: 'each reader sends the entity tag of each other one, and of a view before a password or a change of rights',
    bound: '304 for the own tag alone; no shared cache keeps what a password opened',
    files: ['test/features/content/reader-tags.test.ts', 'test/features/content/conditional.test.ts'],
    projects: ['memory'],
    least: { 'pairs of a reader and a tag': 75 },
  }),
  suite({
    name: 'odd-values',
    what: 'names of Object.prototype and odd objects as each argument and each documented value of each route',
    bound: '0 × 5xx',
    files: ['test/security/odd-values.test.ts'],
    projects: ['memory'],
    isFull: true,
    least: { 'reads with an odd argument': 10_000, 'writes with an odd value': 10_000 },
  }),
  suite({
    name: 'permission-again',
    what: 'replays of keys, parents of files and targets of comments, approved names without their address, forms of locked documents',
    bound: 'each is asked for its permission; a key with other values is refused',
    files: [
      'test/features/idempotency.test.ts',
      'test/features/content/named-records.test.ts',
      'test/features/content/comments/write.test.ts',
      'test/features/builder/form-submissions/public-form.test.ts',
    ],
    projects: onAll,
  }),
  suite({
    name: 'setting-values',
    what: 'settings get markup, paths, numbers and languages that mean nothing',
    bound: 'each is refused, and nothing of the request is stored',
    files: ['test/features/content/site-settings.test.ts', 'test/site/settings.test.ts'],
    projects: ['plain', ...onAll],
    least: { 'values refused': 100 },
  }),
  suite({
    name: 'erased-files',
    what: 'submissions with files are erased, deleted and dropped; a site on memory ends',
    bound: 'the files are gone when the call resolves',
    files: [
      'test/features/builder/form-submissions/uploads.test.ts',
      'test/features/builder/form-submissions/retention.test.ts',
      'test/cli/commands.test.ts',
    ],
    projects: ['plain', ...onAll],
  }),
]

export const promiseRows: readonly Row[] = [...lostAnswers, ...oneClient, ...disclosure]
