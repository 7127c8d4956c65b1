/** Runs the commands of the guide of docs/import.md as written, against a small site, with the package as published. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeZip } from '../../src/services/zip.ts'
import { bytesOf, picture } from '../features/content/media/pictures.ts'
import { author, exportFile, item, site as oldSite, type WrittenItem } from '../management/import/export-file.ts'
import { installPackage, removeExample } from '../support/example.ts'

const home = join(import.meta.dirname, '../..')
const [guide = '', reference = ''] = readFileSync(join(home, 'docs/import.md'), 'utf8').split(/^# Reference$/m)

let folder = ''
beforeAll(async () => {
  folder = await installPackage('import-guide')
  installBin()
  writeFileSync(join(folder, 'export.xml'), oldExport)
  writeFileSync(join(folder, 'kit.zip'), kit)
  mkdirSync(join(folder, 'old-uploads/2023/05'), { recursive: true })
  writeFileSync(join(folder, 'old-uploads/2023/05/pier.png'), await bytesOf(picture(400, 200), 'png'))
}, 120_000)
afterAll(() => removeExample(folder))

/** A package manager links the bin of a package, and makes it executable. */
function installBin(): void {
  const bin = join(folder, 'node_modules/.bin')
  const main = join(folder, 'node_modules/site-api/dist/cli/main.js')
  rmSync(bin, { recursive: true, force: true })
  mkdirSync(bin)
  chmodSync(main, 0o755)
  symlinkSync(main, join(bin, 'site-api'))
  symlinkSync(process.execPath, join(bin, 'node'))
}

const widget = (id: string, widgetType: string, settings: object) => ({
  ...{ id, elType: 'widget', widgetType, settings, elements: [] },
})
const elements = [
  widget('a1', 'heading', { title: 'The Ferry House' }),
  widget('a2', 'acme-hours', { acme_text: 'Open every day' }),
  widget('a3', 'icon', { selected_icon: { value: 'fas fa-anchor', library: 'fa-solid' } }),
  widget('a4', 'text-editor', { editor: '<p><a href="https://www.old.example/contact/">Write to us</a></p>' }),
]
const built = (inside: readonly object[]): WrittenItem['meta'] => [
  ['_elementor_edit_mode', 'builder'],
  ['_elementor_data', JSON.stringify([{ id: 'c1', elType: 'container', settings: {}, elements: inside }])],
]

const oldExport = exportFile(
  author('ann', 'ann@old.example', 'Ann'),
  item({ id: 1, type: 'page', slug: 'home', title: 'Home', meta: built(elements) }),
  item({ id: 2, type: 'page', slug: 'news', title: 'News' }),
  item({ id: 3, type: 'page', slug: 'contact', title: 'Contact' }),
  item({
    ...{ id: 4, slug: 'low-tide', title: 'Low tide', meta: [['_wp_old_slug', 'tide-table']] },
    content: `<p><img class="wp-image-5" src="${oldSite}/wp-content/uploads/2023/05/pier.png"></p>`,
  }),
  item({
    ...{ id: 5, type: 'attachment', status: 'inherit', slug: 'pier' },
    more: `<wp:attachment_url>${oldSite}/wp-content/uploads/2023/05/pier.png</wp:attachment_url>`,
    meta: [['_wp_attached_file', '2023/05/pier.png']],
  }),
  item({ id: 6, type: 'tour', slug: 'harbour', title: 'Harbour tour', link: `${oldSite}/tours/harbour/` }),
)

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const kit = writeZip([
  { name: 'manifest.json', bytes: json({ title: 'Quay', site: oldSite, templates: {}, content: {} }) },
  {
    name: 'site-settings.json',
    bytes: json({ content: [], settings: { container_width: { unit: 'px', size: 970 } } }),
  },
])

/** The blocks of commands of a text, each with the lines that it has. */
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)

/** Installs nothing: a test has no registry. The names of the packages are checked instead. */
const isInstallation = (line: string) => line.startsWith('npm install ')

interface Step {
  readonly command: string
  readonly output: string
}

