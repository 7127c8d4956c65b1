/** Programs that the checks start. */
import { spawn } from 'node:child_process'

export interface Finished {
  readonly code: number | null
  /** Both outputs, in the order in which they came. */
  readonly said: string
  readonly out: string
}

export function run(command: string, args: readonly string[], folder: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const texts = { said: '', out: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.out += text
      texts.said += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      texts.said += text
    })
    child.once('error', reject).once('close', (code) => resolve({ code, ...texts }))
  })
}

/** The output of a program; rejects with the output if the exit code is not 0. */
export async function outputOf(command: string, args: readonly string[], folder: string): Promise<string> {
  const { code, out, said } = await run(command, args, folder)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said}`)
  return out
}
