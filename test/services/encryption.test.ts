import { expect, test } from 'vitest'
import { createEncryption } from '../../src/services/oauth/encryption.ts'

test('what is closed shows nothing, differs each time, and opens with the same secret', async () => {
  const seal = createEncryption('a secret')
  const [one, other] = [await seal.close('tökén'), await seal.close('tökén')]
  expect(one).not.toBe(other)
  expect(await createEncryption('a secret').open(one)).toBe('tökén')
})

test('another secret, a changed text or none at all opens nothing', async () => {
  const sealed = await createEncryption('a secret').close('token')
  await expect(createEncryption('another').open(sealed)).rejects.toThrow()
  await expect(createEncryption(undefined).open(sealed)).rejects.toThrow()
  await expect(createEncryption('a secret').open(`${sealed.slice(0, -2)}AA`)).rejects.toThrow()
  await expect(createEncryption('a secret').open('nonsense')).rejects.toThrow()
})

test('what was stored before there was a secret still opens', async () => {
  expect(await createEncryption('a secret').open(await createEncryption(undefined).close('token'))).toBe('token')
})
