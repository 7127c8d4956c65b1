import { expect, test } from 'vitest'
import { createTestSite } from '../../support/site.ts'

const path = '/builder/v1/operations/opt-in-v4'

test('administrators opt in, as often as they like; it happens once', async () => {
  const { api, as, dispose } = await createTestSite()
  const told: unknown[] = []
  api.on('builder.opted-in', ({ features }) => void told.push(features))
  const expected: [string | null, number][] = [
    [null, 401],
    ['sam', 403],
    ['connie', 403],
    ['arthur', 403],
    ['edith', 403],
    ['ada', 200],
    ['ada', 200],
  ]
  for (const [login, status] of expected) {
    const answer = await as(login)('POST', path)
    expect([login, answer.status]).toEqual([login, status])
    if (status === 200) expect(answer.body).toEqual({ success: true })
  }
  const names = ['container', 'e_atomic_elements', 'e_classes', 'e_components', 'e_opt_in_v4', 'e_variables']
  expect(told.map((features) => [...(features as string[])].sort())).toEqual([[...names, 'nested-elements'].sort()])
  expect((await api.site.options.read(['builder_switched_on']))['builder_switched_on']).toHaveLength(7)
  await dispose()
})
