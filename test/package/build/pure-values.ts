/**
 * Marks the values at the top of each file as free of side effects, so that the bundler of an application leaves out those that
 * its profile does not use: a feature is the result of a call, which a bundler has to keep without the mark.
 *
 * `var posts = feature(...)` becomes `var posts = \/* @__PURE__ *\/ (() => (feature(...)))()`. The function covers what a mark of
 * the call alone would not: reads of members and spreads in the arguments. `sideEffects: false` of package.json promises the same of
 * whole files.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const dist = join(import.meta.dirname, '../../../dist')
const [opening, closing] = ['/* @__PURE__ */ (() => (', '))()']

/** Their evaluation has no effect that a bundler could not see. */
const isPlain = (value: ts.Expression): boolean =>
  ts.isFunctionLike(value) || ts.isClassLike(value) || ts.isLiteralExpression(value) || ts.isIdentifier(value)

/** A module waits for such a value, which a function around it could not. */
function waits(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true
  return !ts.isFunctionLike(node) && (ts.forEachChild(node, (child) => waits(child) || undefined) ?? false)
}

/** The bundler writes the path of a module as a comment above its code. */
const modulePath = /^\/\/ (\S+\.[cm]?[jt]s)$/gm

/** The values of our own modules: a package may rely on an effect of a value that it does not use. */
function valuesOf(source: ts.SourceFile): readonly ts.Expression[] {
  let path = ''
  const own = source.statements.filter((statement) => {
    const above = source.text.slice(statement.getFullStart(), statement.getStart())
    path = [...above.matchAll(modulePath)].at(-1)?.[1] ?? path
    return !path.includes('node_modules/')
  })
  return own
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) =>
      declarationList.declarations.flatMap(({ name, initializer }) =>
        initializer && ts.isIdentifier(name) && !isPlain(initializer) && !waits(initializer) ? [initializer] : [],
      ),
    )
}

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.js'))) {
  const path = join(dist, file)
  const text = readFileSync(path, 'utf8')
  let marked = ''
  let at = 0
  for (const value of valuesOf(ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true))) {
    const [start, end] = [value.getStart(), value.getEnd()]
    marked += `${text.slice(at, start)}${opening}${text.slice(start, end)}${closing}`
    at = end
  }
  if (at > 0) writeFileSync(path, marked + text.slice(at))
}
