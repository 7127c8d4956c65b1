/** Installs what a user has after `create-next-app` and `npm install site-api`, once for all test files. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { pack } from '../package/packed.ts'
import { outputOf } from '../package/run.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The application of create-next-app with its packages, and its own files a second time. */
    readonly next: { readonly application: string; readonly plain: string }
  }
}

/** Its defaults without a linter and styles, which the examples do not have. */
const flags = '--yes --ts --app --no-src-dir --no-tailwind --no-linter --use-npm --skip-install --disable-git'

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-next-'))
  const [application, plain] = [join(folder, 'application'), join(folder, 'plain')]
  const tarball = await pack(folder)
  await outputOf('npm', ['exec', '--yes', '--', 'create-next-app@16', 'application', ...flags.split(' ')], folder)
  const layout = join(application, 'app/layout.tsx')
  writeFileSync(layout, withoutFonts(readFileSync(layout, 'utf8')))
  cpSync(application, plain, { recursive: true })
  await outputOf('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], application)
  project.provide('next', { application, plain })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** The build would fetch the fonts of the template from their servers. */
const withoutFonts = (layout: string): string =>
  layout
    .replace(/import \{[^}]*\} from "next\/font\/google";\n/, '')
    .replace(/const \w+ = Geist\w*\(\{[\s\S]*?\}\);\n/g, '')
    .replace(/className=\{`\$\{geist[^`]*`\}/, '')
