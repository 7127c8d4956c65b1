/** Writes that move the counters of lists, measured on the same sites as the lists. */
import type { ListSite } from './list-content.ts'

export interface WriteShape {
  readonly name: string
  readonly write: (turn: number) => Promise<unknown>
}

/** Answers a request of the administrator with the parsed body. */
export type Send = (path: string, body: object) => Promise<unknown>

const words = ['High at six.', 'The ferry is late.', 'Fog on the quay.']

/** Each turn writes other rows. */
export function writeShapes(send: Send, { categories }: ListSite): readonly WriteShape[] {
  const publish = async (name: string, turn: number, terms: readonly number[]) => {
    const made = await send('/posts', {
      title: `${name} ${turn}`,
      status: 'publish',
      content: words[0],
      categories: terms,
    })
    // The cast: the answer has the post.
    const { id } = made as { readonly id: number }
    await send('/comments', { post: id, content: `${words[turn % words.length]} ${name} ${turn}` })
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
