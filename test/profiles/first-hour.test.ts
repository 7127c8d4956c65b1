/** docs/first-hour.md fits the projects of `site-api init`: `npm run test:hour` follows it on each host. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hosts } from '../../src/cli/init/hosts.ts'
import { changed, sectionsOf } from '../hour/guide.ts'

const home = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(home, file), 'utf8')
const steps = sectionsOf(read('docs/first-hour.md')).flatMap((section) => section.steps)

/** The files of a project after all steps that write. */
function filesAfter(host: string): Map<string, string> {
  const files = new Map<string, string>()
  const fromStarter = (path: string) =>
    read(
      [host, 'common'].map((name) => `docs/starters/${name}/${path}`).find((file) => existsSync(join(home, file))) ??
        '',
    )
  for (const step of steps) {
    if (step.kind === 'file') files.set(step.path, step.text)
    if (step.kind === 'change') files.set(step.path, changed(files.get(step.path) ?? fromStarter(step.path), step))
  }
  return files
}

test.each(Object.keys(hosts))('each change of the guide fits the project for %s once', (host) => {
  const files = filesAfter(host)
  expect(files.get('src/content.ts')).toBe(read('docs/examples/first-hour/content.ts'))
  expect(files.get('src/site.ts')).toMatch(/mail: mailBy\([\s\S]*webhooks: \[|webhooks: \[[\s\S]*mail: mailBy\(/)
})

test('a change that does not fit is refused', () => {
  const change = { kind: 'change', path: 'a.ts', lines: [' one', '-two', '+three'] } as const
  expect(changed('one\ntwo\n', change)).toBe('one\nthree\n')
  expect(() => changed('one\n', change)).toThrow('a.ts has 0 times, not once:\none\ntwo\n')
})
