/**
 * Names for the types that declarations repeat, as an editor shows them: a feature by its first route (`PostsFeature`), an
 * argument, a response or a value by the member that has it (`PerPageArg`).
 */
import ts from 'typescript'

const suffixes: { readonly [generic: string]: string } = {
  Arg: 'Arg',
  RequiredArg: 'Arg',
  TextArg: 'Arg',
  ResponseSchema: 'Response',
  Sometimes: 'Response',
  DeclaredEndpoint: 'Endpoint',
  DeclaredFeature: 'Feature',
}

export class ShapeNames {
  /** The names of the features, which a host's declarations may name. */
  readonly features: string[] = []
  readonly #taken: Set<string>

  /** No name may be one that the file has already. */
  constructor(text: string) {
    this.#taken = new Set(text.match(/[A-Za-z_$][\w$]*/g))
  }

  nameOf(node: ts.TypeNode): string {
    const generic = ts.isTypeReferenceNode(node) ? node.typeName.getText() : ''
    const base = generic === 'DeclaredFeature' ? routeIn(node) : memberOf(node)
    const name = this.#free(plainName(node) ?? `${base}${suffixes[generic] ?? 'Value'}`)
    if (generic === 'DeclaredFeature') this.features.push(name)
    return name
  }

  #free(wanted: string): string {
    let name = wanted
    for (let at = 2; this.#taken.has(name); at++) name = `${wanted}${at}`
    this.#taken.add(name)
    return name
  }
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Types of plain values belong to no member: `StringArg`, and `StringDefaultArg` where the value is always given. */
function plainName(node: ts.TypeNode): string | undefined {
  if (ts.isTypeLiteralNode(node) && node.members.length === 1 && node.members.some(ts.isIndexSignatureDeclaration)) {
    return 'OtherMembers'
  }
  const list = /^readonly ?(string|number)\[\]$/.exec(node.getText())?.[1]
  if (list !== undefined) return `${pascal(list)}List`
  if (!ts.isTypeReferenceNode(node)) return undefined
  const [value, given] = node.typeArguments ?? []
  const kind = /^(?:string|number|boolean)$/.exec(value?.getText() ?? '')?.[0]
  const suffix = suffixes[node.typeName.getText()]
  return kind && suffix ? `${pascal(kind)}${given?.getText() === 'true' ? 'Default' : ''}${suffix}` : undefined
}

/** Reads the words of the first path below a feature, or of its namespace: `DeclaredFeature<'cms/v2', DeclaredEndpoint<'/posts', ...>>`. */
function routeIn(node: ts.Node): string {
  let found = ''
  let namespace = ''
  const visit = (inner: ts.Node): void => {
    if (ts.isLiteralTypeNode(inner) && ts.isStringLiteral(inner.literal)) {
      const { text } = inner.literal
      const words = pascal(text.replace(/\{\w+\}/g, ''))
      if (text.startsWith('/') && words !== 'Route') found ||= words
      else if (!methods.has(text)) namespace ||= words
    }
    if (found === '') inner.forEachChild(visit)
  }
  visit(node)
  return found || namespace || 'Shared'
}

function memberOf(node: ts.Node): string {
  for (let at = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isPropertySignature(at) && !ts.isNumericLiteral(at.name)) {
      return pascal(at.name.getText().replace(/__described\d+$/, ''))
    }
    if (ts.isTypeReferenceNode(at) && at.typeName.getText() === 'DeclaredEndpoint') return routeIn(at)
  }
  return 'Shared'
}

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^(?=\d|$)/, 'Route')
