/** Starts the same site on a storage, with processes that share the database where one can be shared. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type CommentIds, learnComment, withIds, withNumbers } from './comment-ids.ts'
import type { Answer, Request } from './request.ts'

const script = fileURLToPath(new URL('site-process.ts', import.meta.url))

export interface Site {
  readonly name: string
  /** Sends a request to one of the processes, whose number is taken modulo their count. */
  ask(process: number, request: Request): Promise<Answer>
  end(): Promise<void>
}

interface SiteOptions {
  /** As `--storage` takes it. */
  readonly storage: string
  /** Where the uploads of all processes are. */
  readonly folder: string
  /** Memory belongs to one process. */
  readonly processes: number
}

export async function startSite(name: string, { storage, folder, processes }: SiteOptions): Promise<Site> {
  const children: ChildProcess[] = []
  // The first one makes the tables and the content, so the others start after it.
  for (let at = 0; at < processes; at++)
    children.push(await startChild([storage, folder, at === 0 ? 'first' : 'other']))
  const comments: CommentIds = []
  return {
    name,
    async ask(process, request) {
      // The cast: there is a process for each number below the count.
      const child = children[process % children.length] as ChildProcess
      child.send(withIds(request, comments))
      const [message] = await once(child, 'message')
      // The cast: a process that is ready sends answers only.
      const answer = message as Answer
      learnComment(comments, request, answer)
      return withNumbers(answer, request.path, comments)
    },
    async end() {
      for (const child of children) {
        const ended = once(child, 'exit')
        child.send('end')
        await ended
      }
    },
  }
}

async function startChild(args: readonly string[]): Promise<ChildProcess> {
  const child = fork(script, args, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('a process of the model ended before it was ready'))),
  ])
  return child
}
