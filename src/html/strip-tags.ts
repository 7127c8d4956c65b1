/** Text without markup. The result holds no tags, also none that the removal of others would put together. */
import { tokenize } from './tokenize.ts'
import type { Token } from './tokens.ts'

/** Elements whose text no reader sees. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style'])
/** A tag or an end tag that never ends. The tokenizer leaves it in the last text. */
const UNFINISHED = /<\/?[a-z]/i
/** These signs after a `<` would make it the start of markup. */
const STARTS_MARKUP = /[a-z/!?]/i

/** Removes tags, comments and an unfinished tag at the end. The text between them stays as written, references too. */
export function stripTags(text: string): string {
  if (!text.includes('<')) return text
  const html = withoutInstructions(text)
  return joinedText(html, tokenize(html, { rawText: false }))
}

/** Like `stripTags`, and scripts and styles go with their text. */
export function stripMarkup(text: string): string {
  if (!text.includes('<')) return text
  const html = withoutInstructions(text)
  const tokens = tokenize(html)
  const seen = tokens.map((token, index) => {
    const before = tokens[index - 1]
    const isUnseen = token.kind === 'text' && before?.kind === 'open' && UNSEEN.has(before.lowerName)
    return isUnseen ? ' ' : html.slice(token.start, token.end)
  })
  return stripTags(seen.join(''))
}

/** `<? ... ?>` goes first, since a `>` inside would end it for the tokenizer. */
function withoutInstructions(text: string): string {
  let kept = ''
  let from = 0
  for (let open = text.indexOf('<?'); open !== -1; open = text.indexOf('<?', from)) {
    const close = text.indexOf('?>', open)
    if (close === -1) break
    kept += text.slice(from, open)
    from = close + 2
  }
  return kept + text.slice(from)
}

function joinedText(html: string, tokens: readonly Token[]): string {
  const texts: string[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'text') continue
    const whole = html.slice(token.start, token.end)
    const text = index === tokens.length - 1 ? withoutUnfinished(whole) : whole
    if (STARTS_MARKUP.test(text.charAt(0))) dropOpenings(texts)
    if (text !== '') texts.push(text)
  }
  return texts.join('')
}

function withoutUnfinished(text: string): string {
  const start = text.search(UNFINISHED)
  return start === -1 ? text : text.slice(0, start)
}

/** Takes the `<` at the end away: with the text that follows they would be markup again. */
function dropOpenings(texts: string[]): void {
  for (let last = texts.at(-1); last?.endsWith('<'); last = texts.at(-1)) {
    texts.pop()
    let end = last.length
    while (last.charAt(end - 1) === '<') end--
    if (end > 0) texts.push(last.slice(0, end))
  }
}
