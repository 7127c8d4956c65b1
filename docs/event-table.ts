/** Reads the declarations of the events with the TypeScript compiler: names, payloads, and what their comments say. */
import ts from 'typescript'
import { commentOf, sourceFile, sourceProgram } from './source-program.ts'

export interface DescribedEvent {
  readonly name: string
  /** Its members with their types: `id: number`. */
  readonly members: readonly string[]
  readonly text: string
}

/** All events, sorted by name. */
export function describedEvents(): readonly DescribedEvent[] {
  const payloads = sourceFile('src/core/declare/events.ts').statements.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'EventPayloads',
  )
  if (!payloads) throw new Error('no declaration of EventPayloads')
  const checker = sourceProgram().getTypeChecker()
  const events = checker.getTypeAtLocation(payloads).getProperties()
  return events.map((event) => describe(checker, event)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function describe(checker: ts.TypeChecker, event: ts.Symbol): DescribedEvent {
  const members = checker.getTypeOfSymbol(event).getProperties()
  return {
    name: event.name,
    members: members.map((member) => `${member.name}: ${typeText(checker, member)}`),
    text: commentOf(event),
  }
}

const typeText = (checker: ts.TypeChecker, member: ts.Symbol): string =>
  checker
    .typeToString(checker.getTypeOfSymbol(member), undefined, ts.TypeFormatFlags.NoTruncation)
    .replace(/readonly |import\("[^"]*"\)\./g, '')
