import { expect, test } from 'vitest'
import { createTestSite } from '../../support/site.ts'

const path = '/builder/v1/operations/opt-in-v4'

test('administrators opt in repeatedly; only the first call changes anything', async () => {
  const { api, as, dispose } = await createTestSite()
  const events: unknown[] = []
  api.on('builder.opted-in', ({ features }) => void events.push(features))
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
    const response = await as(login)('POST', path)
    expect([login, response.status]).toEqual([login, status])
    if (status === 200) expect(response.body).toEqual({ success: true })
  }
  const names = ['container', 'e_atomic_elements', 'e_classes', 'e_components', 'e_opt_in_v4', 'e_variables']
  expect(events.map((features) => [...(features as string[])].sort())).toEqual([[...names, 'nested-elements'].sort()])
  const setting = async (name: string) => (await as('ada')('GET', `/builder/v1/settings/${name}`)).body.data.value
  expect(await setting('builder_experiment-e_classes')).toBe('active')
  expect(await setting('builder_experiment-other')).toBe(false)
  await dispose()
})
