/**
 * Writes what the declared arguments say of themselves into the types of routes, where editors find it: the compiler infers the
 * types without the words. It marks the members; the marks become comments after the types have been shortened.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { Args } from '../../../src/core/declare/args.ts'
import { parsePattern } from '../../../src/core/declare/pattern.ts'
import type { Profile } from '../../../src/core/declare/profile.ts'

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The marks of one file, and the comments that they stand for. */
export class DescribedArguments {
  readonly #words: string[] = []
  readonly #routes: ReadonlyMap<string, readonly Args[]>

  private constructor(routes: ReadonlyMap<string, readonly Args[]>) {
    this.#routes = routes
  }

  /** Reads the declarations of the profiles from the build. */
  static async of(dist: string): Promise<DescribedArguments> {
    // The cast: what the main entry exports.
    const built = (await import(pathToFileURL(join(dist, 'index.js')).href)) as { readonly [name: string]: Profile }
    const routes = new Map<string, Args[]>()
    for (const name of ['full', 'd1', 'd2', 'content']) {
      for (const { namespace, endpoints } of built[name]?.features ?? []) {
        for (const { path, methods, args } of endpoints) {
          for (const method of methods) {
            const key = `${method} ${namespace} ${parsePattern(path).readable}`
            routes.set(key, [...(routes.get(key) ?? []), args])
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
    const [first, methods, args] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : []
    if (name === 'DeclaredEndpoint' && first && methods && args) {
      const edit = this.#described(literals(first)[0] ?? '', literals(methods), args, { namespace, checker })
      if (edit) edits.push(edit)
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
    const isSame = (args: Args) => members.every((member) => Object.hasOwn(args, member.name))
    const args = declared.find(isSame) ?? declared[0]
    if (!args || members.length === 0) return undefined
    const lines = members.map((member) => {
      const type = checker.typeToString(checker.getTypeOfSymbol(member), node, printed)
      return `${this.#marked(member.name, args[member.name]?.node.description)}: ${type};`
    })
    return { from: node.getStart(), to: node.getEnd(), text: `{${lines.join('\n')}}` }
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
    return text.replace(/\b(\w+?)__described(\d+)\b/g, (_, name, at) => {
      const words = (this.#words[Number(at)] ?? '').replaceAll('*/', '*\\/')
      // A comment on the line of the member before would be of that one.
      return `\n/** ${words} */${name}`
    })
  }
}

const printed =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteTypeArgumentsOfSignature

function literals(node: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literals)
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? [node.literal.text] : []
}
