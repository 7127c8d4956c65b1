/** Runs the server of `serve` and `start`, from its options to its shutdown. */

import { createNodeHandler, type NodeHandler, nodeListener, serveNode } from '../../adapters/node.ts'
import { lookupTable } from '../contract/lookup-table.ts'
import type { Storage } from '../contract/storage.ts'
import type { Profile } from '../core/declare/profile.ts'
import { createSiteApi, type SiteApi } from '../host/create-site-api.ts'
import { type SiteForms, type SiteSubmissions, submissionHandler } from '../index.ts'
import type { NameMap } from '../names/word-map.ts'
import { wordpress } from '../names/wordpress.ts'
import type { Media } from '../services/media.ts'
import { createSitePages } from '../site-pages/index.ts'
import { CliError, type Command, type CommandLine, oneOf, portOf, UsageError, urlOf } from './command.ts'
import { profiles } from './profiles.ts'
import { openStorage } from './storage.ts'
import { uploadsOf } from './uploads.ts'

/** The options of commands that listen on a port. */
export const addressOptions: Command['options'] = {
  port: { value: 'PORT', says: 'The port, 0 for a free one; without it PORT of the environment, else 3000' },
  host: { value: 'ADDRESS', says: 'The network address; without it 127.0.0.1, which only this machine reaches' },
  root: { value: 'PATH', says: 'The path of the API; without it /api' },
}

interface ServerOptions {
  readonly storage: string
  readonly profile: Profile
  readonly port: number
  readonly host: string
  readonly root: string
  readonly url: string | undefined
  readonly names: NameMap
  /** Whether the docs page and `openapi.json` are served. */
  readonly docs: boolean
  /** The file to which requests are recorded. */
  readonly record: string | undefined
  /** Whether the pages of the site are served. */
  readonly pages: boolean
}

export function serverOptions(line: CommandLine, storage: string): ServerOptions {
  const { host = '127.0.0.1', root = '/api' } = line.options
  if (!/^[\w./~-]*$/.test(root)) throw new UsageError(`--root must be a path like /api, not ${root}`)
  const profile = profiles[oneOf(line, 'profile', ['d1', 'd2', 'content', 'full'])]
  const { docs, pages, record } = line.options
  const switches = { docs: docs !== undefined, pages: pages !== undefined, record }
  return { storage, profile, port: portOf(line), host, root, url: urlOf(line), names: namesOf(line), ...switches }
}

const presets: { readonly [name: string]: NameMap } = lookupTable({ wordpress })

export function namesOf({ options: { names } }: CommandLine): NameMap {
  if (names === undefined) return []
  const preset = Object.hasOwn(presets, names) ? presets[names] : undefined
  if (!preset)
    throw new UsageError(`--names: there is no word map called ${names}, only ${Object.keys(presets).join(', ')}`)
  return preset
}

/** Serves until a signal. `prepare` runs before the first request and returns lines to print. */
export async function serve(
  options: ServerOptions,
  prepare: (api: SiteApi, url: string, media: Media) => Promise<readonly string[]>,
): Promise<void> {
  const storage = await openStorage(options.storage)
  let lines: readonly string[] = []
  const media = uploadsOf(options.storage)
  const served = await listen(options, storage, media, async (api, url) => {
    lines = await prepare(api, url, media)
  })
  endOnSignal(async () => {
    await served.close()
    await storage.close?.()
  })
  process.stdout.write(`${[`listening on ${served.shown}`, ...lines].join('\n')}\n`)
}

async function listen(
  { host, port, root, profile, url: fixedUrl, names, docs, pages, record }: ServerOptions,
  storage: Storage,
  media: Media,
  prepare: (api: SiteApi, url: string) => Promise<void>,
) {
  let shown = ''
  let handler: NodeHandler | undefined
  try {
    const served = await serveNode(
      async (listening) => {
        const url = fixedUrl ?? listening
        const recording = record === undefined ? {} : { record }
        const api = createSiteApi({
          ...{ storage, profile, url, root, names, docs, health: true, services: { media } },
          ...recording,
        })
        shown = listening + api.root
        // Paths that are neither of the api nor files get the pages, else the 404 of the api.
        const others = pages ? nodeListener(createSitePages(api).fetch) : createNodeHandler(api, { front: '/' })
        const forms = formsOf(api)
        handler = (request, response) => {
          const isForm = forms !== undefined && request.url?.split('?', 1)[0] === formsPath
          return isForm ? forms(request, response) : others(request, response)
        }
        await prepare(api, url)
        return api
      },
      { port, host, fallThrough: (request, response) => handler?.(request, response) },
    )
    return { ...served, shown }
  } catch (error) {
    await storage.close?.()
    throw listenError(error, host, port)
  }
}

/** The address to which forms of pages elsewhere are sent; the pages of the site receive their forms themselves. */
const formsPath = '/submit-form'

function formsOf({ site }: SiteApi): NodeHandler | undefined {
  // The cast: profiles with the feature have the members.
  const { submissions, forms } = site as { readonly submissions?: SiteSubmissions; readonly forms?: SiteForms }
  return submissions && forms ? nodeListener(submissionHandler({ site: { submissions, forms } })) : undefined
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new CliError(`port ${port} is taken: choose another with --port (0: a free one)`)
  if (code === 'EACCES') return new CliError(`port ${port} needs more rights: choose one above 1023 with --port`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return new CliError(`this machine has no address ${host}`)
  return error
}

/** The first signal lets open requests finish; a second one ends the process at once. */
function endOnSignal(end: () => Promise<void>): void {
  let isEnding = false
  const onSignal = () => {
    if (isEnding) process.exit(1)
    isEnding = true
    end().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
