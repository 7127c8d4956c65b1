/** Does in a folder what a Dockerfile says, since a test has no Docker: copies, commands, variables, the program of the image. */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment, Newcomer, Program } from './newcomer.ts'

export interface Image {
  readonly program: string
  readonly environment: Environment
}

/** `folder`: the file system of the image, whose working directory and volume are folders in it. */
export async function buildImage(newcomer: Newcomer, folder: string): Promise<Image> {
  const project = newcomer.folder
  const ignored = readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n')
  const inside = (text: string) => text.replaceAll(/(?<=^|[\s=])\/data\b/g, join(folder, 'data'))
  let environment: Environment = {}
  let program = ''
  mkdirSync(join(folder, 'app'), { recursive: true })
  for (const line of readFileSync(join(project, 'Dockerfile'), 'utf8').trim().split('\n')) {
    const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    if (word === 'COPY') copy(project, join(folder, 'app'), rest, ignored)
    if (word === 'ENV') {
      environment = { ...environment, ...Object.fromEntries(rest.split(' ').map((pair) => inside(pair).split('='))) }
    }
    if (word === 'RUN') {
      newcomer.folder = join(folder, 'app')
      // The users of the image are not those of this machine.
      const { code, output } = await newcomer.run(`chown() { :; }; ${inside(rest)}`, environment)
      newcomer.folder = project
      if (code !== 0) throw new Error(`${line} ended with ${code}:\n${output}`)
    }
    if (word === 'CMD') program = (JSON.parse(rest) as readonly string[]).join(' ')
  }
  return { program: `exec ${program}`, environment }
}

function copy(project: string, target: string, rest: string, ignored: readonly string[]): void {
  const sources = rest.split(' ').slice(0, -1)
  for (const source of sources) {
    if (!existsSync(join(project, source))) throw new Error(`COPY ${rest}: there is no ${source}`)
    cpSync(join(project, source), source === '.' ? target : join(target, source), {
      ...{ recursive: true, verbatimSymlinks: true },
      filter: (path) => !ignored.some((name) => path === join(project, name)),
    })
  }
}

/** Runs the program of an image with the variables of `docker run --env`. */
export async function runImage(
  newcomer: Newcomer,
  folder: string,
  { program, environment }: Image,
  given: Environment,
): Promise<Program> {
  const project = newcomer.folder
  newcomer.folder = join(folder, 'app')
  const running = await newcomer.start(program, { ...environment, ...given })
  newcomer.folder = project
  return running
}
