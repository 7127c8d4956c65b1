import { expect, test } from 'vitest'
import { createEncryption } from '../../src/services/oauth/encryption.ts'

test('what is closed shows nothing, differs each time, and opens with the same secret', async () => {
  const encryption = createEncryption('a secret')
  const [one, other] = [await encryption.encrypt('tökén'), await encryption.encrypt('tökén')]
  expect(one).not.toBe(other)
  expect(await createEncryption('a secret').decrypt(one)).toBe('tökén')
})

test('another secret, a changed text or none at all opens nothing', async () => {
  const sealed = await createEncryption('a secret').encrypt('token')
  await expect(createEncryption('another').decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption(undefined).decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption('a secret').decrypt(`${sealed.slice(0, -2)}AA`)).rejects.toThrow()
  await expect(createEncryption('a secret').decrypt('nonsense')).rejects.toThrow()
})

test('what was stored before there was a secret still opens', async () => {
  expect(await createEncryption('a secret').decrypt(await createEncryption(undefined).encrypt('token'))).toBe('token')
})
