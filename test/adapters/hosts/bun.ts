/** `Bun.serve` with our handler, in a process under Bun. */
import { fileURLToPath } from 'node:url'
import { startBun } from '../../support/bun.ts'
import type { Host } from './host.ts'

const script = fileURLToPath(new URL('bun-process.ts', import.meta.url))

export const bunHost: Host = {
  name: 'bun',
  cannot: {
    headersBefore: 'whoever calls the handler owns the Response',
    outer: 'the handler takes the address of the Request as it is',
  },
  skips: { 'OPTIONS * is answered in the form of our errors': 'Bun 1.4 answers it by itself, with 400 and no body' },
  async start(setup) {
    const { lines, end } = await startBun(script, [JSON.stringify(setup)])
    const origin = lines[0] as string
    return {
      origin,
      fetch: (target, init) => fetch(origin + target, init),
      close: async () => void (await end()),
    }
  },
}
