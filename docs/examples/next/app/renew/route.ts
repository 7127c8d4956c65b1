/** Where this process asks itself to make its pages anew. */
import { revalidatePath } from 'next/cache'
import { api } from '../../site/api'

export async function POST(request: Request): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${api.renewToken}`) return new Response(null, { status: 404 })
  revalidatePath('/')
  return new Response(null, { status: 204 })
}
