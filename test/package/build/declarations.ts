/**
 * Shortens the declarations that tsup wrote into `dist`. The type of a profile holds every route, written out in full where
 * it is used; here each shape that occurs more than once gets a name. Comments of whole files, indentation and empty lines go too.
 * Nothing changes in what the types mean: `npm run check:package` compiles programs against the result.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'
import { DescribedArguments } from './described-arguments.ts'
import { ShapeNames } from './shape-names.ts'

const dist = join(import.meta.dirname, '../../../dist')

/** A name costs its declaration, so short shapes stay where they are. */
const shortestShape = 16

/** Constants with shorter types have nothing to gain. */
const shortestConstant = 1000

/** These map the members of their argument to readonly ones, so `readonly` says nothing inside it. */
const readonlyMaps = new Set(['MemberValues', 'ObjectValue', 'DeclaredEndpoint'])

/** Replaces the long types of constants and results: profiles, the site document, the feature of a content type. */
function withNamedShapes(text: string): string {
  const source = ts.createSourceFile('index.d.ts', text, ts.ScriptTarget.Latest, true)
  const types = source.statements
    .flatMap((statement) => typeOf(statement) ?? [])
    .filter((type) => type.end - type.pos > shortestConstant)
  if (types.length === 0) return text
  const shapes = new Shapes(new ShapeNames(text))
  for (const type of types) shapes.count(type)
  const replacements = types.map((type) => shapes.write(type))
  let result = text
  // From the end, so that earlier positions stay right.
  for (const [index, type] of [...types.entries()].reverse()) {
    result = result.slice(0, type.getStart()) + replacements[index] + result.slice(type.getEnd())
  }
  const exported = shapes.names.features
  const exports = exported.length === 0 ? '' : `export type { ${exported.join(', ')} };\n`
  return `${result}\n${shapes.declarations.join('\n')}\n${exports}`
}

function typeOf(statement: ts.Statement): ts.TypeNode | undefined {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.type
  return ts.isFunctionDeclaration(statement) ? statement.type : undefined
}

class Shapes {
  readonly declarations: string[] = []
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly names: ShapeNames

  constructor(names: ShapeNames) {
    this.names = names
  }

  /** Counts the places of each shape; what lies inside a shape counts once, since it will be written once. */
  count(node: ts.Node): void {
    if (isShape(node)) {
      const key = keyOf(node)
      const uses = this.#uses.get(key) ?? 0
      this.#uses.set(key, uses + 1)
      if (uses > 0) return
    }
    node.forEachChild((child) => this.count(child))
  }

  write(node: ts.Node): string {
    if (!isShape(node) || ts.isLiteralTypeNode(node)) return this.#inner(node)
    const key = keyOf(node)
    if (key.length < shortestShape || (this.#uses.get(key) ?? 0) < 2) return this.#inner(node)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const parameters = parametersIn(node)
    if (parameters.some((parameter) => !ts.isFunctionDeclaration(parameter.parent))) return this.#inner(node)
    const word = this.names.nameOf(node)
    const list = (texts: readonly string[]) => (texts.length === 0 ? '' : `<${texts.join()}>`)
    const name = word + list(parameters.map((parameter) => parameter.name.text))
    this.#names.set(key, name)
    const declared = parameters.map(({ name: { text }, constraint }) =>
      constraint ? `${text} extends ${tight(constraint.getText())}` : text,
    )
    this.declarations.push(`type ${word}${list(declared)}=${this.#inner(node)};`)
    return name
  }

  #inner(node: ts.Node): string {
    if (ts.isIdentifier(node)) return node.text
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

/** The compiler counts the spans of a template among the types; they cannot have a name. */
const isShape = (node: ts.Node): node is ts.TypeNode => ts.isTypeNode(node) && !ts.isTemplateLiteralTypeSpan(node)

/** The type parameters that a shape uses and does not declare itself. */
function parametersIn(shape: ts.TypeNode): readonly ts.TypeParameterDeclaration[] {
  const found = new Set<ts.TypeParameterDeclaration>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
      const parameter = parameterOf(node.typeName)
      if (parameter && (parameter.pos < shape.pos || parameter.end > shape.end)) found.add(parameter)
    }
    node.forEachChild(visit)
  }
  visit(shape)
  return [...found]
}

function parameterOf(name: ts.Identifier): ts.TypeParameterDeclaration | undefined {
  for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
    const declared = ts.isMappedTypeNode(scope)
      ? [scope.typeParameter]
      : ts.isFunctionDeclaration(scope) || ts.isFunctionTypeNode(scope) || ts.isMethodSignature(scope)
        ? (scope.typeParameters ?? [])
        : []
    const parameter = declared.find((one) => one.name.text === name.text)
    if (parameter) return parameter
  }
  return undefined
}

