/** What a page of docs/features is made of. */
import type { Services } from '../../src/core/declare/app-context.ts'
import type { Profile } from '../../src/index.ts'
import type { Scene } from './scene.ts'

export interface Group {
  /** The name of its file. */
  readonly slug: string
  readonly title: string
  /** What it is for, and the rule that people trip over. */
  readonly intro: string
  /** By name, as profiles list them. */
  readonly features: readonly string[]
  /** Where the features live in `src/features`. Default: files and folders of their names. */
  readonly sources?: readonly string[]
  /** The one that the requests are sent to. */
  readonly profile: Profile
  readonly services?: Partial<Services>
  readonly run: (scene: Scene) => Promise<unknown>
}
