/**
 * Balances the tags of a text: closes open elements and drops stray end tags, so that the text stays inside the element that
 * contains it. A balanced text is returned unchanged.
 */
import { RAW_TEXT } from '../../../html/raw-text.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { OpenTag, Token } from '../../../html/tokens.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const VOID = words('area base br col embed frame hr img input keygen link meta param source track wbr')
/** A browser reads these tags once per page only. */
const IGNORED = words('html head body frameset plaintext')
const FOREIGN = words('svg math')

/** HTML, optional tags: an element ends where one of `closers` starts, unless a `boundary` is between them. */
interface Optional {
  readonly names: ReadonlySet<string>
  readonly closers: ReadonlySet<string>
  readonly boundary: ReadonlySet<string>
}

const SCOPE = 'table td th caption button object template marquee applet'
const TABLE = words('table template')
const OPTIONAL: readonly Optional[] = [
  {
    names: words('p'),
    closers: words(
      'address article aside blockquote center details dialog dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
        'h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul',
    ),
    boundary: words(SCOPE),
  },
  { names: words('li'), closers: words('li'), boundary: words(`ul ol menu ${SCOPE}`) },
  { names: words('dd dt'), closers: words('dd dt'), boundary: words(`dl ${SCOPE}`) },
  { names: words('a'), closers: words('a'), boundary: words(SCOPE) },
  { names: words('button'), closers: words('button'), boundary: words(SCOPE.replace(' button', '')) },
  { names: words('td th caption'), closers: words('td th tr tbody thead tfoot caption'), boundary: TABLE },
  { names: words('tr'), closers: words('tr tbody thead tfoot'), boundary: TABLE },
  { names: words('tbody thead tfoot'), closers: words('tbody thead tfoot'), boundary: TABLE },
  { names: words('option'), closers: words('option optgroup'), boundary: words('select datalist template') },
]

interface Open {
  readonly name: string
  /** A bit for each entry of `OPTIONAL` that is open and in reach. */
  readonly reach: number
  readonly isForeign: boolean
}

export function balanced(html: string): string {
  if (!html.includes('<')) return html
  const open: Open[] = []
  // A count per name detects a stray end tag without searching the open elements.
  const counts = new Map<string, number>()
  let result = ''

  function close(): void {
    const { name } = open.pop() as Open
    counts.set(name, (counts.get(name) ?? 1) - 1)
    result += `</${name}>`
  }
  function closeOptional(name: string): void {
    for (const [bit, { names, closers }] of OPTIONAL.entries()) {
      if (!closers.has(name) || ((open.at(-1)?.reach ?? 0) & (1 << bit)) === 0) continue
      while (!names.has(open.at(-1)?.name ?? '')) close()
      close()
    }
  }
  function start(token: OpenTag): void {
    const { lowerName: name } = token
    if (IGNORED.has(name)) return
    const parent = open.at(-1)
    const isForeign = parent?.isForeign === true || FOREIGN.has(name)
    if (!isForeign) closeOptional(name)
    result += html.slice(token.start, token.end)
    if (isForeign ? token.isSelfClosing : VOID.has(name)) return
    open.push({ name, reach: isForeign ? 0 : reachOf(name, open.at(-1)?.reach ?? 0), isForeign })
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  function end(name: string): void {
    if ((counts.get(name) ?? 0) === 0) return
    while (open.at(-1)?.name !== name) close()
    close()
  }
  for (const token of tokenize(html)) {
    if (token.kind === 'open') start(token)
    else if (token.kind === 'close') end(token.lowerName)
    else result += withoutOpenEnd(html, token, open.at(-1)?.name)
  }
  while (open.length > 0) close()
  return result
}

function reachOf(name: string, around: number): number {
  let reach = around
  for (const [bit, { names, boundary }] of OPTIONAL.entries()) {
    if (names.has(name)) reach |= 1 << bit
    else if (boundary.has(name)) reach &= ~(1 << bit)
  }
  return reach
}

/** Drops a tag or a comment that never ends, because it would take in the text that follows. */
function withoutOpenEnd(html: string, { kind, start, end }: Token, parent: string | undefined): string {
  const source = html.slice(start, end)
  if (kind === 'text')
    return parent !== undefined && RAW_TEXT.has(parent) ? source : source.replace(/<(?=[a-z/!?])/gi, '&lt;')
  if (kind === 'comment') return source.endsWith('-->') ? source : `${source}-->`
  return source.endsWith('>') ? source : ''
}
