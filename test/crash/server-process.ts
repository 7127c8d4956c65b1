/** Starts `served.ts` and talks to it as an administrator. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Parsed } from '../support/parsed.ts'
import { passwordOf } from '../support/small-site.ts'

export interface ServerProcess {
  readonly base: string
  /** Ids of the posts whose publication it told of. */
  readonly published: readonly number[]
  /** It has ended by itself, which it never should. */
  hasEnded(): boolean
  /** The end of what it told of its failures. */
  lastWords(): string
  /** At once, with nothing tidied up. */
  kill(): Promise<void>
  end(): Promise<void>
}

const script = fileURLToPath(new URL('server.ts', import.meta.url))

const mostWords = 4000

/** `isQuiet`: where failures are part of the plan, nobody wants to read them, unless it ends by them. */
export async function startServer(storageText: string, { isQuiet = false } = {}): Promise<ServerProcess> {
  const args = ['--disable-warning=ExperimentalWarning', script, storageText]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let words = ''
  child.stderr.on('data', (part: Buffer) => {
    words = (words + part).slice(-mostWords)
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
  // Until its output is read to the end as well.
  const endBy = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await closed
  }
  return {
    base: await started.promise,
    published,
    lastWords: () => words,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => endBy('SIGKILL'),
    end: () => endBy('SIGTERM'),
  }
}

export interface Answer {
  /** 0: there was none, so nobody knows whether the write was made. */
  readonly status: number
  readonly body: Parsed
}

const authorization = `Basic ${Buffer.from(`ada:${passwordOf('ada')}`).toString('base64')}`

export async function send(base: string, method: string, path: string, body?: object): Promise<Answer> {
  try {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: undefined }
  }
}
