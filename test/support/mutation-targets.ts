/** Records that mutated requests address: each is made by a valid request, and made again after a request that removed it. */
import type { Examples, Mutation } from './leaf-mutations.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

type Send = (
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers?: { readonly [name: string]: string },
) => Promise<Answer>

/** Makes a record and returns its id; `turn` keeps names apart. */
type Maker = (turn: number) => Promise<string | number>

const cms = '/cms/v2'
const media = `${cms}/media`
const templates = '/builder/v1/site-editor/templates'
const variables = '/builder/v1/variables'

/** The smallest picture. */
const picture = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (sign) => sign.charCodeAt(0),
)
const template = { title: 'Head', type: 'header', content: [{ id: '1a2b3c4', elType: 'container', elements: [] }] }

/** The members of the answers that are read here. */
interface Made {
  readonly id: number
  readonly uuid?: string
  readonly source_url: string
  readonly data: { readonly variable: { readonly id: string } }
}

const madeBy = ({ status, body }: Answer): Made => {
  if (status >= 300) throw new Error(`a valid request answered ${status}: ${JSON.stringify(body)}`)
  // The cast: the answers to these requests are known.
  return (Array.isArray(body) ? body[0] : body) as Made
}

const upload = async (send: Send, turn: number): Promise<Made> =>
  madeBy(
    await send('POST', media, picture, {
      ...{ 'content-type': 'image/png', 'content-disposition': `attachment; filename="dot-${turn}.png"` },
    }),
  )

function makersOf(send: Send): { readonly [collection: string]: Maker } {
  const post = async (path: string, body: object) => {
    const { id, uuid } = madeBy(await send('POST', path, JSON.stringify(body)))
    return uuid ?? id
  }
  const text = { content: 'Words.', status: 'publish', comment_status: 'open' }
  const makePost: Maker = (turn) => post(`${cms}/posts`, { title: `Post ${turn}`, ...text })
  const named = (path: string): [string, Maker] => [path, (turn) => post(path, { name: `Name ${turn}` })]
  const titled = (path: string): [string, Maker] => [path, (turn) => post(path, { title: `Title ${turn}`, ...text })]
  return {
    ...Object.fromEntries(
      ['categories', 'tags', 'cms_pattern_category', 'menus'].map((name) => named(`${cms}/${name}`)),
    ),
    ...Object.fromEntries(['pages', 'blocks'].map((name) => titled(`${cms}/${name}`))),
    [`${cms}/posts`]: makePost,
    [media]: async (turn) => (await upload(send, turn)).id,
    // Uses another post: the one that is mutated may be in the trash.
    [`${cms}/comments`]: async (turn) =>
      post(`${cms}/comments`, { post: await makePost(turn), content: `Words ${turn}` }),
    [`${cms}/menu-items`]: (turn) =>
      post(`${cms}/menu-items`, { title: `Item ${turn}`, url: 'https://mill.example/', status: 'publish' }),
    [`${cms}/users`]: (turn) =>
      post(`${cms}/users`, {
        username: `user${turn}`,
        email: `user${turn}@mill.example`,
        password: `word ${turn} word`,
      }),
    [`${cms}/users/{user_id}/application-passwords`]: (turn) =>
      post(`${cms}/users/me/application-passwords`, { name: `Reader ${turn}` }),
    [templates]: (turn) => post(templates, { fileName: `head-${turn}.json`, fileData: btoa(JSON.stringify(template)) }),
  }
}

/** The collection of the record that a path names. */
const collectionOf = (readable: string): string =>
  (/^(.+?)\/\{(?:id|parent|uuid)\}/.exec(readable)?.[1] ?? '').replace('templates-conditions', 'templates')

/** `more` makes records that no request makes. */
export function mutationTargets(send: Send, more: { readonly [collection: string]: Maker }) {
  const makers = new Map(Object.entries({ ...makersOf(send), ...more }))
  const records = new Map<string, string>()
  let turn = 0

  async function targetIn(collection: string, make: Maker): Promise<string> {
    const target = records.get(collection) ?? String(await make(++turn))
    records.set(collection, target)
    return target
  }

  /** A revision of the record, which a change makes. */
  async function revisionOf(collection: string, id: string): Promise<string> {
    await send('POST', `${collection}/${id}`, JSON.stringify({ title: `Changed ${++turn}` }))
    const { body } = await send('GET', `${collection}/${id}/revisions`)
    return String((body as readonly Made[])[0]?.id ?? 0)
  }

  return {
    /** The path of a mutated request; the documented one where no record can be made. */
    async pathOf({ readable, path }: Mutation): Promise<string> {
      const collection = collectionOf(readable)
      const make = makers.get(collection)
      // The source of an edited picture is in the body.
      if (make === undefined || readable === `${media}/{id}/edit`) return path
      const id = await targetIn(collection, make)
      const filled = readable.replace('{user_id}', 'me').replace(/\{(?:parent|uuid)\}/, id)
      return filled.replace('{id}', filled === readable ? id : await revisionOf(collection, id))
    },
    /** To be called with each answer: what a request has removed is made again for the next one. */
    answered({ method, readable }: Mutation, status: number): void {
      const isGone = status === 404 || status === 410 || (method === 'DELETE' && status < 300)
      if (isGone) records.delete(collectionOf(readable))
    },
  }
}

/** Valid requests that name a record in their bodies. */
export async function examplesWithRecords(send: Send): Promise<Examples> {
  const { id, source_url: src } = await upload(send, 0)
  const value = { type: 'global-color-variable', label: 'mill', value: '#102030' }
  const { variable } = madeBy(await send('POST', `${variables}/create`, JSON.stringify(value))).data
  const modifiers = [
    { type: 'rotate', args: { angle: 90 } },
    { type: 'flip', args: { flip: { horizontal: true, vertical: false } } },
    { type: 'crop', args: { left: 0, top: 0, width: 100, height: 100 } },
  ]
  const operations = [
    { type: 'create', variable: { ...value, label: 'weir', id: 'tmp-1' } },
    { type: 'update', id: variable.id, variable: { value: '#405060' } },
  ]
  return {
    [`POST ${media}/{id}/edit`]: { args: { id, src, modifiers } },
    [`POST ${media}/{id}/post-process`]: { args: { action: 'create-image-subsizes' } },
    [`PUT ${variables}/update`]: { args: { ...value, id: variable.id, order: 1 } },
    [`POST ${variables}/restore`]: { args: { ...value, id: variable.id } },
    [`POST ${variables}/batch`]: { args: { watermark: 1, operations } },
  }
}
