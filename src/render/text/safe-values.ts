/**
 * Attribute values that could run a script: addresses and styles. What is left of them is harmless; nothing else is
 * changed.
 */
import { PROTOCOLS, STYLES, STYLES_WITH_ADDRESS, STYLES_WITH_GRADIENT } from './allow-list.ts'

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f]/g
const COLON = /:|&#0*58;|&#x0*3a;|&colon;/i
const MAX_ROUNDS = 6

/** The address without a protocol that is not allowed, also one hidden behind another or written with entities. */
export function safeAddress(value: string): string {
  let address = value.replace(CONTROLS, '').replace(/\\+0+/g, '')
  if (address.startsWith('https://') || address.startsWith('http://')) return address
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = withoutProtocol(address)
    if (next === address) return address
    address = next
  }
  return ''
}

/** Interface: `feed:` may stand before one other address. */
function withoutProtocol(address: string): string {
  let rest = address
  let before = ''
  for (let depth = 0; depth < 3; depth++) {
    const colon = COLON.exec(rest)
    if (colon === null) return before + rest
    const protocol = rest.slice(0, colon.index)
    if (protocol.includes('/?')) return before + rest
    rest = rest.slice(colon.index + colon[0].length).trim()
    const name = decoded(protocol).replace(/\s/g, '').replace(CONTROLS, '').toLowerCase()
    if (PROTOCOLS.has(name)) before += `${name}:`
    if (name !== 'feed') return before + rest
  }
  return ''
}

function decoded(text: string): string {
  return text.replace(/&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));/g, (_, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The declarations that are allowed, in their order. A value with signs that could hide something takes its declaration along. */
export function safeStyle(value: string): string {
  const kept: string[] = []
  const text = value
    .replace(CONTROLS, '')
    .replace(/\\+0+/g, '')
    .replace(/[\n\r\t]/g, '')
  for (const part of text.split(';')) {
    const declaration = part.trim()
    if (declaration !== '' && isSafeDeclaration(declaration)) kept.push(declaration)
  }
  return kept.join(';')
}

function isSafeDeclaration(declaration: string): boolean {
  const colon = declaration.indexOf(':')
  if (colon === -1) return !UNSAFE.test(withoutFunctions(declaration))
  const name = declaration.slice(0, colon).trim()
  const value = declaration.slice(colon + 1).trim()
  const isVariable = /^--[a-zA-Z0-9_-]+$/.test(name)
  if (!isVariable && !STYLES.has(name)) return false
  let tested = value
  if (isVariable ? value.startsWith('url(') : STYLES_WITH_ADDRESS.has(name)) {
    const rest = withoutAddresses(tested)
    if (rest === undefined) return false
    tested = rest
  }
  if ((isVariable || STYLES_WITH_GRADIENT.has(name)) && GRADIENT.test(tested)) tested = ''
  return !UNSAFE.test(withoutFunctions(tested))
}

const UNSAFE = /[\\(&=}]|\/\*/
const GRADIENT = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|rgba?\([^()]*\))*\)$/

/** The value without its `url(…)`; undefined when one of them is not safe. */
function withoutAddresses(value: string): string | undefined {
  // Behind the last parenthesis none closes; looking for one from every `url(` there would take forever.
  const end = value.lastIndexOf(')') + 1
  let isSafe = true
  const rest = value.slice(0, end).replace(/url\(([^)]+)\)/g, (_, written: string) => {
    const inner = written.trim()
    const quote = inner[0] === '"' || inner[0] === "'" ? inner[0] : ''
    const address = (quote !== '' && inner.length > 1 && inner.endsWith(quote) ? inner.slice(1, -1) : inner).trim()
    if (address === '' || safeAddress(address) !== address) isSafe = false
    return ''
  })
  return isSafe ? rest + value.slice(end) : undefined
}

const FUNCTION = /\b(?:var|calc|min|max|minmax|clamp|repeat)\(/g

/** Takes functions out with all inside their parentheses, as far as those are balanced. */
function withoutFunctions(value: string): string {
  if (!value.includes('(')) return value
  const calls = new RegExp(FUNCTION)
  let rest = ''
  let at = 0
  for (let call = calls.exec(value); call !== null; call = calls.exec(value)) {
    const end = closingParenthesis(value, calls.lastIndex)
    // Its parenthesis stays, so the value is not safe, whatever follows.
    if (end === -1) break
    rest += value.slice(at, call.index)
    at = end
    calls.lastIndex = end
  }
  return rest + value.slice(at)
}

function closingParenthesis(value: string, from: number): number {
  let depth = 1
  for (let at = from; at < value.length; at++) {
    if (value[at] === '(') depth++
    else if (value[at] === ')' && --depth === 0) return at + 1
  }
  return -1
}
