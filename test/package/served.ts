/**
 * `site-api serve` of the packed package: it answers the API and pages, keeps an upload in memory, and ends on SIGTERM with all that it
 * has acknowledged. `site-api start` shows the sample site, and writes nothing into the package.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from './commands.ts'

/** The password of the seed. */
const authorization = `Basic ${btoa('ada:abcd efgh ijkl mnop qrst uvwx')}`

export async function serveProblems(command: Command): Promise<readonly string[]> {
  return [...(await inMemory(command)), ...(await onDisk(command)), ...(await sampleSite(command))]
}

/** The answers of a server that keeps nothing. */
async function inMemory(command: Command): Promise<readonly string[]> {
  const server = await serve(command, '--profile', 'full', '--seed', 'seed.json', '--pages', '--docs')
  try {
    const { origin } = server
    const uploaded = await fetch(`${origin}/api/cms/v2/media`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'text/plain',
        'content-disposition': 'attachment; filename="tide.txt"',
      },
      body: 'High at six.',
    })
    // The cast: a medium as the interface describes it.
    const { source_url: address } = (await uploaded.json()) as { readonly source_url: string }
    const answers = [
      await answerOf(`${origin}/api`, /"name":"Harbour"/),
      await answerOf(`${origin}/api/cms/v2/posts`, /High tide/),
      await answerOf(`${origin}/api/docs`, /<html/),
      await answerOf(`${origin}/`, /<html[\s\S]*High tide/),
      await answerOf(`${origin}/tide/`, /At six\./),
      await answerOf(`${origin}/no-such-page/`, /<html/, 404),
      await answerOf(address, /^High at six\.$/),
    ]
    const ended = await server.end()
    const hasFolder = existsSync(join(command.folder, 'uploads'))
    return [...answers.flat(), ...ended, ...(hasFolder ? ['serve in memory has made a folder of uploads'] : [])]
  } finally {
    server.child.kill('SIGKILL')
  }
}

async function answerOf(address: string, expected: RegExp, status = 200): Promise<readonly string[]> {
  const response = await fetch(address)
  const text = await response.text()
  const isRight = response.status === status && expected.test(text)
  return isRight ? [] : [`${address} answered ${response.status}: ${text.slice(0, 300)}`]
}

/** The sample site, from the files of the package. */
async function sampleSite(command: Command): Promise<readonly string[]> {
  const home = join(command.folder, '../node_modules/site-api')
  const before = readdirSync(home, { recursive: true }).length
  const server = await run(command, 'start')
  try {
    const { origin } = server
    const [medium] = (await (await fetch(`${origin}/api/cms/v2/media`)).json()) as { readonly source_url: string }[]
    const answers = [
      await answerOf(`${origin}/`, /<h1/),
      await answerOf(`${origin}/api/docs`, /<html/),
      ...(await pictureProblems(medium?.source_url ?? origin)),
    ]
    const ended = await server.end()
    const written = readdirSync(home, { recursive: true }).length - before
    return [...answers.flat(), ...ended, ...(written > 0 ? [`start wrote ${written} files into the package`] : [])]
  } finally {
    server.child.kill('SIGKILL')
  }
}

async function pictureProblems(address: string): Promise<readonly string[]> {
  const { status, headers } = await fetch(address)
  const type = headers.get('content-type')
  return status === 200 && type === 'image/jpeg' ? [] : [`${address} answered ${status} with ${type}`]
}

const posts = 40

/** Ends a server in the middle of writes, and looks for those that it has acknowledged with another one. */
async function onDisk(command: Command): Promise<readonly string[]> {
  const storage = ['--storage', 'sqlite:served.db'] as const
  const first = await serve(command, '--profile', 'd1', '--seed', 'seed.json', ...storage)
  try {
    let ended: Promise<readonly string[]> | undefined
    const write = async (number: number): Promise<number | undefined> => {
      const response = await fetch(`${first.origin}/api/cms/v2/posts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Boat ${number}`, status: 'publish' }),
      }).catch(() => undefined)
      // The cast: a post as the interface describes it.
      const { id } = response?.status === 201 ? ((await response.json()) as { readonly id: number }) : {}
      ended ??= first.end()
      return id
    }
    const written = await Promise.all(Array.from({ length: posts }, (_, number) => write(number)))
    const acknowledged = written.filter((id) => id !== undefined)
    const problems = (await ended) ?? []
    const second = await serve(command, '--profile', 'd1', ...storage)
    try {
      const found = await Promise.all(
        acknowledged.map(async (id) => (await fetch(`${second.origin}/api/cms/v2/posts/${id}`)).status),
      )
      const lost = found.filter((status) => status !== 200).length
      return [
        ...problems,
        ...(acknowledged.length === 0 ? ['no post was written before SIGTERM'] : []),
        ...(lost > 0 ? [`${lost} of ${acknowledged.length} acknowledged posts are lost after SIGTERM`] : []),
        ...(await second.end()),
      ]
    } finally {
      second.child.kill('SIGKILL')
    }
  } finally {
    first.child.kill('SIGKILL')
  }
}

interface Server {
  readonly child: ChildProcess
  readonly origin: string
  /** Sends SIGTERM, and returns the problems of the end. */
  end(): Promise<readonly string[]>
}

const serve = (command: Command, ...args: readonly string[]): Promise<Server> => run(command, 'serve', ...args)

function run({ program, options, folder }: Command, ...args: readonly string[]): Promise<Server> {
  const child = spawn(program, [...options, ...args, '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const end = async () => {
    child.kill('SIGTERM')
    const code = await closed
    const isRight = code === 0 && /^listening on \S+\n/.test(said)
    return isRight ? [] : [`${args.join(' ')} ended with ${code}: ${said.slice(0, 1000)}`]
  }
  return new Promise((resolve, reject) => {
    void closed.then((code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const [, origin] = /^listening on (http:\/\/[^/\s]+)\/api\n/m.exec(said) ?? []
        if (origin) resolve({ child, origin, end })
      })
    }
  })
}
