/** Tests of a running site, which features add to those of every site. */
import type { Context } from '../../../core/declare/context.ts'

declare module '../../../core/declare/contributions.ts' {
  interface Contributions {
    siteTests: SiteTest
  }
}

export interface SiteFinding {
  /** Says the result of the test in one sentence. */
  readonly label: string
  readonly status: 'good' | 'recommended' | 'critical'
  /** Says how to go on. */
  readonly description: string
}

export interface SiteTest {
  readonly name: string
  readonly run: (context: Context) => Promise<SiteFinding> | SiteFinding
}
