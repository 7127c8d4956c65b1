/** Formats an exchange for a page: the request as a shell command, and the response with long parts cut. */
import { type Exchange, fileHeaders, type SentFile } from './scene.ts'

const mostCharacters = 110
const mostRows = 2
const mostMembers = 14
const mostLevels = 6
const ellipsis = '…'

export function exchangeText(exchange: Exchange, masks: ReadonlyMap<string, string>): string {
  const { says, status, responseHeaders, response } = exchange
  const headers = responseHeaders.map(([name, value]) => `\`${name}: ${value}\``)
  const statusLine = [`Response: ${status}`, ...headers].join(', ')
  // Masked before it is cut: a part of a secret would not be recognized.
  const body = bodyText(exchange, withMasks(response, masks))
  const text = `${says}\n\n\`\`\`bash\n${requestText(exchange)}\n\`\`\`\n\n${statusLine}${body}`
  return masked(text, masks)
}

function requestText({ as, method, path, body, headers = {}, file }: Exchange): string {
  const command = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(as === null ? [] : [`-u "${as}:$PASSWORD"`]),
    `"$API${path}"`,
  ]
  const lines = [
    command.join(' '),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body, null, 2))}'`]),
    ...(file === undefined ? [] : fileLines(file)),
  ]
  return lines.join(' \\\n  ')
}

function fileLines(file: SentFile): readonly string[] {
  const { name, form } = file
  if (form !== undefined) {
    return [`-F 'file=@${name}'`, ...Object.entries(form).map(([part, value]) => `-F '${part}=${quoted(value)}'`)]
  }
  const headers = Object.entries(fileHeaders(file)).map(([header, value]) => `-H '${header}: ${value}'`)
  return [...headers, `--data-binary '@${name}'`]
}

const quoted = (text: string) => text.replaceAll("'", "'\\''")

function bodyText({ shows }: Exchange, response: unknown): string {
  if (response === '') return ', without a body.'
  if (typeof response === 'string') return `\n\n\`\`\`text\n${cutText(response, 400)}\n\`\`\``
  return `\n\n\`\`\`json\n${JSON.stringify(cut(response, shows, 0), null, 2)}\n\`\`\``
}

const cutText = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}${ellipsis}`)

/** Replaces omitted rows and members by their number. */
function cut(value: unknown, shows: readonly string[] | undefined, level: number): unknown {
  if (typeof value === 'string') return cutText(value, mostCharacters)
  if (typeof value !== 'object' || value === null) return value
  if (level >= mostLevels) return ellipsis
  if (Array.isArray(value)) {
    const rows = value.slice(0, mostRows).map((row) => cut(row, shows, level + 1))
    return value.length <= mostRows ? rows : [...rows, `${ellipsis} ${value.length - mostRows} more`]
  }
  const entries = Object.entries(value)
  const chosen = shows && entries.some(([name]) => shows.includes(name))
  const shown = chosen ? entries.filter(([name]) => shows.includes(name)) : entries.slice(0, mostMembers)
  const left = entries.length - shown.length
  return Object.fromEntries([
    ...shown.map(([name, inner]) => [name, cut(inner, chosen ? undefined : shows, level + 1)]),
    ...(left === 0 ? [] : [[ellipsis, `${left} more`]]),
  ])
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** The value with a name in place of each value that differs between runs. */
export const withMasks = <T>(value: T, masks: ReadonlyMap<string, string>): T =>
  JSON.parse(masked(JSON.stringify(value), masks))

function masked(text: string, masks: ReadonlyMap<string, string>): string {
  const named = [...masks].reduce((masking, [value, name]) => masking.replaceAll(value, name), text)
  return named.replace(uuid, '00000000-0000-4000-8000-000000000000')
}
