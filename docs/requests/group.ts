/** The content of a page of docs/features. */
import type { Services } from '../../src/core/declare/app-context.ts'
import type { Profile } from '../../src/index.ts'
import type { Scene } from './scene.ts'

export interface Group {
  /** The file name of the page, without `.md`. */
  readonly slug: string
  readonly title: string
  /** The purpose of the features, and the rule that is easy to miss. */
  readonly intro: string
  /** Feature names, as in the profiles. */
  readonly features: readonly string[]
  /** Files or folders of `src/features` to read error codes from. Default: those with the names of the features. */
  readonly sources?: readonly string[]
  /** The profile of the site that the requests are sent to. */
  readonly profile: Profile
  readonly services?: Partial<Services>
  readonly run: (scene: Scene) => Promise<unknown>
  /** Requests that only the examples of the OpenAPI document show; the page does not. They are sent last. */
  readonly more?: (scene: Scene) => Promise<unknown>
}
