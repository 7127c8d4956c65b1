/** Everything that a host imports says what it is, and every function and value shows how it is used. The examples compile. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const config = ts.parseJsonConfigFileContent(read('tsconfig.json'), ts.sys, root)
const entries: { readonly [name: string]: string } = read('package.json').tsup.entry

interface Exported {
  readonly name: string
  readonly isValue: boolean
  readonly text: string
}

function exportsOf(program: ts.Program): readonly Exported[] {
  const checker = program.getTypeChecker()
  const textOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker))
  return Object.entries(entries)
    .filter(([entry]) => entry !== 'cli/main')
    .flatMap(([entry, file]) => {
      const source = program.getSourceFile(join(root, file))
      const module = source && checker.getSymbolAtLocation(source)
      if (!module) throw new Error(`${file} exports nothing`)
      return checker.getExportsOfModule(module).map((symbol) => {
        const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
        const isValue = (target.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(symbol)
        return { name: `${entry}: ${symbol.name}`, isValue, text: textOf(target) || commentOf(symbol) }
      })
    })
}

/** The comment of `export * as args`, which the compiler does not attach to the name. */
function commentOf({ declarations = [] }: ts.Symbol): string {
  const statements = declarations.filter(ts.isNamespaceExport).map(({ parent }) => parent)
  return statements
    .flatMap((statement) => statement.getFullText().match(/\/\*\*[\s\S]*?\*\//) ?? [])
    .map((comment) => comment.replace(/^ *\/?\*+[/ ]?/gm, ''))
    .join('\n')
}

/** A class of which only the type is exported. */
const isTypeOnly = (symbol: ts.Symbol) =>
  (symbol.declarations ?? []).some(
    (declared) => ts.isExportSpecifier(declared) && ts.isTypeOnlyExportDeclaration(declared),
  )

const program = ts.createProgram(
  Object.values(entries).map((file) => join(root, file)),
  config.options,
)
const exported = exportsOf(program)

test('each export has a description', () => {
  const missing = exported.filter(({ text }) => text === '').map(({ name }) => name)
  expect(missing, listed('Describe these exports:', missing)).toEqual([])
})

test('each function and value has an example', () => {
  const missing = exported.filter(({ isValue, text }) => isValue && !text.includes('```ts')).map(({ name }) => name)
  expect(missing, listed('Write an example for these exports:', missing)).toEqual([])
})

/** An example that begins with its imports is a program; others show the lines that matter only. */
test('the examples that are whole programs compile', { timeout: 120_000 }, () => {
  const programs = new Map(
    exported.flatMap(({ name, text }) =>
      [...text.matchAll(/```ts\n([\s\S]*?)```/g)]
        .filter(([, code = '']) => code.startsWith('import ') && /from '(site-api[^']*)'/.test(code))
        .map(
          ([, code = ''], at) => [join(root, 'test', `example-${name.replace(/\W+/g, '-')}-${at}.ts`), code] as const,
        ),
    ),
  )
  expect(programs.size).toBeGreaterThan(60)
  const host = ts.createCompilerHost(config.options)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (file, ...rest) => {
    const code = programs.get(file)
    const [version] = rest
    return code === undefined
      ? (program.getSourceFile(file) ?? getSourceFile(file, ...rest))
      : ts.createSourceFile(file, code, version)
  }
  host.fileExists = (file) => programs.has(file) || fileExists(file)
  host.readFile = (file) => programs.get(file) ?? readFile(file)
  const examples = ts.createProgram([...programs.keys()], config.options, host)
  const problems = [...programs.keys()].flatMap((file) =>
    [
      ...examples.getSyntacticDiagnostics(sourceAt(examples, file)),
      ...examples.getSemanticDiagnostics(sourceAt(examples, file)),
    ].map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
  )
  expect(problems, listed('These examples do not compile:', problems)).toEqual([])
})

const sourceAt = (examples: ts.Program, file: string) => examples.getSourceFile(file) as ts.SourceFile

test('the servers of the documents close as docs/mounting.md says, so that no unused connection keeps them', () => {
  const programs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:ts|mts|mjs|js)$/.test(file),
  )
  const closing = programs.filter((file) => readFileSync(join(root, 'docs', file), 'utf8').includes("'SIGTERM'"))
  expect(closing.length).toBeGreaterThan(5)
  const refused = closing.filter((file) => {
    const text = readFileSync(join(root, 'docs', file), 'utf8')
    // Bun has a server of another kind.
    return !/await (?:closeServer\(|served\.close\(|server\.stop\()/.test(text)
  })
  expect(refused).toEqual([])
})