function start(command: string) {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  // Makes a process group, because npx starts further processes.
  const child = spawn('bash', ['-euc', command], { cwd: folder, env, detached: true })
  const state = { output: '' }
  // Without a listener it would end the test run; `close` follows with a code.
  child.once('error', ({ message }) => {
    state.output += message
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      state.output += part
    })
  }
  return { child, state }
}

function run(command: string): Promise<Step> {
  const { child, state } = start(command)
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve({ command, output: state.output })
      else reject(new Error(`${command} ended with ${code}: ${state.output}`))
    })
  })
}

/** Runs the server until `work` is done, with the address of its pages. */
async function whileServed(command: string, work: (base: string) => Promise<void>): Promise<void> {
  const { child, state } = start(command)
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  try {
    const base = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', () => {
        const [, address] = /listening on (\S+)\/api\n/.exec(state.output) ?? []
        if (address !== undefined) resolve(address)
      })
      child.once('close', () => reject(new Error(state.output)))
    })
    await work(base)
  } finally {
    process.kill(-Number(child.pid), 'SIGTERM')
    await ended
  }
}

const lines = blocksOf(guide).flatMap((block) => block.trimEnd().split('\n'))

test('the commands of the guide move a site that is then seen', { timeout: 300_000 }, async () => {
  const steps: Step[] = []
  const served = lines.at(-1) ?? ''
  expect(served).toMatch(/^npx site-api serve /)
  for (const line of lines.slice(0, -1)) if (!isInstallation(line)) steps.push(await run(line))
  const outputOf = (command: RegExp) => steps.filter((step) => command.test(step.command)).map(({ output }) => output)
  const [trial = '', whole = '', named = ''] = outputOf(/import export\.xml/)
  expect(trial).toContain('documents name icons of fa-solid')
  expect(trial).toMatch(/unknown-type .*: tour \(line \d+ "Harbour tour"\)/)
  expect(existsSync(join(folder, 'trial.db'))).toBe(false)
  expect(whole).toMatch(/ {2}tour: 1 created\n[\s\S]* {2}files: 1 created\n[\s\S]*export const tourType = contentType/)
  expect(named).toMatch(/page_on_front is now \d+\n {2}page_for_posts is now \d+/)
  expect(outputOf(/import kit\.zip/)[0]).toMatch(/builder_active_kit is now \d+/)
  expect(outputOf(/ check /)[0]).toContain('nothing is wrong')
  expect(outputOf(/ user ann /)[0]).toMatch(/password: \S+/)
  const { problems } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  expect(problems.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['type-kept', 'unknown-widget'])
  await whileServed(served, async (base) => {
    const get = async (path: string) => {
      const response = await fetch(base + path, { redirect: 'manual' })
      const location = response.headers.get('location')?.replace(base, '')
      return { status: response.status, location, text: await response.text() }
    }
    const front = (await get('/')).text
    expect(front).toMatch(/<title>Old site/)
    for (const part of ['The Ferry House', 'Open every day', '<svg', 'href="/contact/"']) expect(front).toContain(part)
    expect((await get('/news/')).text).toContain('Low tide')
    expect((await get('/2023/05/low-tide/')).text).toContain('src="/uploads/2023/05/pier.png"')
    expect(await get('/2023/05/tide-table/')).toMatchObject({ status: 301, location: '/2023/05/low-tide/' })
    expect((await get('/uploads/2023/05/pier.png')).status).toBe(200)
  })
})

test('the guide installs packages that this one knows', () => {
  const { peerDependencies, name } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const names = lines.filter(isInstallation).flatMap((line) => line.split(' ').slice(2))
  expect(names.length).toBeGreaterThan(3)
  for (const one of names) expect([name, ...Object.keys(peerDependencies)]).toContain(one)
})

test('the reference has each option of the command', async () => {
  const { importCommand } = await import('../../src/cli/import/index.ts')
  for (const option of Object.keys(importCommand.options)) expect(reference).toContain(`\`--${option}`)
})
