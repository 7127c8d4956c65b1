/** Reads the declarations of the events with the TypeScript compiler: names, payloads, and what their comments say. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface DescribedEvent {
  readonly name: string
  /** Its members with their types: `id: number`. */
  readonly members: readonly string[]
  readonly text: string
}

const root = fileURLToPath(new URL('../src/host/events.ts', import.meta.url))

/** All events, sorted by name. */
export function describedEvents(): readonly DescribedEvent[] {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, strict: true, noEmit: true }
  const program = ts.createProgram([root], { ...options, allowImportingTsExtensions: true, types: [] })
  const checker = program.getTypeChecker()
  const payloads = program
    .getSourceFiles()
    .flatMap((file) => [...file.statements])
    .find((node) => ts.isInterfaceDeclaration(node) && node.name.text === 'EventPayloads')
  if (!payloads) throw new Error('no declaration of EventPayloads')
  const events = checker.getTypeAtLocation(payloads).getProperties()
  return events.map((event) => describe(checker, event)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function describe(checker: ts.TypeChecker, event: ts.Symbol): DescribedEvent {
  const members = checker.getTypeOfSymbol(event).getProperties()
  return {
    name: event.name,
    members: members.map((member) => `${member.name}: ${typeText(checker, member)}`),
    text: ts.displayPartsToString(event.getDocumentationComment(checker)).replace(/\s+/g, ' '),
  }
}

const typeText = (checker: ts.TypeChecker, member: ts.Symbol): string =>
  checker
    .typeToString(checker.getTypeOfSymbol(member), undefined, ts.TypeFormatFlags.NoTruncation)
    .replace(/readonly |import\("[^"]*"\)\./g, '')
