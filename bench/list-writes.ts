/** Writes that move the counters of lists, measured on the same sites as the lists. */
import { createSiteApi } from '../src/index.ts'
import { content } from '../src/profiles/content.ts'
import type { Storage } from '../src/storage/contract.ts'
import type { ListSite } from './list-content.ts'

export interface WriteShape {
  readonly name: string
  readonly write: (turn: number) => Promise<unknown>
}

const origin = 'https://quay.example'
const words = ['High at six.', 'The ferry is late.', 'Fog on the quay.']

/** The requests of an administrator, with all checks; each turn writes other rows. */
export function writeShapes(storage: Storage, { categories }: ListSite): readonly WriteShape[] {
  const api = createSiteApi({ storage, profile: content, url: origin, authenticate: () => 1 })
  const post = async (path: string, body: object): Promise<number> => {
    const request = new Request(`${origin}/api/cms/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const response = await api.fetch(request)
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { readonly id: number }).id
  }
  const publish = async (name: string, turn: number, terms: readonly number[]) => {
    const id = await post('/posts', {
      title: `${name} ${turn}`,
      status: 'publish',
      content: words[0],
      categories: terms,
    })
    await post('/comments', { post: id, content: `${words[turn % words.length]} ${name} ${turn}` })
  }
  // Far down the tree, and without posts before.
  const unused = categories.filter((_, at) => at % 10 === 7).reverse()
  return [
    {
      name: 'write: a post with three categories in use, and a comment',
      write: (turn) =>
        publish(
          'Note',
          turn,
          [0, 10, 20].map((at) => categories[at] as number),
        ),
    },
    {
      name: 'write: a post with three categories not in use, and a comment',
      write: (turn) =>
        publish(
          'Log',
          turn,
          [0, 1, 2].map((at) => unused[(turn * 3 + at) % unused.length] as number),
        ),
    },
  ]
}
