/** Starts `served.ts` and talks to it as an administrator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { passwordOf } from '../support/small-site.ts'

export interface ServerProcess {
  readonly base: string
  /** Ids of the posts whose publication it told of. */
  readonly published: readonly number[]
  /** At once, with nothing tidied up. */
  kill(): Promise<void>
  end(): Promise<void>
}

const script = fileURLToPath(new URL('served.ts', import.meta.url))

/** `isQuiet`: where failures are part of the plan, nobody wants to read them. */
export async function startServer(storageText: string, { isQuiet = false } = {}): Promise<ServerProcess> {
  const args = ['--disable-warning=ExperimentalWarning', script, storageText]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', isQuiet ? 'ignore' : 'inherit'] })
  const published: number[] = []
  const started = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = /^published (\d+)$/.exec(line)?.[1]
    if (id === undefined) started.resolve(line)
    else published.push(Number(id))
  })
  child.once('exit', () => started.reject(new Error('the server ended before it listened')))
  return {
    base: await started.promise,
    published,
    kill: () => endOf(child, 'SIGKILL'),
    end: () => endOf(child, 'SIGTERM'),
  }
}

/** Until its output is read to the end as well. */
async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}

export interface Answer {
  /** 0: there was none, so nobody knows whether the write was made. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
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
