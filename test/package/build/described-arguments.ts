/**
 * Writes what declared arguments and members of responses say of themselves into the types of routes, where editors find it: the
 * compiler infers the types without the words. It marks the members; the marks become comments after the types have been shortened.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { Args, SchemaNode } from '../../../src/core/declare/args.ts'
import { parsePattern } from '../../../src/core/declare/pattern.ts'
import type { Profile } from '../../../src/core/declare/profile.ts'
import type { Responses } from '../../../src/core/declare/response-schema.ts'

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Route {
  readonly args: Args
  readonly responses: Responses
}

/** The marks of one file, and the comments that they stand for. */
export class DescribedArguments {
  readonly #words: string[] = []
  readonly #routes: ReadonlyMap<string, readonly Route[]>

  private constructor(routes: ReadonlyMap<string, readonly Route[]>) {
    this.#routes = routes
  }

  /** Reads the declarations of the profiles from the build. */
  static async of(dist: string): Promise<DescribedArguments> {
    // The cast: what the main entry exports.
    const built = (await import(pathToFileURL(join(dist, 'index.js')).href)) as { readonly [name: string]: Profile }
    const routes = new Map<string, Route[]>()
    for (const name of ['full', 'd1', 'd2', 'content']) {
      for (const { namespace, endpoints } of built[name]?.features ?? []) {
        for (const { path, methods, args, responses = {} } of endpoints) {
          for (const method of methods) {
            const key = `${method} ${namespace} ${parsePattern(path).readable}`
            routes.set(key, [...(routes.get(key) ?? []), { args, responses }])
          }
        }
      }
    }
    return new DescribedArguments(routes)
  }

  /** Marks the arguments of the routes in a file of declarations, and returns its text. */
  mark(file: string): string {
    const program = ts.createProgram([file], { skipLibCheck: true, types: ['node'], module: ts.ModuleKind.NodeNext })
    const source = program.getSourceFile(file)
    if (!source) throw new Error(`There is no ${file}`)
    const edits: Edit[] = []
    for (const statement of source.statements) {
      if (ts.isVariableStatement(statement)) this.#visit(statement, '', program.getTypeChecker(), edits)
    }
    return edits.reduceRight((text, { from, to, text: own }) => text.slice(0, from) + own + text.slice(to), source.text)
  }

  #visit(node: ts.Node, namespace: string, checker: ts.TypeChecker, edits: Edit[]): void {
    const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : ''
    const [first, methods, args, responses] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : []
    if (name === 'DeclaredEndpoint' && first && methods && args) {
      const edit = this.#described(literals(first)[0] ?? '', literals(methods), args, { namespace, checker })
      if (edit) edits.push(edit)
      const key = `${namespace} ${literals(first)[0] ?? ''}`
      if (responses) this.#describeResponses(responses, `${literals(methods)[0]} ${key}`, `POST ${key}`, edits)
      return
    }
    const below = name === 'DeclaredFeature' && first ? (literals(first)[0] ?? '') : namespace
    node.forEachChild((child) => this.#visit(child, below, checker, edits))
  }

  #described(
    path: string,
    [method = '']: readonly string[],
    node: ts.TypeNode,
    { namespace, checker }: { readonly namespace: string; readonly checker: ts.TypeChecker },
  ): Edit | undefined {
    const members = checker.getPropertiesOfType(checker.getTypeFromTypeNode(node))
    const declared = this.#routes.get(`${method} ${namespace} ${path}`) ?? []
    const isSame = ({ args }: Route) => members.every((member) => Object.hasOwn(args, member.name))
    const args = (declared.find(isSame) ?? declared[0])?.args
    if (!args || members.length === 0) return undefined
    const lines = members.map((member) => {
      const type = checker.typeToString(checker.getTypeOfSymbol(member), node, printed)
      return `${this.#marked(member.name, args[member.name]?.node.description)}: ${type};`
    })
    return { from: node.getStart(), to: node.getEnd(), text: `{${lines.join('\n')}}` }
  }

  /** A member without words has those of the argument that writes it. */
  #describeResponses(node: ts.TypeNode, key: string, writing: string, edits: Edit[]): void {
    if (!ts.isTypeLiteralNode(node)) return
    const responses = this.#routes.get(key)?.[0]?.responses ?? {}
    // Elsewhere names say enough, and each form of a record has its declaration.
    const written = writing.startsWith('POST cms/v2') ? (this.#routes.get(writing)?.[0]?.args ?? {}) : {}
    for (const member of node.members) {
      const schema = responses[Number(member.name?.getText())]
      if (schema && ts.isPropertySignature(member)) this.#describeMembers(member.type, schema.node, written, edits)
    }
  }

  #describeMembers(node: ts.Node | undefined, schema: SchemaNode, written: Args, edits: Edit[]): void {
    if (!node) return
    if (!ts.isPropertySignature(node)) {
      const inside = ts.isArrayTypeNode(node) ? (schema.items ?? schema) : schema
      node.forEachChild((child) => this.#describeMembers(child, inside, written, edits))
      return
    }
    const name = node.name.getText()
    const own = propertyOf(schema, name)
    const description = own?.description ?? written[name]?.node.description
    if (description !== undefined && /^\w+$/.test(name)) {
      edits.push({ from: node.name.getStart(), to: node.name.getEnd(), text: this.#marked(name, description) })
    }
    if (own) this.#describeMembers(node.type, own, {}, edits)
  }

  #marked(name: string, description: string | undefined): string {
    if (!/^\w+$/.test(name)) return `'${name}'`
    if (description === undefined) return name
    const known = this.#words.indexOf(description)
    const at = known === -1 ? this.#words.push(description) - 1 : known
    return `${name}__described${at}`
  }

  /** Puts the comments in the place of the marks. */
  comment(text: string): string {
    return text.replace(/((?:\breadonly )?\b\w+?)__described(\d+)\b/g, (_, name, at) => {
      const words = (this.#words[Number(at)] ?? '').replaceAll('*/', '*\\/')
      // A comment on the line of the member before would be of that one.
      return `\n/** ${words} */${name}`
    })
  }
}

const propertyOf = (schema: SchemaNode, name: string): SchemaNode | undefined =>
  schema.properties?.[name] ??
  [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    .map((one) => propertyOf(one, name))
    .find((one) => one !== undefined)

const printed =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteTypeArgumentsOfSignature

function literals(node: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literals)
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : []
}
