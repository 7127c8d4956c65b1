/** The sources of the package as one program of the TypeScript compiler, for the tables that follow from types. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const home = fileURLToPath(new URL('..', import.meta.url))

/** Names the source file of each entry of the package, such as `storage/sqlite`. */
export const entries: { readonly [entry: string]: string } = JSON.parse(readFileSync(`${home}package.json`, 'utf8'))
  .tsup.entry

let program: ts.Program | undefined

/** Parsed once for all tables. */
export function sourceProgram(): ts.Program {
  if (program) return program
  const { config } = ts.readConfigFile(`${home}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, home)
  program = ts.createProgram(
    Object.values(entries).map((file) => home + file),
    options,
  )
  return program
}

/** The source file at a path from the root of the repository. Throws if the package does not reach it. */
export function sourceFile(path: string): ts.SourceFile {
  const file = sourceProgram().getSourceFile(home + path)
  if (!file) throw new Error(`no entry of the package imports ${path}`)
  return file
}

/** Whether a declaration is in the repository, not in a package. */
export const isOurs = (node: ts.Node): boolean => {
  const { fileName } = node.getSourceFile()
  return fileName.startsWith(home) && !fileName.includes('/node_modules/')
}

/** The comment of a symbol in one line. */
export const commentOf = (symbol: ts.Symbol): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(sourceProgram().getTypeChecker())).replace(/\s+/g, ' ')
