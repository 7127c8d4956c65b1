import { expect, test } from 'vitest'
import { createEncryption } from '../../src/services/oauth/encryption.ts'

test('encrypts with a random nonce and decrypts with the same secret', async () => {
  const encryption = createEncryption('a secret')
  const [one, other] = [await encryption.encrypt('tökén'), await encryption.encrypt('tökén')]
  expect(one).not.toBe(other)
  expect(await createEncryption('a secret').decrypt(one)).toBe('tökén')
})

test('rejects another secret, no secret and a changed text', async () => {
  const sealed = await createEncryption('a secret').encrypt('token')
  await expect(createEncryption('another').decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption(undefined).decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption('a secret').decrypt(`${sealed.slice(0, -2)}AA`)).rejects.toThrow()
  await expect(createEncryption('a secret').decrypt('nonsense')).rejects.toThrow()
})

test('decrypts texts that were stored without a secret', async () => {
  expect(await createEncryption('a secret').decrypt(await createEncryption(undefined).encrypt('token'))).toBe('token')
})
