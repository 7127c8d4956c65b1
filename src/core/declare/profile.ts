/** A profile: the list of features that a deployment offers. */
import type { Documentation } from './documentation.ts'
import type { Feature } from './feature.ts'

export interface Profile {
  readonly name: string
  readonly features: readonly Feature[]
  /** Interface: whether the site index sends `gmt_offset` as a text or a number. */
  readonly gmtOffset: 'text' | 'number'
  /** Groups, titles and examples for the OpenAPI document and the docs page. Loaded when one of them is first requested. */
  readonly documentation?: () => Promise<Documentation>
}

/** A profile that keeps the types of its features, for typed clients. */
export interface DeclaredProfile<F extends Feature = Feature> extends Profile {
  readonly features: readonly F[]
}

export const profile = <F extends Feature>(declaration: DeclaredProfile<F>): DeclaredProfile<F> => declaration
