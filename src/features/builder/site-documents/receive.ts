/** The body of an import: JSON, or a zip archive. */
import type { Context } from '../../../core/declare/context.ts'
import type { ReceivedBody } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Incoming } from '../../../core/declare/request.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { type DocumentFile, filesInZip, parseDocumentFile } from './file.ts'

/** Other bodies are read as arguments. Who may not import anything sends nothing. */
export async function receiveZip(
  incoming: Incoming,
  { app, user }: Pick<Context, 'app' | 'user'>,
): Promise<ReceivedBody | undefined> {
  const [type = ''] = (incoming.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/zip') return undefined
  if (!user.can('edit_posts')) return { args: undefined, whole: undefined }
  const sent = await incoming.readBody(app.limits.bodyBytes)
  if (!sent || !('bytes' in sent)) return { args: undefined, whole: undefined }
  const { bytes } = sent
  return { args: undefined, whole: bytes, digest: async () => sha256Of(new TextDecoder('latin1').decode(bytes)) }
}

/** Throws 400 for a request without files, and for files that are none. */
export function filesOf({
  args,
  body,
}: {
  readonly args: { readonly documents?: readonly object[] | undefined }
  readonly body: unknown
}): DocumentFile[] {
  if (body instanceof Uint8Array) return filesInZip(body)
  if (args.documents === undefined) {
    throw new ApiError('rest_missing_callback_param', 'documents is missing, or a zip archive as the body.', 400)
  }
  return args.documents.map(parseDocumentFile)
}
