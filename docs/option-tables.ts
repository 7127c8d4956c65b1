/**
 * Reads the options of the package from their types: name, type, default and meaning of each. The default is the sentence
 * "Default: …" of an option's comment. Without that sentence a flag is false, and any other optional member has no default.
 */
import ts from 'typescript'
import { commentOf, entries, isOurs, sourceFile, sourceProgram } from './source-program.ts'

export interface DescribedOption {
  /** Members of nested options have a dot: `limits.bodyBytes`. */
  readonly name: string
  readonly type: string
  /** `required`, `none`, or the value that counts without the option. */
  readonly default: string
  readonly text: string
}

/** An exported function that takes options, or an exported type of options that methods take. */
export interface DescribedOptions {
  /** The module that exports it, such as `site-api/node`. */
  readonly entry: string
  /** The name that a host imports. */
  readonly name: string
  /** A function with the names of its parameters: `sqliteStorage(file, options)`. */
  readonly title: string
  /** The first sentence of its comment. */
  readonly summary: string
  readonly options: readonly DescribedOption[]
}

/** Other documents describe the storage contract, controls of widgets and test cases. */
const otherEntries = ['cli/main', 'names', 'reading-worker', 'render', 'storage', 'testing']
/** Functions whose argument is no options: they declare parts of a feature (docs/add-a-route.md) or take a profile. */
const withoutOptions = ['collectionsOf', 'feature', 'noStore', 'result']

let all: readonly DescribedOptions[] | undefined

/** All options of the package: by entry, functions before types, sorted by name. */
export function describedOptions(): readonly DescribedOptions[] {
  all ??= Object.entries(entries)
    .filter(([entry]) => !otherEntries.includes(entry))
    .flatMap(([entry, path]) => describedEntry(entry, path))
  return all
}

