/** A GET inside the process; returns the flat headers and the body that the Node adapter sends. */
import type { Incoming } from '../src/core/declare/request.ts'
import type { ResponseData } from '../src/core/declare/result.ts'
import type { SiteApi } from '../src/host/create-site-api.ts'

export async function innerGet(
  api: SiteApi,
  target: string,
  sent: { readonly [name: string]: string | string[] | undefined } = {},
): Promise<{ readonly headers: readonly string[]; readonly body: string }> {
  const [path = '', query = ''] = target.slice(api.root.length).split('?', 2)
  const incoming: Incoming = {
    method: 'GET',
    path,
    query,
    source: 'http',
    mayHaveBody: false,
    header: (name) => [sent[name]].flat()[0],
    readBody: () => undefined,
  }
  const { status, headers, body }: ResponseData = await api.handle(incoming)
  if (status !== 200) throw new Error(`${target} returned ${status}: ${body}`)
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().flatMap((single) => [name, String(single)]),
  )
  return { headers: flat, body: body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body) }
}
