/**
 * `npm run test:hour`: plays a newcomer who has an empty folder, the packed package and docs/first-hour.md, on each host, and prints
 * how many commands, lines and seconds it takes, and each stumble. After `npm run build`. `-- --hosts node,next` takes some hosts,
 * `--pictures DIR` keeps screenshots, `--keep` the folders.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hosts } from '../../src/cli/init/hosts.ts'
import { home, pack } from '../package/packed.ts'
import { sectionsOf } from './guide.ts'
import { openLooks } from './looks.ts'
import { installTools } from './newcomer.ts'
import { createRegistry } from './registry.ts'
import { type Walk, walk } from './walk.ts'

const { values } = parseArgs({
  options: { hosts: { type: 'string' }, pictures: { type: 'string' }, keep: { type: 'boolean' } },
})
const chosen = values.hosts?.split(',') ?? Object.keys(hosts)
const sections = sectionsOf(readFileSync(join(home, 'docs/first-hour.md'), 'utf8'))

const root = mkdtempSync(join(tmpdir(), 'site-api-hour-'))
const registry = await createRegistry([await pack(root)])
const walks: Walk[] = []
try {
  for (const host of chosen) walks.push(await walkOn(host))
  console.log(tableOf(walks))
  for (const { host, stumbles } of walks) {
    for (const stumble of stumbles) console.log(`\n${host}: ${stumble}`)
  }
} finally {
  registry.close()
  if (values.keep) console.log(`kept ${root}`)
  else rmSync(root, { recursive: true, force: true, maxRetries: 5 })
}
process.exitCode = walks.some(({ stumbles }) => stumbles.length > 0) ? 1 : 0

async function walkOn(host: string): Promise<Walk> {
  const place = join(root, host)
  const folder = join(place, 'empty')
  mkdirSync(folder, { recursive: true })
  installTools(join(place, 'bin'))
  const pictures = values.pictures === undefined ? undefined : join(values.pictures, host)
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  const looks = await openLooks(pictures)
  try {
    const done = await walk({ host, sections, folder, registry: registry.url, looks })
    console.log(`${host}: ${done.stumbles.length} stumbles, ${done.marks.at(-1)?.seconds.toFixed(0)} s`)
    return done
  } finally {
    await looks.close()
  }
}

function tableOf(all: readonly Walk[]): string {
  const titles = sections.map(({ title }) => title)
  const rows = all.map(({ host, marks, stumbles }) => {
    const cells = marks.map(({ commands, lines, seconds }) => `${commands} / ${lines} / ${seconds.toFixed(0)}`)
    return `| ${[host, ...cells, stumbles.length].join(' | ')} |`
  })
  const head = ['host', ...titles, 'stumbles']
  const note = 'Commands / lines written / seconds, from the beginning to the end of each section.'
  return ['', note, '', `| ${head.join(' | ')} |`, `|${head.map(() => ' --- |').join('')}`, ...rows].join('\n')
}
