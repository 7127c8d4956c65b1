/** A profile: the list of features that a deployment offers. */
import type { Documentation } from './documentation.ts'
import type { ExtensionsOf, Feature } from './feature.ts'

/** A list of features, and the few traits of the interface in which profiles differ. Made by `profile`. */
export interface Profile {
  /** The name, for logs and documents. */
  readonly name: string
  readonly features: readonly Feature[]
  /** Interface: whether the site index sends `gmt_offset` as a text or a number. */
  readonly gmtOffset: 'text' | 'number'
  /** Groups, titles and examples for the OpenAPI document and the docs page. Loaded when one of them is first requested. */
  readonly documentation?: () => Promise<Documentation>
  /** Type carrier of what the features add to `api.site`; absent at run time. */
  readonly '~site'?: unknown
}

/** A profile that keeps the types of its features, for typed clients. */
export interface DeclaredProfile<F extends Feature = Feature> extends Profile {
  readonly features: readonly F[]
  readonly '~site'?: ExtensionsOf<F> | undefined
}

/** The declaration of a host; the type carriers are inferred from the features. */
type Declaration<F extends Feature> = Omit<Profile, 'features' | '~site'> & {
  /** The features, built-in ones and yours, which bring routes, types and fields. */
  readonly features: readonly F[]
}

/**
 * Declares a profile: the features of a deployment, with their types kept for typed clients. Of features with the same name and
 * namespace the last one counts, but types, taxonomies and fields of your own replace nothing.
 *
 * ```ts
 * import { content, feature, profile } from 'site-api'
 *
 * const shop = feature('shop', 'shop/v1', [])
 * export const store = profile({ ...content, name: 'store', features: [...content.features, shop] })
 * ```
 */
export const profile = <F extends Feature>(declaration: Declaration<F>): DeclaredProfile<F> => {
  const { features } = declaration
  // `createSiteApi` refuses anything else with the reason.
  if (!Array.isArray(features)) return declaration as DeclaredProfile<F>
  return {
    ...declaration,
    // A feature that finds its problems itself is kept beside one of the same name: it names the conflict.
    features: [...new Map(features.map((one) => [one.problems ? one : nameOf(one), one])).values()],
  }
}

const nameOf = ({ namespace, name }: Feature): string => `${namespace} ${name}`
