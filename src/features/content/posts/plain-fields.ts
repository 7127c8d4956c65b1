/** The stored fields of records that the routes take and show as they are stored, under the names of their columns. */
import { postFields } from '../../../contract/fields/posts.ts'
import { type ColumnOf, valuesIn } from '../../../contract/fields/stored-field.ts'
import type { PostValues } from '../../../contract/storage.ts'
import { type Arg, int, oneOf } from '../../../core/declare/args.ts'
import { notEmbedded, type Sometimes } from '../../../core/declare/response-schema.ts'
import type { Support } from '../content-types/model.ts'

interface PlainField<V> {
  /** Records of types with this support have the field. */
  readonly support: Support
  readonly arg: Arg<V, false>
  /** Interface: an autosave of one's own draft is written to the post, and changes only the fields that say so. */
  readonly isAutosaved: boolean
}

/** In the order in which the index and the responses have them. */
export const plainFields = {
  commentStatus: {
    support: 'comments',
    arg: oneOf(['open', 'closed'], { description: 'Whether the post takes comments.' }),
    isAutosaved: true,
  },
  pingStatus: {
    support: 'comments',
    arg: oneOf(['open', 'closed'], { description: 'Whether other sites may report links to the post.' }),
    isAutosaved: true,
  },
  menuOrder: {
    support: 'page-attributes',
    arg: int({ description: 'The place among its siblings: the lowest comes first.' }),
    isAutosaved: false,
  },
} as const satisfies { readonly [N in keyof PostValues]?: PlainField<PostValues[N]> }

type Plain = typeof plainFields
// The cast: the keys of a constant are its names.
const namesOf = () => Object.keys(plainFields) as (keyof Plain)[]

type MemberIn<S extends Support, N extends keyof Plain> = [Plain[N]['support']] extends [S]
  ? ColumnOf<(typeof postFields)[N]>
  : never
type Sent<N extends keyof Plain> = Plain[N]['arg'] extends Arg<infer V> ? V : never

/** The arguments of a type that supports `S`. */
export type PlainArgs<S extends Support> = { readonly [N in keyof Plain as MemberIn<S, N>]: Plain[N]['arg'] }
/** The members of its responses; the `embed` context leaves them out. */
export type PlainMembers<S extends Support> = { readonly [N in keyof Plain as MemberIn<S, N>]: Sometimes<Sent<N>> }

type Supports = (support: Support) => boolean

// The casts of both: the condition is that of the type.
export const plainArgs = <S extends Support>(supports: Supports): PlainArgs<S> =>
  Object.fromEntries(entriesOf(supports).map(({ column, arg }) => [column, arg])) as PlainArgs<S>

export const plainMembers = <S extends Support>(supports: Supports): PlainMembers<S> =>
  Object.fromEntries(entriesOf(supports).map(({ column, arg }) => [column, notEmbedded(arg)])) as PlainMembers<S>

/** Returns the members that show the values of a row. */
export const plainViews = <S>(
  rowOf: (shown: S) => { readonly supports: Supports; readonly row: PostValues },
): { readonly [member: string]: (shown: S) => unknown } =>
  Object.fromEntries(
    entriesOf().map(({ name, column, support }) => [
      column,
      (shown: S) => {
        const { supports, row } = rowOf(shown)
        return supports(support) ? row[name] : undefined
      },
    ]),
  )

type SentArgs = { readonly [N in keyof Plain as ColumnOf<(typeof postFields)[N]>]?: Sent<N> | undefined }

/** The stored values of the arguments that were sent. An argument that a type does not have is never sent. */
export const sentValues = (args: SentArgs): Partial<Pick<PostValues, keyof Plain>> =>
  valuesIn(postFields, namesOf(), args)

/** The arguments that count for an autosave of one's own draft. */
export function autosavedArgs(args: SentArgs): SentArgs {
  const sent = args as { readonly [column: string]: unknown }
  const counted = entriesOf().filter(({ isAutosaved }) => isAutosaved)
  return Object.fromEntries(counted.map(({ column }) => [column, sent[column]]))
}

interface Entry extends Pick<PlainField<never>, 'isAutosaved' | 'support'> {
  readonly name: keyof Plain
  readonly column: string
  readonly arg: Arg
}

const entriesOf = (supports: Supports = () => true): Entry[] =>
  namesOf()
    .filter((name) => supports(plainFields[name].support))
    .map((name) => ({ ...plainFields[name], name, column: postFields[name].column }))
