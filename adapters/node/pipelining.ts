/**
 * Bounds what pipelined requests hold in memory, and how long they keep other clients waiting. Node hands over all requests that a
 * packet contains, and keeps their responses until the client reads: a few sockets that never read could take gigabytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Line {
  last: ServerResponse | undefined
  /** Requests behind the one at work. While there are any, the connection is not read. */
  waiting: number
}

const lines = new WeakMap<Socket, Line>()

/** Requests that wait on all connections together; a request and its response take about 2 KB. */
const mostWaiting = 20_000
let allWaiting = 0

/**
 * Runs at once, or after the response before it on the connection has left for the socket; not at all when the connection ends before.
 * A connection whose request would be one too many is cut.
 */
export function schedule(
  { socket, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
  run: () => void,
): void {
  // HTTP/2 controls the flow of each stream.
  if (httpVersionMajor > 1) {
    run()
    return
  }
  const line = lineOf(socket)
  const before = line.last
  line.last = response
  if (before === undefined || before.closed) run()
  else if (allWaiting === mostWaiting) socket.destroy()
  else if (!socket.destroyed) {
    enter(socket, line)
    before.once('close', () => {
      takeTurn(() => {
        if (socket.destroyed) return
        leave(socket, line)
        run()
      })
    })
  }
}

function lineOf(socket: Socket): Line {
  const known = lines.get(socket)
  if (known !== undefined) return known
  const line = { last: undefined, waiting: 0 }
  lines.set(socket, line)
  return line
}

function enter(socket: Socket, line: Line): void {
  allWaiting++
  // Node resumes the connection after each response.
  if (line.waiting++ === 0) socket.on('resume', stopReading).once('close', leaveAll).pause()
}

function leave(socket: Socket, line: Line): void {
  allWaiting--
  if (--line.waiting === 0) socket.off('resume', stopReading).off('close', leaveAll).resume()
}

function stopReading(this: Socket): void {
  this.pause()
}

function leaveAll(this: Socket): void {
  allWaiting -= lines.get(this)?.waiting ?? 0
}

const turns: (() => void)[] = []
const turnsMs = 2

/**
 * Pipelined requests of all connections, one of each connection and for two milliseconds in each turn of the event loop. The buffers of
 * the system take megabytes of answers for a client that does not read them; without turns no other client would be served until
 * they are full.
 */
function takeTurn(turn: () => void): void {
  if (turns.push(turn) === 1) setImmediate(runTurns)
}

function runTurns(): void {
  const end = performance.now() + turnsMs
  let count = 0
  try {
    do turns[count++]?.()
    while (count < turns.length && performance.now() < end)
  } finally {
    turns.splice(0, count)
    if (turns.length > 0) setImmediate(runTurns)
  }
}