function describedEntry(entry: string, path: string): DescribedOptions[] {
  const checker = sourceProgram().getTypeChecker()
  const module = checker.getSymbolAtLocation(sourceFile(path))
  const exported = (module ? checker.getExportsOfModule(module) : []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const from = entry === 'index' ? 'site-api' : `site-api/${entry.replace('adapters/', '')}`
  const described = exported.flatMap((symbol) => {
    const target = targetOf(symbol)
    if (withoutOptions.includes(symbol.name)) return []
    const { parameters, types } = parametersOf(target)
    const options = withoutDoubles(types.flatMap((type) => optionsOf(type)))
    const title = `${symbol.name}(${parameters.join(', ')})`
    return options.length > 0 ? [{ entry: from, name: symbol.name, title, summary: summaryOf(target), options }] : []
  })
  const known = new Set(
    described.flatMap(({ options }) => options.flatMap((option) => [identity(option), inside(option)])),
  )
  const others = exported.flatMap((symbol) => {
    const target = targetOf(symbol)
    if (!symbol.name.endsWith('Options')) return []
    const { name } = symbol
    const options = optionsOf(checker.getDeclaredTypeOfSymbol(target))
    // The options of a function are in its table already.
    if (options.every((option) => known.has(identity(option)))) return []
    return [{ entry: from, name, title: name, summary: summaryOf(target), options }]
  })
  return [...described, ...others]
}

const identity = ({ name, type, text }: DescribedOption) => `${name}: ${type} ${text}`
/** Identifies a member of nested options by its last name. */
const inside = (option: DescribedOption) => identity(option).replace(/^\w+\./, '')

function targetOf(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? sourceProgram().getTypeChecker().getAliasedSymbol(symbol) : symbol
}

/** The parameters of a function by name, and the types of those that are options. */
function parametersOf(symbol: ts.Symbol): { readonly parameters: readonly string[]; readonly types: ts.Type[] } {
  const checker = sourceProgram().getTypeChecker()
  const signatures = symbol.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(symbol).getCallSignatures() : []
  // The last overload is the general one.
  const parameters = (signatures.at(-1)?.parameters ?? []).map((parameter) => ({
    // A parameter that is destructured has no name.
    name: parameter.name.startsWith('__') ? 'options' : parameter.name,
    type: checker.getNonNullableType(checker.getTypeOfSymbol(parameter)),
  }))
  const types = parameters
    .filter(({ name }) => name === 'options')
    .flatMap(({ type }) => (type.isUnion() ? type.types : [type]))
  return { parameters: parameters.map(({ name }) => name), types: types.filter(isObject) }
}

const isObject = (type: ts.Type) =>
  (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && type.getCallSignatures().length === 0

function withoutDoubles(options: readonly DescribedOption[]): readonly DescribedOption[] {
  return options.filter(({ name }, index) => options.findIndex((other) => other.name === name) === index)
}

/** The members of a type of options, inherited ones among them; those of nested options follow their parent. */
function optionsOf(type: ts.Type, prefix = ''): DescribedOption[] {
  const checker = sourceProgram().getTypeChecker()
  return checker.getPropertiesOfType(type).flatMap((member) => {
    if (!member.declarations?.some((node) => isOurs(node) && ts.isPropertySignature(node))) return []
    const name = prefix + member.name
    const nested = nestedOptions(checker.getTypeOfSymbol(member))
    return [{ name, type: typeText(member), ...meaning(member) }, ...(nested ? optionsOf(nested, `${name}.`) : [])]
  })
}

/** The object in the type of a member, if each of its members may be left out: these are options too. */
function nestedOptions(type: ts.Type): ts.Type | undefined {
  const parts = type.isUnion() ? type.types : [type]
  const [object, ...others] = parts.filter(({ flags }) => flags & ts.TypeFlags.Object)
  if (!object || others.length > 0 || !isObject(object)) return undefined
  const members = sourceProgram().getTypeChecker().getPropertiesOfType(object)
  const areOptions = members.every(
    ({ flags, declarations = [] }) =>
      flags & ts.SymbolFlags.Optional && declarations.some((node) => isOurs(node) && ts.isPropertySignature(node)),
  )
  return members.length > 0 && areOptions ? object : undefined
}

/** The type in one line as the source writes it; `object` for one without a name. */
function typeText(member: ts.Symbol): string {
  const checker = sourceProgram().getTypeChecker()
  const written = member.declarations?.find(ts.isPropertySignature)?.type
  if (!written) return 'function'
  if (ts.isTypeLiteralNode(written)) return 'object'
  const type = checker.getTypeFromTypeNode(written)
  const isPlain = !(type.flags & ts.TypeFlags.TypeParameter) && !ts.isIndexedAccessTypeNode(written)
  const text = isPlain
    ? written.getText()
    : checker.typeToString(checker.getNonNullableType(checker.getBaseConstraintOfType(type) ?? type))
  return text
    .replace(/\breadonly /g, '')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/,? \)/g, ')')
}

function meaning(member: ts.Symbol): Pick<DescribedOption, 'default' | 'text'> {
  const { text, stated } = splitDefault(commentOf(member))
  if (stated !== undefined) return { text, default: stated }
  if (!(member.flags & ts.SymbolFlags.Optional)) return { text, default: 'required' }
  return { text, default: typeText(member) === 'boolean' ? 'false' : 'none' }
}

const summaryOf = (symbol: ts.Symbol) => /^.*?[.:](?=\s|$)/.exec(commentOf(symbol))?.[0].replace(/:$/, '.') ?? ''

/** The comment without its sentence "Default: …", and what the sentence says. */
function splitDefault(comment: string): { readonly text: string; readonly stated?: string } {
  const match = /(?:^| )Default: (.*?)(?:\.$|\. (?=[A-Z`]))/.exec(comment)
  if (!match) return { text: comment }
  const [sentence, stated = ''] = match
  return { text: `${comment.slice(0, match.index)} ${comment.slice(match.index + sentence.length)}`.trim(), stated }
}
