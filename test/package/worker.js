/**
 * A worker as a user would write it: the api is created at start, and its storage is the memory. In the Durable Object it is
 * created with the object, on its database.
 */
import { DurableObject } from 'cloudflare:workers'
import * as site from 'site-api'
import * as names from 'site-api/names'
import * as pages from 'site-api/pages'
import { durableObjectStorage } from 'site-api/storage/durable-object'
import { memoryStorage } from 'site-api/storage/memory'
import { conformanceReport } from 'site-api/testing'
import { parts, wrongParts } from './late-parts.js'
import { answersOf, expected } from './site-program.js'

const url = 'https://example.com'
const api = site.createSiteApi({ storage: memoryStorage(), profile: site.d2, url })

/** The answers to the requests of site-program.js that are not the expected ones. */
async function wrongAnswers(createStorage) {
  const answers = [
    ...(await answersOf(site, await createStorage(), site.d1)),
    ...(await answersOf(site, await createStorage(), site.d2)),
  ]
  return answers.filter((answer, at) => answer !== expected[at % expected.length])
}

export class Site extends DurableObject {
  constructor(context, env) {
    super(context, env)
    this.api = site.createSiteApi({ storage: durableObjectStorage(context.storage), profile: site.d2, url })
  }

  /** The objects with these names test the storage; others serve the site that they store. */
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/check') return Response.json(await wrongAnswers(() => this.emptied()))
    if (pathname === '/conformance') return Response.json(await conformanceReport(() => this.emptied()))
    if (pathname === '/large') return Response.json(await this.answersToLargePost())
    return this.api.fetch(request)
  }

  /** The database of an object holds rows of about four megabytes. */
  async answersToLargePost() {
    const { id } = await this.api.site.users.create({ login: 'wren', roles: ['author'] })
    const content = 'tide '.repeat(1e6)
    const answer = await this.api.call('POST', '/cms/v2/posts', { content }, { as: id }).catch((error) => error)
    return answer.code === 'rest_too_large' ? [] : [`a post of 5 MB answers ${answer.status} ${answer.code}`]
  }

  async seed(text) {
    await this.api.site.seed(JSON.parse(text))
  }

  async emptied() {
    await this.ctx.storage.deleteAll()
    return durableObjectStorage(this.ctx.storage)
  }
}

export default {
  async fetch(request, { SITE }) {
    const { pathname, searchParams } = new URL(request.url)
    const object = searchParams.get('object')
    if (object !== null) {
      const stub = SITE.get(SITE.idFromName(object))
      if (pathname !== '/seed') return stub.fetch(request)
      await stub.seed(await request.text())
      return new Response('seeded')
    }
    if (pathname === '/late') {
      return Response.json(await wrongParts(parts, { site, storage: memoryStorage, more: { pages, names } }))
    }
    return pathname === '/check' ? Response.json(await wrongAnswers(memoryStorage)) : api.fetch(request)
  },
}
