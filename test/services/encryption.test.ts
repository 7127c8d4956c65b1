import { expect, test } from 'vitest'
import { createSeal } from '../../src/services/oauth/encryption.ts'

test('what is closed shows nothing, differs each time, and opens with the same secret', async () => {
  const seal = createSeal('a secret')
  const [one, other] = [await seal.close('tökén'), await seal.close('tökén')]
  expect(one).not.toBe(other)
  expect(await createSeal('a secret').open(one)).toBe('tökén')
})

test('another secret, a changed text or none at all opens nothing', async () => {
  const sealed = await createSeal('a secret').close('token')
  await expect(createSeal('another').open(sealed)).rejects.toThrow()
  await expect(createSeal(undefined).open(sealed)).rejects.toThrow()
  await expect(createSeal('a secret').open(`${sealed.slice(0, -2)}AA`)).rejects.toThrow()
  await expect(createSeal('a secret').open('nonsense')).rejects.toThrow()
})

test('what was stored before there was a secret still opens', async () => {
  expect(await createSeal('a secret').open(await createSeal(undefined).close('token'))).toBe('token')
})
