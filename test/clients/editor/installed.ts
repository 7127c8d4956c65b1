/**
 * Installs the packages of the block editor from the registry into a separate folder, and bundles them with a page that
 * starts it. They have another licence than this package, so none of their files stays in the tree.
 */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { outputOf } from '../../package/run.ts'

const versions = {
  '@wordpress/edit-post': '8.54.0',
  '@wordpress/format-library': '5.54.0',
  '@wordpress/preferences-persistence': '2.53.0',
  react: '18.3.1',
  'react-dom': '18.3.1',
} as const

export const editorVersion = versions['@wordpress/edit-post']

const sheets = ['components', 'block-editor', 'block-library', 'editor', 'interface', 'edit-post']

/** Their stores are registered once, so that each package has to be there once. */
const once: Plugin = {
  name: 'once',
  setup({ onResolve, resolve, initialOptions }) {
    onResolve(
      { filter: /^(?:@wordpress\/|react(?:-dom)?(?:\/|$))/ },
      async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === 'outermost') return undefined
        const outermost = { kind, pluginData: 'outermost' }
        const found = await resolve(path, { ...outermost, resolveDir: initialOptions.absWorkingDir ?? resolveDir })
        return found.errors.length === 0 ? found : resolve(path, { ...outermost, resolveDir })
      },
    )
  },
}

const constants = {
  'process.env.NODE_ENV': '"production"',
  'globalThis.SCRIPT_DEBUG': 'false',
  'globalThis.IS_GUTENBERG_PLUGIN': 'false',
  'globalThis.IS_WORDPRESS_CORE': 'true',
}

export interface Bundle {
  readonly script: string
  readonly style: string
}

/** The files of the bundle. */
export async function bundleEditor(folder: string): Promise<Bundle> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  await outputOf('npm', ['install', ...quiet, ...packages], folder)
  copyFileSync(join(import.meta.dirname, 'program.js'), join(folder, 'program.js'))
  const imports = sheets.map((name) => `@import './node_modules/@wordpress/${name}/build-style/style.css';\n`)
  writeFileSync(join(folder, 'style.css'), imports.join(''))
  const loaded = ['.svg', '.woff2', '.png', '.wasm'].map((ending) => [ending, 'dataurl'] as const)
  const options: BuildOptions = {
    absWorkingDir: folder,
    entryPoints: ['program.js', 'style.css'],
    outdir: 'bundle',
    bundle: true,
    format: 'esm',
    define: constants,
    loader: Object.fromEntries(loaded),
    plugins: [once],
    logLevel: 'error',
  }
  await build(options)
  return { script: join(folder, 'bundle/program.js'), style: join(folder, 'bundle/style.css') }
}
