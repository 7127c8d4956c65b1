/**
 * `npm run test:mutation`: changes the files of each group one by one, and prints which share of the changes a test notices.
 * `-- --only notes,storage` takes some groups; `-- --only post-writes --mutate src/features/content/posts/write.ts` one file of a group, or
 * lines of it (`FILE:10-80`). What survived is in `reports/mutation/GROUP.json`, and in the lines that Stryker prints.
 */
import { parseArgs } from 'node:util'
import { groups } from './groups.ts'
import { type FileScore, runGroup, shareKilled } from './run-group.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, mutate: { type: 'string' } } })
const names = values.only?.split(',') ?? Object.keys(groups)

const scores: FileScore[] = []
for (const [at, name] of names.entries()) {
  console.log(`[${at + 1}/${names.length}] ${name}`)
  scores.push(...(await runGroup(name, (line) => console.log(`  ${line}`), values.mutate)))
}
for (const score of scores) {
  const share = shareKilled([score]).toFixed(1)
  console.log(
    `${score.file.padEnd(56)} ${String(score.killed).padStart(5)} noticed ${String(score.survived).padStart(4)} not ${share} %`,
  )
}
console.log(`all: ${shareKilled(scores).toFixed(1)} %`)
