/**
 * Shortens the declarations that tsup wrote into `dist`. The type of a profile holds every route, written out in full where
 * it is used; here each shape that occurs more than once gets a name. Comments of whole files and wide indentation go too.
 * Nothing changes in what the types mean: `npm run check:package` compiles programs against the result.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const dist = join(import.meta.dirname, '../dist')

/** A name costs its declaration, so short shapes stay where they are. */
const shortestShape = 16

/** Constants with shorter types have nothing to gain. */
const shortestConstant = 1000

/** What the types of routes are made of, with the names under which it is imported a second time. */
const shortNames: { readonly [generic: string]: string } = {
  DeclaredFeature: 'RF',
  DeclaredEndpoint: 'RE',
  RequiredArg: 'RQ',
  ResponseSchema: 'RS',
  MemberValues: 'RM',
  ObjectValue: 'RO',
  Sometimes: 'RT',
}

/** These map the members of their argument to readonly ones, so `readonly` says nothing inside it. */
const readonlyMaps = new Set(['MemberValues', 'ObjectValue', 'DeclaredEndpoint'])

/** Replaces the types of long constants: profiles, and the site document. */
function withNamedShapes(text: string): string {
  const source = ts.createSourceFile('index.d.ts', text, ts.ScriptTarget.Latest, true)
  const types = source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap((statement) => statement.declarationList.declarations[0]?.type ?? [])
    .filter((type) => type.end - type.pos > shortestConstant)
  if (types.length === 0) return text
  const imports = shortImports(source)
  const shapes = new Shapes(new Set(imports.keys()))
  for (const type of types) shapes.count(type)
  const replacements = types.map((type) => shapes.write(type))
  let result = text
  // From the end, so that earlier positions stay right.
  for (const [index, type] of [...types.entries()].reverse()) {
    result = result.slice(0, type.getStart()) + replacements[index] + result.slice(type.getEnd())
  }
  return `${[...imports.values()].join('\n')}\n${result}\n${shapes.declarations.join('\n')}\n`
}

/** By the name of the generic, the statement that imports it under its short name too. */
function shortImports(source: ts.SourceFile): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement)) continue
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) continue
    for (const { name, propertyName } of bindings.elements) {
      const short = shortNames[name.text]
      if (short === undefined) continue
      const from = statement.moduleSpecifier.getText()
      imports.set(name.text, `import { ${(propertyName ?? name).text} as ${short} } from ${from};`)
    }
  }
  return imports
}

class Shapes {
  readonly declarations: string[] = []
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #imported: ReadonlySet<string>

  constructor(imported: ReadonlySet<string>) {
    this.#imported = imported
  }

  /** Counts the places of each shape; what lies inside a shape counts once, since it will be written once. */
  count(node: ts.Node): void {
    if (ts.isTypeNode(node)) {
      const key = keyOf(node)
      const uses = this.#uses.get(key) ?? 0
      this.#uses.set(key, uses + 1)
      if (uses > 0) return
    }
    node.forEachChild((child) => this.count(child))
  }

  write(node: ts.Node): string {
    if (!ts.isTypeNode(node) || ts.isLiteralTypeNode(node)) return this.#inner(node)
    const key = keyOf(node)
    if (key.length < shortestShape || (this.#uses.get(key) ?? 0) < 2) return this.#inner(node)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = `R${this.#names.size.toString(36)}`
    this.#names.set(key, name)
    this.declarations.push(`type ${name}=${this.#inner(node)};`)
    return name
  }

  #inner(node: ts.Node): string {
    if (ts.isIdentifier(node)) return this.#imported.has(node.text) ? (shortNames[node.text] ?? node.text) : node.text
    const text = node.getSourceFile().text
    let written = ''
    let at = node.getStart()
    node.forEachChild((child) => {
      const isMapped = child.kind === ts.SyntaxKind.ReadonlyKeyword && isMappedToReadonly(node)
      written += text.slice(at, child.getStart()) + (isMapped ? '' : this.write(child))
      at = child.getEnd()
    })
    return tight(written + text.slice(at, node.getEnd()))
  }
}

/** Whether the member of an object type is an argument or a response, or below a generic that makes it readonly. */
function isMappedToReadonly(node: ts.Node): boolean {
  const user = node.parent.parent
  return (
    ts.isPropertySignature(node) &&
    ts.isTypeReferenceNode(user) &&
    ts.isIdentifier(user.typeName) &&
    readonlyMaps.has(user.typeName.text)
  )
}

/** Two shapes with one key have one name. An object type whose members lose `readonly` is told from one whose do not. */
function keyOf(node: ts.TypeNode): string {
  const losesReadonly = ts.isTypeLiteralNode(node) && node.members.some((member) => isMappedToReadonly(member))
  return (losesReadonly ? 'mapped ' : '') + tight(node.getText())
}

/** The same tokens with blanks only where two words would join. */
function tight(text: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text)
  let written = ''
  let token = scanner.scan()
  while (token !== ts.SyntaxKind.EndOfFileToken) {
    const next = scanner.getTokenText()
    if (/[\w$"'`]$/.test(written) && /^[\w$]/.test(next)) written += ' '
    written += next
    token = scanner.scan()
  }
  return written.replaceAll(';}', '}')
}

const withTabs = (text: string): string => text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4))

/** A comment that is followed by an empty line belongs to no declaration. */
const withoutFileComments = (text: string): string => text.replace(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\n/gm, '')

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const path = join(dist, file)
  writeFileSync(path, withoutFileComments(withTabs(withNamedShapes(readFileSync(path, 'utf8')))))
}
