import { expect, test } from 'vitest'
import { createEncryption } from '../../src/services/oauth/encryption.ts'

test('encrypts with a random nonce and decrypts with the same secret', async () => {
  const encryption = createEncryption(['a secret'])
  const [one, other] = [await encryption.encrypt('tökén'), await encryption.encrypt('tökén')]
  expect(one).not.toBe(other)
  expect(await createEncryption(['a secret']).decrypt(one)).toBe('tökén')
})

test('rejects another secret, no secret and a changed text', async () => {
  const sealed = await createEncryption(['a secret']).encrypt('token')
  await expect(createEncryption(['another']).decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption([]).decrypt(sealed)).rejects.toThrow()
  await expect(createEncryption(['a secret']).decrypt(`${sealed.slice(0, -2)}AA`)).rejects.toThrow()
  await expect(createEncryption(['a secret']).decrypt('nonsense')).rejects.toThrow()
})

test('decrypts texts that were stored without a secret', async () => {
  expect(await createEncryption(['a secret']).decrypt(await createEncryption([]).encrypt('token'))).toBe('token')
})

test('the first secret encrypts, and older ones still decrypt', async () => {
  const old = await createEncryption(['old']).encrypt('token')
  const rotated = createEncryption(['new', 'old'])
  expect(await rotated.decrypt(old)).toBe('token')
  const renewed = (await rotated.renew(old)) ?? ''
  expect(await createEncryption(['new']).decrypt(renewed)).toBe('token')
  expect(await rotated.renew(renewed)).toBeUndefined()
})

test('renews what is stored in clear, and leaves what it can not read', async () => {
  const encryption = createEncryption(['a secret'])
  const renewed = (await encryption.renew('plain.token')) ?? ''
  expect(renewed).not.toContain('token')
  expect(await encryption.decrypt(renewed)).toBe('token')
  expect(await encryption.renew(await createEncryption(['lost']).encrypt('token'))).toBeUndefined()
  expect(await createEncryption([]).renew('plain.token')).toBeUndefined()
})

test('decrypts what earlier versions encrypted, which name no key', async () => {
  const [, , nonce, ciphertext] = (await createEncryption(['a secret']).encrypt('token')).split('.')
  const rotated = createEncryption(['new', 'a secret'])
  expect(await rotated.decrypt(`sealed.${nonce}.${ciphertext}`)).toBe('token')
  expect(await rotated.decrypt((await rotated.renew(`sealed.${nonce}.${ciphertext}`)) ?? '')).toBe('token')
})
