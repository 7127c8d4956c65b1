/**
 * Reads what a newcomer does out of a guide. A block in `sh` has commands, one a line. The path of a file, as the last code span of
 * the paragraph above a block, makes the block this file; in `diff` it is a change of it, and changes below it go into the same file.
 */

export interface Command {
  readonly kind: 'command'
  readonly line: string
}

export interface WrittenFile {
  readonly kind: 'file'
  readonly path: string
  readonly text: string
}

export interface Change {
  readonly kind: 'change'
  readonly path: string
  /** Lines that begin with a space stay, those with a minus go, those with a plus come. */
  readonly lines: readonly string[]
}

export type Step = Command | WrittenFile | Change

export interface Section {
  readonly title: string
  readonly steps: readonly Step[]
}

/** The sections of a guide that have steps, in order. */
export function sectionsOf(markdown: string): readonly Section[] {
  return markdown
    .split(/^## /m)
    .map((part) => ({ title: part.slice(0, part.indexOf('\n')), steps: stepsOf(part) }))
    .filter(({ steps }) => steps.length > 0)
}

const block = /^```(\w+)\n([\s\S]*?)^```$/gm

function stepsOf(part: string): readonly Step[] {
  const steps: Step[] = []
  let [end, path] = [0, '']
  for (const found of part.matchAll(block)) {
    const [whole, language = '', text = ''] = found
    path = fileNamedIn(part.slice(end, found.index)) ?? path
    end = found.index + whole.length
    steps.push(...stepsOfBlock(language, text, path))
  }
  return steps
}

/** The file that a paragraph before a block ends with, as in "A new file, `src/tides.ts`:". */
const fileNamedIn = (prose: string): string | undefined =>
  /`([\w./-]+\.\w+)`:\s*$/.exec(prose.replaceAll(/\n(?!\n)/g, ' '))?.[1]

function stepsOfBlock(language: string, text: string, path: string): readonly Step[] {
  if (language === 'sh') {
    const lines = text.replaceAll('\\\n', ' ').trimEnd().split('\n')
    return lines.map((line) => ({ kind: 'command', line }))
  }
  if (path === '') return []
  if (language === 'diff') return [{ kind: 'change', path, lines: text.trimEnd().split('\n') }]
  return [{ kind: 'file', path, text }]
}

/** Changes a text as a person does who reads the change. Throws where the lines are not in it exactly once. */
export function changed(text: string, { path, lines }: Change): string {
  const sideOf = (mark: string) => lines.filter((line) => line === '' || ' '.concat(mark).includes(line[0] ?? ' '))
  const bodyOf = (side: readonly string[]) => side.map((line) => `${line.slice(1)}\n`).join('')
  const [before, after] = [bodyOf(sideOf('-')), bodyOf(sideOf('+'))]
  const parts = text.split(before)
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times, not once:\n${before}`)
  return parts.join(after)
}

/** How many lines a newcomer writes in a step; commands are counted apart. */
export function linesOf(step: Step): number {
  if (step.kind === 'command') return 0
  if (step.kind === 'file') return step.text.trimEnd().split('\n').length
  return step.lines.filter((line) => line.startsWith('+')).length
}
