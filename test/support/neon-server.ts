/**
 * Serves PostgreSQL as Neon's proxy does, in the public formats that `@neondatabase/serverless` speaks: it takes a statement
 * as an HTTP request, and a connection through a WebSocket.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { json } from 'node:stream/consumers'
import type pg from 'pg'
import { createWebSocketStream, WebSocketServer } from 'ws'

export interface NeonServer {
  /** `127.0.0.1:4000`. */
  readonly host: string
  /** The statements that came as requests. */
  readonly requests: string[]
  close(): Promise<void>
}

interface Statement {
  readonly query: string
  readonly params: unknown[]
}

/** The server answers texts, which the client parses. */
const types = { getTypeParser: () => (text: string) => text }

export async function startNeonServer(
  pool: pg.Pool,
  { host, port }: { host: string; port: number },
): Promise<NeonServer> {
  const requests: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { query, params } = (await json(request)) as Statement
    requests.push(query)
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    try {
      const { rows, fields, command, rowCount } = await pool.query({
        text: query,
        values: params,
        rowMode: 'array',
        types,
      })
      send(200, { rows, fields, command, rowCount, rowAsArray: true })
    } catch (error) {
      const { message, code, constraint, severity } = error as pg.DatabaseError
      send(400, { message, code, constraint, severity })
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (webSocket) => {
    const stream = createWebSocketStream(webSocket)
    const socket = connect({ host, port })
    stream.pipe(socket).pipe(stream)
    for (const side of [stream, socket]) {
      side.on('error', () => {
        stream.destroy()
        socket.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It lives as long as the tests.
  server.unref()
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
