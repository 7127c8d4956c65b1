/** A site whose host declares packages, with a log of the calls of their hooks. */
import { expect, onTestFinished } from 'vitest'
import type { EventName } from '../../../../src/core/declare/events.ts'
import type { Profile } from '../../../../src/core/declare/profile.ts'
import { d1 } from '../../../../src/profiles/d1.ts'
import type { PackageDeclaration } from '../../../../src/services/packages/declaration.ts'
import { createPackages, type Packages } from '../../../../src/services/packages/index.ts'
import { createTestSite, type Received, type TestSiteOptions } from '../../../support/site.ts'

export const base = '/builder-one/v1'
export const refusalOf = ({ status, body }: Received) => [status, body.code]

type Change = Partial<PackageDeclaration>

const hookNames = ['install', 'activate', 'deactivate', 'upgrade', 'migrate', 'rollback'] as const

function catalogueOf(hooks: string[], changes: { readonly [slug: string]: Change } = {}): PackageDeclaration[] {
  const declared = (kind: 'plugin' | 'theme', slug: string, more: Change = {}): PackageDeclaration => ({
    kind,
    slug,
    name: slug,
    version: '1.0',
    ...Object.fromEntries(
      hookNames.map((hook) => [
        hook,
        () => {
          hooks.push(`${hook} ${slug}`)
        },
      ]),
    ),
    ...more,
    ...changes[slug],
  })
  return [
    declared('plugin', 'site-mailer', { initially: 'inactive', version: '1.4.2' }),
    declared('plugin', 'builder', { initially: 'active', version: '3.30.0' }),
    declared('plugin', 'builder-pro'),
    declared('plugin', 'image-optimization'),
    declared('theme', 'builder-theme', { initially: 'active', name: 'Builder Theme' }),
    declared('theme', 'builder-theme-biz'),
  ]
}

export async function openSite({
  profile = d1,
  changes,
  listen = [],
  failures: expected = 0,
  hookTimeoutMs,
  ...options
}: {
  profile?: Profile
  changes?: { readonly [slug: string]: Change }
  listen?: readonly EventName[]
  /** The number of failures that the test expects in the log. */
  failures?: number
  hookTimeoutMs?: number
} & Pick<TestSiteOptions, 'storage' | 'services' | 'seed' | 'url' | 'names'> = {}) {
  const hooks: string[] = []
  let packages: Packages
  const declare = (more: { readonly [slug: string]: Change } = {}) => {
    packages = createPackages(catalogueOf(hooks, more), hookTimeoutMs === undefined ? {} : { hookTimeoutMs })
  }
  declare(changes)
  // The cast: the proxy has all members of the current packages.
  const current = new Proxy({}, { get: (_, name) => packages[name as keyof Packages] }) as Packages
  const site = await createTestSite({
    profile,
    ...options,
    services: { packages: current, ...options.services },
  })
  const events: unknown[] = []
  for (const name of listen) site.api.on(name, (payload) => void events.push([name, payload]))
  onTestFinished(async () => {
    expect(site.failures).toHaveLength(expected)
    await site.dispose()
  })
  return { ...site, hooks, declare, events, ada: site.as('ada') }
}
