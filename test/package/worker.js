/** A worker as a user would write it: the api is created at start, and its storage is the memory. */
import * as site from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { answersOf, expected } from './site-program.js'

const api = site.createSiteApi({ storage: memoryStorage(), profile: site.d2, url: 'https://example.com' })

export default {
  async fetch(request) {
    if (new URL(request.url).pathname !== '/check') return api.fetch(request)
    const answers = [
      ...(await answersOf(site, memoryStorage(), site.d1)),
      ...(await answersOf(site, memoryStorage(), site.d2)),
    ]
    return Response.json(answers.filter((answer, at) => answer !== expected[at % expected.length]))
  },
}
