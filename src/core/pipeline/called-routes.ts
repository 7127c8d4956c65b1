/**
 * The routes of a profile as types: paths, arguments and responses. Nothing of it exists at run time, so that bundles for
 * browsers contain no code of the service.
 */

import type { Arg, Args } from '../declare/args.ts'
import type { DeclaredEndpoint, Method } from '../declare/endpoint.ts'
import type { DeclaredFeature } from '../declare/feature.ts'
import type { Profile } from '../declare/profile.ts'
import type { ResponseSchema, Responses } from '../declare/response-schema.ts'

/** Describes one endpoint; its path is relative to the root, such as `/cms/v2/posts/{id}`. */
export interface Route<
  P extends string = string,
  M extends Method = Method,
  A extends Args = Args,
  W extends Responses = Responses,
  B extends boolean = boolean,
> {
  readonly path: P
  readonly method: M
  readonly args: A
  readonly responses: W
  readonly batch: B
}

type Below<N extends string, P extends string> = N extends '' ? P : `/${N}${P}`

type RouteOf<F> =
  F extends DeclaredFeature<infer N, infer E>
    ? E extends DeclaredEndpoint<infer P, infer M, infer A, infer W, infer B>
      ? Route<Below<N, P>, M, A, W, B>
      : never
    : never

/** The index routes, which every api has. */
type IndexOf<F> =
  F extends DeclaredFeature<infer N>
    ? Route<N extends '' ? '/' : `/${N}`, 'GET', { readonly context: Arg<'view' | 'embed' | 'edit', true> }>
    : never

type RoutesOf<P extends Profile> = P extends { readonly features: readonly (infer F)[] }
  ? [FieldsIn<F>] extends [never]
    ? RouteOf<F> | IndexOf<F>
    : WithFields<RouteOf<F>, IntersectionOf<FieldsIn<F>>, TermBaseIn<F>> | IndexOf<F>
  : never

// ---------------------------------------------------------------- fields of the host (`metaFields`)

type FieldsIn<F> = F extends { readonly '~fields'?: infer C }
  ? C extends (declared: infer D) => unknown
    ? D
    : never
  : never
type IntersectionOf<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never

/** Finds the last part of the route of a taxonomy that the host declares. */
type TermBaseIn<F> = F extends { readonly declaration: { readonly restBase: infer B; readonly granted: unknown } }
  ? B
  : never

interface KindsByRoute {
  readonly posts: 'post'
  readonly pages: 'page'
  readonly media: 'media'
  readonly categories: 'term'
  readonly tags: 'term'
  readonly cms_pattern_category: 'term'
  readonly menus: 'term'
  readonly users: 'user'
  readonly comments: 'comment'
}
type KindAt<P, T> = P extends `/cms/v2/${infer Base}/${string}`
  ? KindOf<Base, T>
  : P extends `/cms/v2/${infer Base}`
    ? KindOf<Base, T>
    : never
type KindOf<B, T> = B extends T ? 'term' : KindsByRoute[B & keyof KindsByRoute]

/** Adds the fields to `meta` of the arguments and of the responses. */
type WithFields<R, D, T> =
  R extends Route<infer P, infer M, infer A, infer W, infer B>
    ? [KindAt<P, T> & keyof D] extends [never]
      ? R
      : Route<P, M, ArgsWith<A, D[KindAt<P, T> & keyof D]>, ResponsesWith<W, D[KindAt<P, T> & keyof D]>, B>
    : never

type ArgsWith<A extends Args, F> = 'meta' extends keyof A
  ? { readonly [K in keyof A]: K extends 'meta' ? Arg<ValueOf<A[K]> & Sent<F>, false> : A[K] }
  : A
type Sent<F> = { readonly [K in keyof F]?: ValueOf<F[K]> | null }
type Shown<F> = { readonly [K in keyof F]?: ValueOf<F[K]> }

type ResponsesWith<W extends Responses, F> = {
  readonly [S in keyof W]: W[S] extends ResponseSchema<infer T> ? ResponseSchema<DataWith<T, F>> : W[S]
}
type DataWith<T, F> = T extends readonly (infer U)[]
  ? readonly DataWith<U, F>[]
  : { readonly [K in keyof T]: K extends 'meta' ? MetaWith<T[K], F> : T[K] }
type MetaWith<M, F> = M extends undefined ? M : M extends readonly unknown[] ? Shown<F> : M & Shown<F>

type ByPath<R extends Route, M extends Method> = { [E in R as M extends E['method'] ? E['path'] : never]: E }

/** Routes by method, then by path. An interface is computed once per profile, and messages show its name. */
interface RoutesByMethod<P extends Profile> {
  readonly GET: ByPath<RoutesOf<P>, 'GET'>
  readonly POST: ByPath<RoutesOf<P>, 'POST'>
  readonly PUT: ByPath<RoutesOf<P>, 'PUT'>
  readonly PATCH: ByPath<RoutesOf<P>, 'PATCH'>
  readonly DELETE: ByPath<RoutesOf<P>, 'DELETE'>
}

