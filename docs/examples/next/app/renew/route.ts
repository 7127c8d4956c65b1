/** Where this process asks itself to make its pages anew. */
import { api } from '../../site/api'

export async function POST(request: Request): Promise<Response> {
  if (request.headers.get('authorization') !== `Bearer ${api.renewToken}`) return new Response(null, { status: 404 })
  await api.revalidate()
  return new Response(null, { status: 204 })
}
