/** Uploads a picture, writes a boat that shows it and a post with the new field, and asks the new route. */
import { openAsBlob } from 'node:fs'
import { createClient } from 'site-api/client'
import type { site } from './content.ts'

const { PORT = 3000, PASSWORD: password = '' } = process.env
const signIn = { login: 'ada', password }
const client = createClient<typeof site>({ url: `http://localhost:${PORT}/api`, signIn }).orThrow

const [file = 'node_modules/site-api/docs/sample-site/uploads/2024/03/weir.jpg'] = process.argv.slice(2)
const { data: picture } = await client.upload(await openAsBlob(file), { alt_text: 'The weir' }, { name: 'weir.jpg' })
console.log(picture.source_url)

const { data: boat } = await client.post('/cms/v2/boats', {
  title: 'Gannet',
  content: '<p>She has been in the harbour since 1911.</p>',
  status: 'publish',
  featured_media: picture.id,
  meta: { length: 9.5 },
})
console.log(boat.link, boat.meta?.length)

const post = { title: 'Low water', status: 'publish', meta: { subtitle: 'At noon', minutes: 2 } } as const
const { data: written } = await client.post('/cms/v2/posts', post)
console.log(written.link, written.meta?.minutes)

const { data: tides } = await client.get('/harbour/v1/tides', { day: '2026-06-01' })
console.log(`high water at ${tides.high.join(' and ')}`)
