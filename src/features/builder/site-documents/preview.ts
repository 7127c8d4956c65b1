/** Addresses that show a document before it is published: those of the pages of the site. */
import type { Context } from '../../../core/declare/context.ts'
import { pagesSecret, previewAddress, previewToken } from '../../shared/access/preview-token.ts'

const hourMs = 60 * 60 * 1000

export interface DocumentPreview {
  readonly url: string
  readonly token: string
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly until: string
}

/** The document is shown by the rights of the caller; a call of the system, by those of the author. */
export async function previewOf(
  { storage, user, settings, app }: Pick<Context, 'storage' | 'user' | 'settings' | 'app'>,
  { id, author }: { readonly id: number; readonly author: number },
  hours: number,
): Promise<DocumentPreview> {
  const until = Math.trunc(app.clock() + hours * hourMs)
  const [preview, secret] = [{ post: id, user: user.id || author, until }, await pagesSecret(storage)]
  const [url, token] = [previewAddress(settings.home, preview, secret), previewToken(preview, secret)]
  return { url, token, until: new Date(until).toISOString().slice(0, 19) }
}
