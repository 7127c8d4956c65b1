/**
 * Declares the tokenizer of css-tree, whose types cover the main entry only. The tokenizer loads without the tables of the
 * lexer.
 */
declare module 'css-tree/tokenizer' {
  type TokenTypes = typeof import('css-tree').tokenTypes
  export const tokenTypes: TokenTypes
  export const tokenNames: readonly string[]
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void
}
