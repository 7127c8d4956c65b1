/** Runs `site-api serve` with the sample document in a separate process. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endAll, run, serve } from '../cli/process.ts'

export interface Site {
  /** The address of the site, which is all that clients are given. */
  readonly origin: string
  /** An administrator. */
  readonly login: { readonly username: string; readonly password: string }
}

/** A check of one client, with a sentence that names it. */
export interface Check {
  readonly name: string
  run(site: Site): Promise<void>
}

/** A picture of four by three pixels. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQI12NQWpUGRww4OQAUug5ZZjoVAAAAAABJRU5ErkJggg==',
  'base64',
)

const document = join(import.meta.dirname, '../../docs/sample-site.json')

/** `close` ends every process of it. */
export async function openSite(folder: string, ...options: readonly string[]): Promise<Site & { close(): void }> {
  mkdirSync(folder, { recursive: true })
  const storage = `sqlite:${join(folder, 'site.db')}`
  // The sample site takes comments of its users alone, and lies in another time zone than the browser.
  const visitors = join(folder, 'visitors.json')
  writeFileSync(visitors, JSON.stringify({ options: { anonymous_comments: true, timezone_string: 'UTC' } }))
  const words = ['--root', '/wp-json', '--names', 'wordpress', '--profile', 'full']
  const running = await serve(
    'serve',
    '--port',
    '0',
    '--storage',
    storage,
    '--seed',
    document,
    '--seed',
    visitors,
    ...words,
    ...options,
  )
  const { out, err } = await run('password', 'ada', '--name', 'Clients', '--storage', storage)
  if (out === '') throw new Error(err)
  return { origin: new URL(running.base).origin, login: { username: 'ada', password: out.trim() }, close: endAll }
}
