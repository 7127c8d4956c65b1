/** Requests as bytes on a socket: what no client library lets through. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

export interface RawConnection {
  readonly socket: Socket
  write(text: string): void
  /** The next whole answer; undefined when the server has closed the connection. */
  answer(options?: { readonly isHead?: boolean }): Promise<RawAnswer | undefined>
  end(): void
}

export function open(url: string): RawConnection {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let isClosed = false
  let wake: () => void = () => undefined
  const turn = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    wake()
  })
  const onClose = () => {
    isClosed = true
    wake()
  }
  socket.on('close', onClose).on('end', onClose).on('error', onClose)
  return {
    socket,
    write: (text) => void socket.write(text),
    end: () => void socket.destroy(),
    async answer({ isHead = false } = {}) {
      for (;;) {
        const taken = take(received, isHead)
        if (taken) {
          received = received.slice(taken.length)
          if (taken.answer.status !== 100) return taken.answer
        } else if (isClosed) return undefined
        else await turn()
      }
    },
  }
}

function take(text: string, isHead: boolean): { answer: RawAnswer; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const status = Number(first.split(' ')[1])
  const bare = isHead || status === 100 || status === 204 || status === 304
  const start = end + 4
  const content = bare ? { text: '', length: 0 } : contentOf(text.slice(start), headers)
  if (!content) return undefined
  const body = Buffer.from(content.text, 'latin1').toString('utf8')
  return { answer: { status, headers, body }, length: start + content.length }
}

/** Returns the body that has arrived after the head, and its length; undefined as long as there is more to come. */
function contentOf(text: string, headers: RawAnswer['headers']): { text: string; length: number } | undefined {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0)
    return text.length < length ? undefined : { text: text.slice(0, length), length }
  }
  let whole = ''
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf('\r\n', at)
    const length = Number.parseInt(text.slice(at, lineEnd), 16)
    const next = lineEnd + 2 + length + 2
    if (lineEnd === -1 || text.length < next) return undefined
    if (length === 0) return { text: whole, length: next }
    whole += text.slice(lineEnd + 2, next - 2)
    at = next
  }
}

/** Sends one request on a new connection. */
export async function send(url: string, text: string, options: { readonly isHead?: boolean } = {}) {
  const connection = open(url)
  connection.write(text)
  const answer = await connection.answer(options)
  connection.end()
  if (!answer) throw new Error('the connection was closed without an answer')
  return answer
}
