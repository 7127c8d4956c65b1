/** The default of the option `log`. */
import type { Logger } from '../core/declare/app-context.ts'

export const consoleLog: Logger = {
  error: (message, { id, error, method, path, count }) => {
    const request = method === undefined ? '' : `${method} ${path}, `
    const line = `site-api: ${message} (${request}${id})`
    // A counted failure is one line, without the stack.
    if (error === undefined) console.error(line)
    else if (count === undefined) console.error(line, error)
    else console.error(`${line}: ${error instanceof Error ? error.message : String(error)}`)
  },
}
