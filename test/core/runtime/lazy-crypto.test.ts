import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const rootUrl = new URL('../../../', import.meta.url)

/** Prints whether the process has loaded `node:crypto`, after a visitor's read and after a read with wrong credentials. */
const program = `
const { createSiteApi, d1 } = await import('${new URL('src/index.ts', rootUrl)}')
const { memoryStorage } = await import('${new URL('src/storage/memory/index.ts', rootUrl)}')
const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://quay.example' })
const hasCrypto = () => process.moduleLoadList.includes('NativeModule crypto')
// As an adapter of Node sends it: a Response of fetch loads the module by itself.
const statusOf = async (headers) => (await api.handle({
  ...{ method: 'GET', source: 'http', path: '/cms/v2/posts', query: 'search=lantern', mayHaveBody: false },
  ...{ header: (name) => headers[name], readBody: () => undefined },
})).status
const [read, before] = [await statusOf({}), hasCrypto()]
const [refused, after] = [await statusOf({ authorization: 'Basic ' + btoa('ada:wrong') }), hasCrypto()]
console.log(JSON.stringify({ read, before, refused, after }))
await api.close()
`

test('a visitor’s first read does not load node:crypto, and a sign-in does', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(JSON.parse(stdout)).toEqual({ read: 200, before: false, refused: 401, after: true })
})
