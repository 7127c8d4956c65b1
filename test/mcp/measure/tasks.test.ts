/** Some of the measured tasks hold in the gate, with few calls; `npm run test:agents` measures all. */
import { expect, test } from 'vitest'
import { declarations, measure } from './measure.ts'
import { measuredTasks } from './tasks.ts'

const inGate = [
  'say which sections the front page has',
  'make a page with three sections',
  'add a section to the end of a built page',
  'call "Subscribe" "Join us" everywhere',
  'give all buttons a color',
  'take an article back to its version before',
]

test.each(measuredTasks.filter(({ name }) => inGate.includes(name)))('$name', async (task) => {
  const { holds, steps, bytes } = await measure(task, 'tasks')
  expect(holds).toBe(true)
  expect(steps).toBeLessThanOrEqual(2)
  expect(bytes).toBeLessThan(4000)
})

test('has twenty tasks', () => {
  expect(measuredTasks).toHaveLength(20)
  expect(measuredTasks.filter(({ name }) => inGate.includes(name))).toHaveLength(inGate.length)
})

test('declares at most 15 tools in less than 20 kB', async () => {
  const { count, bytes } = await declarations('tasks')
  expect(count).toBeLessThanOrEqual(15)
  expect(bytes).toBeLessThan(20_000)
})