export type PathsOf<P extends Profile, M extends Method> = keyof RoutesByMethod<P>[M] & string
/** `infer`, because TypeScript can not see that the member is a route while `P` is generic. */
export type RouteAt<P extends Profile, M extends Method, K> = K extends keyof RoutesByMethod<P>[M]
  ? RoutesByMethod<P>[M][K] extends infer R extends Route
    ? R
    : never
  : never

/** The paths of paginated listings. */
export type PagedPaths<P extends Profile> = keyof {
  [K in PathsOf<P, 'GET'> as 'page' extends keyof RouteAt<P, 'GET', K>['args'] ? K : never]: K
} &
  string

/** The paths that a batch can call. */
export type BatchPaths<P extends Profile, M extends Method> = keyof {
  [K in PathsOf<P, M> as true extends RouteAt<P, M, K>['batch'] ? K : never]: K
} &
  string

// ---------------------------------------------------------------- arguments

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
/** Where a handler reads several forms, the argument says which of them a caller sends. */
type ValueOf<A> = '~sent' extends keyof A
  ? A extends { readonly '~sent'?: infer T }
    ? Exclude<T, undefined>
    : never
  : A extends Arg<infer T>
    ? T
    : never
type RequiredNames<A> = keyof { [K in keyof A as '~required' extends keyof A[K] ? K : never]: K }
type NeededNames<R extends Route> = NamesIn<R['path']> | RequiredNames<R['args']>

/** The arguments of every endpoint. */
interface SharedArguments<F extends string> {
  /** The members to return, nested ones with dots. With `_embed` name `_links` too: the links that are left are embedded. */
  readonly _fields?: F | readonly F[]
  /** True, or the relations whose resources are embedded. */
  readonly _embed?: boolean | string | readonly string[]
}

/**
 * Path arguments and required arguments have to be passed; path parameters may be undeclared. Each part maps members of the declared
 * arguments, whose descriptions editors then show: they are lost where a mapped type renames or computes its keys.
 */
type ArgsOf<R extends Route> = NeededArgs<R['args'], NeededNames<R> & keyof R['args']> &
  OtherArgs<R['args'], Exclude<keyof R['args'], NeededNames<R>>> & {
    readonly [K in Exclude<NamesIn<R['path']>, keyof R['args']>]: string | number
  }
type NeededArgs<A extends Args, K extends keyof A> = { readonly [N in K]: ValueOf<A[N]> }
type OtherArgs<A extends Args, K extends keyof A> = { readonly [N in K]?: ValueOf<A[N]> }

/** Arguments can be omitted if none is required. Distributive over routes, so that a wrong path is reported first. */
export type Parameters<R extends Route, F extends string, O> = R extends Route
  ? Record<never, never> extends ArgsOf<R>
    ? [args?: ArgsOf<R> & SharedArguments<F>, options?: O]
    : [args: ArgsOf<R> & SharedArguments<F>, options?: O]
  : never

// ---------------------------------------------------------------- responses

/** The success statuses that the endpoint declares; any status if it declares none. Other statuses are errors. */
export type StatusOf<R extends Route> = SuccessIn<keyof R['responses'] & number>
type SuccessIn<S> = number extends S ? S : S extends number ? (`${S}` extends `2${string}` ? S : never) : never
export type DataOf<R extends Route, S extends StatusOf<R>, F extends string = never> =
  R['responses'][S] extends ResponseSchema<infer T> ? Chosen<T, F> : unknown

type Chosen<T, F extends string> = [F] extends [never] ? Plain<T> : string extends F ? Parts<T> : Plain<Picked<T, F>>

/** Expands a type to its members, for editors and messages. */
type Plain<T> = T extends object ? (T extends infer O ? { readonly [K in keyof O]: Plain<O[K]> } : never) : T

/** For `_fields` that are not literals: any member may be absent. */
type Parts<T> = T extends readonly (infer U)[]
  ? readonly Parts<U>[]
  : T extends object
    ? { readonly [K in keyof T]?: Parts<T[K]> }
    : T

type FirstOf<F extends string> = F extends `${infer First}.${string}` ? First : F
type RestOf<F extends string, K> = K extends string ? (F extends `${K}.${infer Rest}` ? Rest : never) : never

/** The links that are left may bring embedded records. */
type MembersOf<F extends string> = FirstOf<F> | ('_links' extends FirstOf<F> ? '_embedded' : never)

/** Applies `_fields` as the service does: in a list, to each item. */
type Picked<T, F extends string> = T extends readonly (infer U)[]
  ? readonly Picked<U, F>[]
  : T extends object
    ? {
        readonly [K in keyof T as K extends MembersOf<F> ? K : never]: K extends F
          ? T[K]
          : RestOf<F, K> extends never
            ? T[K]
            : Picked<T[K], RestOf<F, K>>
      }
    : T

/** The row type of a listing, which is a list or has one as its `data`. */
export type RowOf<T> = T extends readonly (infer U)[]
  ? U
  : T extends { readonly data: readonly (infer U)[] }
    ? U
    : unknown
