/** Reads the comments of source files, and finds those that the house rules for comments refuse. */
import ts from 'typescript'

export interface Comment {
  line: number
  /** Without its signs, code blocks and line ends; successive line comments are one. */
  text: string
}

/** Comments that tools read, and lines that divide a file: neither has sentences to judge. */
const forTools = /^(?:biome-ignore|@ts-|\/|@vitest|[-=]{3,}|#|v8 ignore|Stryker)/

export function commentsOf(source: string, file: string): Comment[] {
  const scanned = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false)
  const ranges = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) ranges.set(range.pos, range)
    for (const range of ts.getTrailingCommentRanges(source, node.end) ?? []) ranges.set(range.pos, range)
    for (const child of node.getChildren(scanned)) visit(child)
  }
  visit(scanned)
  const comments: (Comment & { end: number; isLine: boolean })[] = []
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia
    const text = plainText(source.slice(range.pos, range.end))
    const last = comments.at(-1)
    if (isLine && last?.isLine && /^[\n ]*$/.test(source.slice(last.end, range.pos)) && !forTools.test(text)) {
      last.text += ` ${text}`
      last.end = range.end
    } else {
      comments.push({ line: scanned.getLineAndCharacterOfPosition(range.pos).line + 1, text, end: range.end, isLine })
    }
  }
  return comments.filter(({ text }) => text !== '' && !forTools.test(text)).map(({ line, text }) => ({ line, text }))
}

function plainText(comment: string): string {
  return comment
    .replace(/^\/\/|^\/\*\*?|\*\/$/g, '')
    .replace(/^ *\* ?/gm, '')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
