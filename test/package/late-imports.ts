/**
 * Lists the dynamic imports of the built files with the names that are taken from each, and checks that the imported module exports
 * them: a bundler that puts CommonJS into a separate module exports `default` alone.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

interface LateImport {
  /** A path below `dist`. */
  readonly file: string
  readonly from: string
  /** Empty where the program takes the module as a whole. */
  readonly names: readonly string[]
}

type Load = (from: string) => Promise<object>

/** Problems of the package in a project where its peers are installed too, and `late-module.js`. */
export async function checkLateImports(folder: string): Promise<readonly string[]> {
  const dist = join(folder, 'node_modules/site-api/dist')
  // The cast: its only export.
  const { load } = (await import(pathToFileURL(join(folder, 'late-module.js')).href)) as { readonly load: Load }
  const found = lateImports(dist)
  console.log(`  ${found.length} dynamic imports, ${found.reduce((sum, { names }) => sum + names.length, 0)} names`)
  const problems = await Promise.all(found.map((one) => problemsOf(dist, load, one)))
  // An import whose names this reader does not find is not checked: all of them must have names.
  const unread = found
    .filter(({ names }) => names.length === 0)
    .map(({ file, from }) => `${file} takes no name of ${from}`)
  return [...unread, ...problems.flat()]
}

async function problemsOf(dist: string, load: Load, { file, from, names }: LateImport): Promise<readonly string[]> {
  const path = join(dist, file)
  const isOwn = from.startsWith('.')
  const module = await (isOwn ? import(pathToFileURL(join(dirname(path), from)).href) : load(from))
  return names
    .filter((name) => !(name in module))
    .map((name) => `${file} takes ${name} of ${from}, which exports ${Object.keys(module)}`)
}

export function lateImports(dist: string): readonly LateImport[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  return files.flatMap((file) => {
    const text = readFileSync(join(dist, file), 'utf8')
    if (!text.includes('import(')) return []
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
    const found: LateImport[] = []
    const visit = (node: ts.Node): void => {
      if (isImport(node)) found.push({ file, from: node.arguments[0].text, names: [...namesOf(node)] })
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

/** An import of a fixed module: the name of an optional peer is in a variable, so that no bundler follows it. */
const isImport = (node: ts.Node): node is ts.CallExpression & { readonly arguments: readonly [ts.StringLiteral] } =>
  ts.isCallExpression(node) &&
  node.expression.kind === ts.SyntaxKind.ImportKeyword &&
  node.arguments[0] !== undefined &&
  ts.isStringLiteral(node.arguments[0])

// ---------------------------------------------------------------- names

/** The names that the program takes of the value of an expression, from the import outwards: awaited, in a list, or handed to `then`. */
function* namesOf(value: ts.Expression): Generator<string> {
  const { parent } = value
  if (ts.isAwaitExpression(parent) || ts.isParenthesizedExpression(parent)) return yield* namesOf(parent)
  if (ts.isArrayLiteralExpression(parent)) return yield* namesOfElement(parent, parent.elements.indexOf(value))
  if (ts.isBinaryExpression(parent) && parent.right === value) return yield* namesOf(parent)
  if (ts.isVariableDeclaration(parent)) return yield* namesOfBinding(parent.name)
  if (ts.isPropertyAccessExpression(parent)) {
    const method = parent.name.text
    if (method === 'catch' && ts.isCallExpression(parent.parent)) return yield* namesOf(parent.parent)
    if (method !== 'then') return yield method
    return yield* namesOfCallback(parent.parent)
  }
  if (ts.isArrowFunction(parent)) yield* namesOfResult(parent)
}

/** `const load = () => import(…)`: the names that each call of it takes. */
function* namesOfResult({ parent }: ts.ArrowFunction): Generator<string> {
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return
  for (const call of callsOf(parent.name)) yield* namesOf(call)
}

function* namesOfBinding(name: ts.BindingName): Generator<string> {
  if (ts.isIdentifier(name)) return yield* membersOf(name)
  if (ts.isArrayBindingPattern(name)) return
  for (const { propertyName, name: own } of name.elements) yield ((propertyName ?? own) as ts.Identifier).text
}

/** `then(({ a }) => …)` and `then((module) => module.a)`. */
function* namesOfCallback(call: ts.Node): Generator<string> {
  const [callback] = ts.isCallExpression(call) ? call.arguments : []
  const parameter = callback && ts.isArrowFunction(callback) ? callback.parameters[0] : undefined
  if (parameter) yield* namesOfBinding(parameter.name)
}

/** `const [{ a }, b] = await Promise.all([import(…), import(…)])`. */
function* namesOfElement(list: ts.ArrayLiteralExpression, index: number): Generator<string> {
  let outer: ts.Node = list.parent
  while (!ts.isVariableDeclaration(outer) && outer.parent) outer = outer.parent
  if (!ts.isVariableDeclaration(outer) || !ts.isArrayBindingPattern(outer.name)) return
  const element = outer.name.elements[index]
  if (element && ts.isBindingElement(element)) yield* namesOfBinding(element.name)
}

/** The members that are read of a variable, in its block. */
function* membersOf(variable: ts.Identifier): Generator<string> {
  for (const use of usesOf(variable)) {
    if (ts.isPropertyAccessExpression(use.parent) && use.parent.expression === use) yield use.parent.name.text
  }
}

function* callsOf(name: ts.Identifier): Generator<ts.CallExpression> {
  for (const use of usesOf(name)) {
    if (ts.isCallExpression(use.parent) && use.parent.expression === use) yield use.parent
  }
}

/** In the block of the variable: others of the same name are in other blocks. */
function usesOf(variable: ts.Identifier): readonly ts.Identifier[] {
  let scope: ts.Node = variable.parent
  while (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isArrowFunction(scope)) scope = scope.parent
  const found: ts.Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === variable.text && node !== variable) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(scope)
  return found
}
