/** Installs public clients as their users do: from the registry into a separate folder, unchanged. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { outputOf } from '../package/run.ts'
import type { Parsed } from '../support/parsed.ts'

export const versions = { wpapi: '1.2.2', 'wordpress-api-client': '0.4.9' } as const

/** Their install scripts are not run. */
export async function installClients(folder: string): Promise<(name: keyof typeof versions) => Parsed> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  await outputOf('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder)
  return createRequire(join(folder, 'package.json'))
}
