/** Uploads of the client, over a socket. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Content, content } from '../../src/profiles/content.ts'
import { type ServedSite, serveTestSite } from './served.ts'

let site: ServedSite<Content>
beforeAll(async () => {
  site = await serveTestSite<Content>({ profile: content })
})
afterAll(() => site.dispose())

const text = 'High at six.\n'.repeat(50_000)
const file = new Blob([text], { type: 'text/plain' })

test('a file is stored with its arguments, and its progress is told', async () => {
  const steps: (readonly [number, number])[] = []
  const onProgress = (sent: number, total: number) => void steps.push([sent, total])
  const client = site.overHttp('edith')
  const { data, error } = await client.upload(
    file,
    { title: 'Gezeiten & Brot' },
    { name: 'Ebbe „Flut".txt', onProgress },
  )
  expect(error).toBeUndefined()
  expect(data?.title.raw).toBe('Gezeiten & Brot')
  expect(data?.filename).toBe('Ebbe-Flut.txt')
  expect(data?.filesize).toBe(text.length)
  expect(steps.length).toBeGreaterThan(1)
  expect(steps.at(-1)).toEqual([text.length, text.length])
})

test('a file without a listener is sent whole, with the name that it has', async () => {
  const { data } = await site.overHttp('edith').orThrow.upload(new File(['High.'], 'tides.txt', { type: 'text/plain' }))
  expect(data.filename).toBe('tides.txt')
})

test('a client inside the process uploads by the same rules, as its user', async () => {
  const steps: (readonly [number, number])[] = []
  const onProgress = (sent: number, total: number) => void steps.push([sent, total])
  const named = new File([text], 'Springflut.txt', { type: 'text/plain' })
  const { data, status } = await site.inProcess('edith').upload(named, { title: 'Flut' }, { onProgress })
  expect([status, data?.title.raw, data?.filename]).toEqual([201, 'Flut', 'Springflut.txt'])
  expect([data?.filesize, steps.at(-1)]).toEqual([text.length, [text.length, text.length]])
  const refused = await site.inProcess('sam').upload(named)
  expect([refused.status, refused.error?.code]).toEqual([403, 'rest_cannot_create'])
})

test('the errors of the service and of the client are results', async () => {
  const refused = await site.overHttp(null).upload(file, {}, { name: 'a.txt' })
  expect([refused.status, refused.error?.code]).toEqual([401, 'rest_cannot_create'])
  const nameless = await site.overHttp('edith').upload(file)
  expect(nameless.error?.code).toBe('client_invalid_arguments')
  const stopped = AbortSignal.abort()
  const aborted = await site.overHttp('edith').upload(file, {}, { name: 'a.txt', signal: stopped })
  expect(aborted.error?.code).toBe('client_aborted')
})
