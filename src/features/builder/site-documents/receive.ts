/** The body of an import: JSON, or a zip archive. */
import { ApiError } from '../../../core/declare/errors.ts'
import { zipBody } from '../../../core/request/zip-body.ts'
import { type DocumentFile, filesInZip, parseDocumentFile } from './file.ts'

export const receiveZip = zipBody({
  isAllowed: ({ user }) => user.can('edit_posts'),
  maxBytes: ({ app }) => app.limits.bodyBytes,
})

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
