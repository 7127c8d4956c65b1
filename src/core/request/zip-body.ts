/** The `receive` of endpoints that take a zip archive as their body. */
import type { Context } from '../declare/context.ts'
import type { ReceivedBody } from '../declare/endpoint.ts'
import type { Incoming } from '../declare/request.ts'
import { sha256Of } from '../runtime/crypto.ts'

type Receiver = Pick<Context, 'app' | 'user'>

interface ZipBodyRules {
  /** Whether the caller may send an archive at all; the body of another caller is not read. */
  readonly isAllowed: (context: Receiver) => boolean
  readonly maxBytes: (context: Receiver) => number
}

/** Gives the bytes of a body with the type application/zip to the handler. Other bodies are read as arguments. */
export const zipBody =
  ({ isAllowed, maxBytes }: ZipBodyRules) =>
  async (incoming: Incoming, context: Receiver): Promise<ReceivedBody | undefined> => {
    const [type = ''] = (incoming.header('content-type') ?? '').split(';')
    if (type.trim().toLowerCase() !== 'application/zip') return undefined
    const sent = isAllowed(context) ? await incoming.readBody(maxBytes(context)) : undefined
    if (!sent || !('bytes' in sent)) return { args: undefined, whole: undefined }
    const { bytes } = sent
    return { args: undefined, whole: bytes, digest: async () => sha256Of(new TextDecoder('latin1').decode(bytes)) }
  }
