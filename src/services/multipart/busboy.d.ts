/** The part of the package that is used here. Its own types add events to the streams of every file. */
declare module '@fastify/busboy' {
  import type { Readable, Writable } from 'node:stream'

  interface Limits {
    readonly files?: number
    readonly fields?: number
    readonly parts?: number
    readonly fieldSize?: number
    readonly fieldNameSize?: number
  }

  interface Parser extends Writable {
    on(
      event: 'file',
      listener: (part: string, stream: Readable, name: string | undefined, encoding: string, type: string) => void,
    ): this
    on(
      event: 'field',
      listener: (name: string, value: string, isNameCut: boolean, isCut: boolean, encoding: string) => void,
    ): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'finish' | 'close' | 'drain' | 'partsLimit' | 'filesLimit' | 'fieldsLimit', listener: () => void): this
  }

  /** Throws for a content type without a boundary. */
  export const Busboy: new (options: {
    readonly headers: { readonly 'content-type': string }
    readonly limits?: Limits
  }) => Parser
}
