/** `npm run test:agents`: prints the steps and bytes of twenty tasks, by a tool for each route and by tools for tasks. */
import { declarations, measure } from './measure.ts'
import { measuredTasks } from './tasks.ts'

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const row = (name: string, ...cells: readonly string[]) =>
  console.log(`  ${name.padEnd(46)}${cells.map((cell) => cell.padStart(12)).join('')}`)

const forms = ['routes', 'tasks'] as const
const declared = await Promise.all(forms.map((tools) => declarations(tools)))
row('', 'routes', '', 'tasks', '')
row('tools, and their declarations', ...declared.flatMap(({ count, bytes }) => [`${count}`, kilobytes(bytes)]))
row('task', 'steps', 'bytes', 'steps', 'bytes')
const totals = [0, 0, 0, 0]
for (const task of measuredTasks) {
  const measured = [await measure(task, 'routes'), await measure(task, 'tasks')]
  const figures = measured.flatMap(({ steps, bytes }) => [steps, bytes])
  for (const [at, figure] of figures.entries()) totals[at] = (totals[at] ?? 0) + figure
  row(
    task.name,
    ...measured.flatMap(({ steps, bytes, holds }) => [holds ? `${steps}` : `${steps} FAILED`, kilobytes(bytes)]),
  )
  if (measured.some(({ holds }) => !holds)) process.exitCode = 1
}
row('all', ...totals.map((total, at) => (at % 2 === 0 ? `${total}` : kilobytes(total))))
