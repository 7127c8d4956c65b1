/** Checks the types of the packed package with both ways of module resolution. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, home, installBeside } from './packed.ts'
import { run } from './run.ts'

/** The types of unstorage's drivers import optional packages. */
const foreign = /node_modules\/unstorage\//

export async function checkTypes(folder: string, blank: string): Promise<readonly string[]> {
  mkdirSync(folder)
  installBeside(folder, blank)
  writeFileSync(join(folder, 'package.json'), '{ "name": "typed", "private": true, "type": "module" }')
  copyFileSync(join(import.meta.dirname, 'use.ts'), join(folder, 'use.ts'))
  copyFileSync(join(home, 'docs/examples/bun/server.ts'), join(folder, 'bun.ts'))
  const imports = entries.map(({ name }, at) => `import * as entry${at} from '${name}'\nvoid entry${at}\n`)
  writeFileSync(join(folder, 'entries.ts'), imports.join(''))
  const [inBundler, inNode, inBun] = await Promise.all([
    compile(folder, 'bundler', { module: 'esnext', types: ['node'], files: ['entries.ts', 'use.ts'] }),
    compile(folder, 'node16', { module: 'node16', types: ['node'], files: ['entries.ts', 'use.ts'] }),
    compile(folder, 'bundler', { module: 'esnext', types: ['bun'], files: ['bun.ts'], skipLibCheck: true }),
  ])
  console.log(`  moduleResolution bundler: ${inBundler.length} problems; node16: ${inNode.length}`)
  console.log(`  the example for Bun: ${inBun.length} problems`)
  return [...inBundler, ...inNode, ...inBun]
}

interface Settings {
  readonly files: readonly string[]
  readonly [option: string]: unknown
}

async function compile(folder: string, moduleResolution: string, { files, ...options }: Settings): Promise<string[]> {
  const project = join(folder, `tsconfig.${moduleResolution}.${files.length}.json`)
  const shared = { strict: true, noEmit: true, target: 'es2023', lib: ['es2024', 'dom', 'dom.iterable'] }
  writeFileSync(project, JSON.stringify({ compilerOptions: { ...shared, moduleResolution, ...options }, files }))
  const tsc = join(home, 'node_modules/typescript/bin/tsc')
  const { code, said } = await run(process.execPath, [tsc, '-p', project, '--pretty', 'false'], folder)
  const lines = said.split('\n').filter((line) => /error TS/.test(line))
  if (code !== 0 && lines.length === 0) return [`${moduleResolution}: tsc ended with ${code}: ${said}`]
  return lines.filter((line) => !foreign.test(line)).map((line) => `${moduleResolution}: ${line}`)
}
