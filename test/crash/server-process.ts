/** Starts server.ts and sends it requests as an administrator. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Parsed } from '../support/parsed.ts'
import { passwordOf } from '../support/small-site.ts'

export interface ServerProcess {
  readonly base: string
  /** Ids of the posts whose publication the server has printed. */
  readonly published: readonly number[]
  /** Whether the process has ended. */
  hasEnded(): boolean
  /** The end of its error output. */
  lastErrors(): string
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
  end(): Promise<void>
}

const script = fileURLToPath(new URL('server.ts', import.meta.url))

const maxErrorLength = 4000

interface StartOptions {
  /** Does not print the error output, for rounds in which errors are expected. */
  readonly isQuiet?: boolean
  /** Who receives its events. */
  readonly webhook?: { readonly url: string; readonly secret: string }
  /** How far its clock is ahead. */
  readonly aheadMs?: number
}

export async function startServer(
  storageText: string,
  { isQuiet = false, webhook, aheadMs = 0 }: StartOptions = {},
): Promise<ServerProcess> {
  const receiver = [webhook?.url ?? '', webhook?.secret ?? '', String(aheadMs)]
  const args = ['--disable-warning=ExperimentalWarning', script, storageText, ...receiver]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (part: Buffer) => {
    errors = (errors + part).slice(-maxErrorLength)
    if (!isQuiet) process.stderr.write(part)
  })
  const published: number[] = []
  const started = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = /^published (\d+)$/.exec(line)?.[1]
    if (id === undefined) started.resolve(line)
    else published.push(Number(id))
  })
  child.once('exit', () => started.reject(new Error('the server ended before it listened')))
  const closed = once(child, 'close')
  // `close` comes after the end of the output, `exit` may come before.
  const endBy = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await closed
  }
  return {
    base: await started.promise,
    published,
    lastErrors: () => errors,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => endBy('SIGKILL'),
    end: () => endBy('SIGTERM'),
  }
}

export interface ServerResponse {
  /** 0: no response, so the write may or may not be stored. */
  readonly status: number
  readonly body: Parsed
}

const authorization = `Basic ${Buffer.from(`ada:${passwordOf('ada')}`).toString('base64')}`

export async function send(base: string, method: string, path: string, body?: object): Promise<ServerResponse> {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: undefined }
  }
}
