/** A test file that no project of vitest includes would never run, and nothing would say so. */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import config from '../vitest.config.ts'

interface Project {
  readonly test: { readonly include: readonly string[] }
}

/** Vitest runs them by `npm run test:browser`, `test:next` and `test:trust`, with separate configurations. */
const ofTheirOwn = ['test/browser/', 'test/next/', 'test/trust/']

test('every test file belongs to a project', () => {
  const projects = config.test?.projects as unknown as readonly Project[]
  const included = new Set(projects.flatMap((project) => globSync([...project.test.include])))
  const files = globSync('test/**/*.test.ts').filter((file) => !ofTheirOwn.some((folder) => file.startsWith(folder)))
  expect(files.length).toBeGreaterThan(100)
  expect(
    files.filter((file) => !included.has(file)),
    'add its folder to a project of test/vitest.config.ts',
  ).toEqual([])
})
