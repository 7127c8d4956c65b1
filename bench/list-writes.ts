/** Writes that move the counters of lists, measured on the same sites as the lists. */
import { blankPost, blankUser } from '../src/contract/fields/blank.ts'
import type { Storage } from '../src/contract/storage.ts'
import { plainColumns } from './content.ts'
import type { ListSite } from './list-content.ts'

export interface WriteShape {
  readonly name: string
  /** Runs before each turn and does not count. */
  readonly prepare?: () => Promise<unknown>
  readonly write: (turn: number) => Promise<unknown>
}

/** Answers a request of the administrator, a POST by default, with the parsed body. */
export type Send = (path: string, body: object, method?: 'POST' | 'DELETE') => Promise<unknown>

const words = ['High at six.', 'The ferry is late.', 'Fog on the quay.']

/** Each turn writes other rows. */
export function writeShapes(send: Send, storage: Storage, { categories, posts }: ListSite): readonly WriteShape[] {
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
  let author = 0
  const insertAuthor = async () => {
    const login = `author-${author}-${posts.length}`
    const [id = 0] = await storage.users.insert([
      {
        ...{ ...blankUser, login, slug: login, displayName: login, email: `${login}@example.test` },
        ...{ roles: ['author'], registered: '2020-01-01T00:00:00' },
      },
    ])
    author = id
    const blank = { ...blankPost, ...plainColumns('2020-01-01T00:00:00'), type: 'post', status: 'publish', author }
    await storage.posts.insert(Array.from({ length: 100 }, (_, at) => ({ ...blank, slug: `of-${author}-${at}` })))
  }
  let long = 0
  const insertLong = async () => {
    if (long !== 0) return
    const blank = { ...blankPost, ...plainColumns('2020-01-01T00:00:00'), type: 'post', status: 'publish', author: 1 }
    const content = `<p>${'The ferry is late again. '.repeat(8)}</p>\n`.repeat(25_000)
    const [id = 0] = await storage.posts.insert([{ ...blank, slug: 'long', title: 'Long', content }])
    long = id
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
    {
      name: 'doubles: a post of the title of all posts',
      write: () => send('/posts', { title: 'The post', status: 'publish' }),
    },
    {
      name: 'doubles: a comment of a frequent commenter',
      write: (turn) => send('/comments', { post: posts[0], content: `${words[1]} ${turn} ${Math.random()}` }),
    },
    {
      name: 'write: the removal of an author whose 100 posts go to another one',
      prepare: insertAuthor,
      write: () => send(`/users/${author}?force=true&reassign=1`, {}, 'DELETE'),
    },
    // The last one: it leaves much to be written to the disk.
    {
      name: 'write: the title of a post of 5 MB',
      prepare: insertLong,
      write: (turn) => send(`/posts/${long}?_fields=id`, { title: `Long ${turn}` }),
    },
  ]
}
