/**
 * Comments share their ids with other records, so that a storage may leave gaps between them which another one does not. The
 * model numbers comments as they were created, writes `comment_N_` for the Nth, and translates for each site.
 */
import type { Answer, Request } from './request.ts'

/** The ids of a site, in the order of creation. */
export type CommentIds = number[]

const tokens = /"?comment_(\d+)_"?/g

/** Stands for a comment in a request. */
export const commentToken = (number: number): string => `comment_${number}_`

const unknownId = 99_999

export function withIds<R extends Pick<Request, 'path' | 'body'>>(request: R, ids: CommentIds): R {
  const translated = (text: string) => text.replace(tokens, (_, number) => String(ids[Number(number)] ?? unknownId))
  const { path, body } = request
  return { ...request, path: translated(path), ...(typeof body === 'string' ? { body: translated(body) } : {}) }
}

const isComment = (value: object) => 'author_name' in value

const listOfIds = /((?:include|exclude|parent)=)((?:\d+(?:,|%2C)?)+)/g

/** Writes the numbers of the model in place of the ids of an answer. */
export function withNumbers(answer: Answer, path: string, ids: CommentIds): Answer {
  const numbers = new Map(ids.map((id, number) => [id, commentToken(number)]))
  const numberOf = (id: string) => numbers.get(Number(id)) ?? id
  const inQuery = (text: string) =>
    text.replace(listOfIds, (_, name, list) => name + list.replace(/\d+(?!C)/g, numberOf))
  const inText = (text: string) =>
    text
      .replace(/(comments\/|comment-)(\d+)/g, (_, before, id) => before + numberOf(id))
      .replace(/comments\?[^\s"<>]*/g, inQuery)
  const inValue = (value: unknown, isCommentHere: boolean): unknown => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map((one) => inValue(one, isCommentHere))
    if (typeof value !== 'object' || value === null) return value
    const isHere = isCommentHere || isComment(value)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        isHere && (name === 'id' || name === 'parent')
          ? numberOf(String(one))
          : inValue(one, isHere && name === 'previous'),
      ]),
    )
  }
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, text]) => [name, inText(text)]))
  const isAboutComments = path.startsWith('/cms/v2/comments')
  const isJson = (answer.headers['content-type'] ?? '').includes('json') && answer.body !== ''
  const body = isJson ? JSON.stringify(inValue(JSON.parse(answer.body), isAboutComments)) : answer.body
  return { ...answer, headers, body }
}

/** Remembers the id of a comment that was created. */
export function learnComment(
  ids: CommentIds,
  { method, path }: Pick<Request, 'method' | 'path'>,
  answer: Answer,
): void {
  if (method !== 'POST' || path !== '/cms/v2/comments' || answer.status !== 201) return
  ids.push((JSON.parse(answer.body) as { readonly id: number }).id)
}
