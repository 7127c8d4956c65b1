/** Makes random edits on a storage: in this process, or in another one that `edit-process.ts` runs. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Storage } from '../../src/contract/storage.ts'
import type { SiteApi } from '../../src/host/create-site-api.ts'
import { full } from '../../src/profiles/full.ts'
import { type Call, type Edited, editOnce, furnish, randomOf } from './random-edits.ts'
import { baseUrl, basic, createTestSite } from './site.ts'

export interface Made {
  readonly kind: string
  /** The tags that the edit has touched, as its process knows them. */
  readonly changed: readonly string[]
  readonly edited: Edited
}

export interface Editor {
  /** Its api, in this process. */
  readonly api?: SiteApi
  readonly ids: { readonly [reference: string]: number }
  readonly edited: Edited
  /** Makes one edit, at a time of the site. */
  edit(turn: number, now: number): Promise<Made>
  close(): Promise<void>
}

export async function createEditor(storage: Storage, seed: number, begin: number): Promise<Editor> {
  const clock = { now: begin }
  const options = { profile: full, clock: () => clock.now, cacheTags: {}, checkResponses: false }
  const site = await createTestSite({ ...options, storage: () => storage })
  const headers = { authorization: basic('ada'), 'content-type': 'application/json' }
  const call: Call = async (method, path, body) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await site.api.fetch(new Request(`${baseUrl}/api${path}`, init))
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const edited = await furnish(site, call)
  const random = randomOf(seed)
  let changed: string[] = []
  site.api.on('tags.changed', ({ tags }) => void changed.push(...tags))
  return {
    api: site.api,
    ids: { ...site.ids },
    edited,
    edit: async (turn, now) => {
      changed = []
      clock.now = now
      const kind = await editOnce({ site, call, random, edited, turn })
      await site.api.site.runDue()
      return { kind, changed, edited }
    },
    close: () => site.dispose(),
  }
}

export type EditRequest = { readonly turn: number; readonly now: number } | 'close'

/** The same in another process of the system. `place` is `sqlite:FILE` or `postgres:SCHEMA`. */
export async function startEditor(place: string, { seed, begin, postgresUrl }: EditProcessOptions): Promise<Editor> {
  const script = fileURLToPath(new URL('edit-process.ts', import.meta.url))
  const env = { ...process.env, TEST_STORAGE: 'memory', TEST_POSTGRES_URL: postgresUrl }
  const args = [place, String(seed), String(begin)]
  const execArgv = ['--disable-warning=ExperimentalWarning']
  const child = fork(script, args, { env, execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exit = once(child, 'exit')
  let waiting = Promise.withResolvers<unknown>()
  child.on('message', (message) => waiting.resolve(message))
  void exit.then(() => waiting.reject(new Error('the process that edits has ended')))
  const send = (request: EditRequest) => {
    waiting = Promise.withResolvers()
    child.send(request)
    return waiting.promise
  }
  // The cast: edit-process.ts sends its editor first.
  const first = (await waiting.promise) as Pick<Editor, 'ids' | 'edited'>
  return {
    ...first,
    edit: async (turn, now) => (await send({ turn, now })) as Made,
    close: async () => {
      // It answers with its end.
      await Promise.allSettled([send('close'), exit])
    },
  }
}

interface EditProcessOptions {
  readonly seed: number
  readonly begin: number
  readonly postgresUrl: string
}
