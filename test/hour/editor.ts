/**
 * `npm run test:hour:editor`: asks the language service of TypeScript, as an editor does, at thirty places of a newcomer's program: what
 * it offers there, and what it says of the word. After `npm run build`. Prints a table; ends with 1 where a place is silent.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { home } from '../package/packed.ts'
import { places, program } from './places.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-editor-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'node_modules'))
symlinkSync(home, join(folder, 'node_modules/site-api'))
for (const name of ['@types', 'express', 'undici-types']) {
  symlinkSync(join(home, 'node_modules', name), join(folder, 'node_modules', name))
}
const file = join(folder, 'site.mts')
writeFileSync(file, program)

const service = ts.createLanguageService({
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) =>
    ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
  getCurrentDirectory: () => folder,
  getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, strict: true, types: ['node'], skipLibCheck: true }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, directoryExists: ts.sys.directoryExists },
})

interface Shown {
  readonly place: string
  readonly offered: readonly string[]
  readonly hover: string
  readonly says: string
}

/** The mark of a place is before its word. */
function shownAt(number: number, place: string): Shown {
  const mark = `/*${number}*/`
  const start = program.indexOf(mark)
  if (start === -1) throw new Error(`the program has no ${mark}`)
  const at = start + mark.length
  const info = service.getQuickInfoAtPosition(file, at + (/^['"]/.test(program.slice(at)) ? 1 : 0))
  const isText = /^['"]/.test(program.slice(at))
  const completions = service.getCompletionsAtPosition(file, at + (isText ? 1 : 0), {})
  return {
    place,
    // Words of the language and of other modules are not what the place asks for.
    offered: (completions?.entries ?? []).flatMap(({ name, kind, sortText }) =>
      kind === ts.ScriptElementKind.keyword || sortText > '15' ? [] : [name],
    ),
    hover: ts.displayPartsToString(info?.displayParts).replace(/\s+/g, ' '),
    says: ts.displayPartsToString(info?.documentation).replace(/\s+/g, ' '),
  }
}

// Before anything is completed, which leaves half-inferred types behind.
const mistakes = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].map(
  ({ messageText }) => `the program does not compile: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
)

const shown = places.map(({ says }, at) => shownAt(at + 1, says))

const cell = (text: string, most: number) =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replaceAll('|', '\\|')
console.log('| place | offered | hover | description |\n| --- | --- | --- | --- |')
for (const [at, { place, offered, hover, says }] of shown.entries()) {
  const list = offered.length === 0 ? '' : `${offered.length}: ${offered.slice(0, 6).join(', ')}`
  console.log(`| ${at + 1} ${place} | ${cell(list, 90)} | ${cell(hover, 160)} | ${cell(says, 120)} |`)
}

/** Names that a bundler made, such as `R4b` or `shape$1`, and values without a name. */
const unreadable = /\b[A-Z]\d\w?\b|\$\d|\b__\w+|\bany\b/
const problems = shown.flatMap(({ place, offered, hover, says }, at) => {
  const { isText = false, isDescribed = true } = places[at] ?? {}
  return [
    ...(hover === '' && !isText ? [`${place}: nothing is shown`] : []),
    ...(hover !== '' && says === '' && isDescribed ? [`${place}: no description of ${hover.slice(0, 120)}`] : []),
    ...(unreadable.test(hover) ? [`${place}: unreadable names in ${hover.slice(0, 300)}`] : []),
    ...(offered.length === 0 ? [`${place}: nothing is offered`] : []),
  ]
})
for (const problem of [...mistakes, ...problems]) console.error(problem)
process.exitCode = mistakes.length + problems.length > 0 ? 1 : 0
