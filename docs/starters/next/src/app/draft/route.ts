/** `/draft?secret=…&id=12` shows the post 12 as it is now; `/draft` alone ends that. */
import { timingSafeEqual } from 'node:crypto'
import { draftMode } from 'next/headers'
import { redirect } from 'next/navigation'

function isSecret(given: string): boolean {
  const wanted = Buffer.from(process.env.DRAFT_SECRET ?? '')
  const bytes = Buffer.from(given)
  return wanted.length > 0 && bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
}

export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const secret = searchParams.get('secret')
  const mode = await draftMode()
  if (secret === null) {
    mode.disable()
    redirect('/')
  }
  if (!isSecret(secret)) return new Response('This secret is not the one of DRAFT_SECRET.\n', { status: 401 })
  mode.enable()
  redirect(`/journal/${Number(searchParams.get('id')) || ''}`)
}