const keys = new WeakMap<ts.TypeNode, string>()

/**
 * Two shapes with one key have one name. The key differs between an object type whose members lose `readonly` and one
 * whose members keep it.
 */
function keyOf(node: ts.TypeNode): string {
  const known = keys.get(node)
  if (known !== undefined) return known
  const losesReadonly = ts.isTypeLiteralNode(node) && node.members.some((member) => isMappedToReadonly(member))
  const key = (losesReadonly ? 'mapped ' : '') + tight(node.getText())
  keys.set(node, key)
  return key
}

/** The same tokens with blanks only where two words would join. Texts of templates stay as they are. */
function tight(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : tightTokens(part)))
    .join('')
    .replaceAll(';}', '}')
}

function tightTokens(text: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text)
  const tokens: string[] = []
  // The last token, not the text so far: that of a profile is long, and would be copied for each of its tokens.
  let last = ''
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) {
    const token = scanner.getTokenText()
    if (/[\w$"'`]$/.test(last) && /^[\w$]/.test(token)) tokens.push(' ')
    tokens.push(token)
    last = token
  }
  return tokens.join('')
}

const withoutIndentation = (text: string): string => text.replace(/^(?: {4})+/gm, '').replace(/\n{2,}/g, '\n')

/** A comment that is followed by an empty line belongs to no declaration. */
const withoutFileComments = (text: string): string => text.replace(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\n/gm, '')

/** The specifiers of our own augmentations name source files; in `dist` the interfaces are in the files that tsup made. */
const augmentation = /declare module '(\.[^']+\.ts)' \{\n([\s\S]*?)^\}$/gm

/** Points each augmentation to the file that declares its interfaces, which then exports them under their own names. */
function withAugmentations(declarations: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const result = new Map(declarations)
  // Several files may extend one interface, and a file comes before or after those that extend its interfaces.
  const exported = new Map<string, Set<string>>()
  for (const [file, text] of declarations) {
    const resolved = text.replace(augmentation, (block, specifier: string, inside: string) => {
      const names = [...inside.matchAll(/^ *interface (\w+)/gm)].map(([, name = '']) => name)
      const target = [...declarations.keys()].find(
        (other) =>
          other !== file &&
          names.every((name) => new RegExp(`^interface ${name}\\b`, 'm').test(declarations.get(other) ?? '')),
      )
      if (target === undefined) throw new Error(`No declarations of ${names.join(', ')}, which ${file} extends`)
      exported.set(target, new Set([...(exported.get(target) ?? []), ...names]))
      return block.replace(
        specifier,
        `${posix
          .relative(posix.dirname(file), target)
          .replace(/^(?!\.)/, './')
          .replace(/\.d\.ts$/, '.js')}`,
      )
    })
    result.set(file, resolved)
  }
  for (const [file, names] of exported) {
    result.set(file, `${result.get(file)}export type { ${[...names].join(', ')} };\n`)
  }
  return result
}

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
const described = await DescribedArguments.of(dist)
/** The main entry has the profiles. */
const textOf = (file: string) =>
  file === 'index.d.ts' ? described.mark(join(dist, file)) : readFileSync(join(dist, file), 'utf8')
const written = new Map(files.map((file) => [file.replaceAll(sep, '/'), textOf(file)]))
for (const [file, text] of withAugmentations(written)) {
  writeFileSync(join(dist, file), described.comment(withoutIndentation(withoutFileComments(withNamedShapes(text)))))
}
