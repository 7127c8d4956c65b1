/** Each behaviour that every host shows: the adapter checklist, once. */
import { afterAll, describe, test } from 'vitest'
import type { Behaviour } from './behaviours/behaviour.ts'
import { bodies } from './behaviours/bodies.ts'
import { consent } from './behaviours/consent.ts'
import { discovery } from './behaviours/discovery.ts'
import { headers } from './behaviours/headers.ts'
import { lifecycle } from './behaviours/lifecycle.ts'
import { methods } from './behaviours/methods.ts'
import { paths } from './behaviours/paths.ts'
import { queries } from './behaviours/queries.ts'
import type { Host, HostSetup, RunningHost } from './hosts/host.ts'

const behaviours = { bodies, paths, headers, methods, lifecycle, queries, consent, discovery }

/** Makes a test of each. What a host cannot show is skipped, with its reason. */
export function holdBehaviours(host: Host): void {
  const running = new Map<string, Promise<RunningHost>>()
  const started = (setup: HostSetup): Promise<RunningHost> => {
    const key = JSON.stringify(setup)
    const known = running.get(key) ?? host.start(setup)
    running.set(key, known)
    return known
  }
  afterAll(async () => {
    for (const one of await Promise.all(running.values())) await one.close()
  })
  for (const [group, members] of Object.entries(behaviours)) {
    describe(`${host.name}: ${group}`, () => {
      for (const behaviour of members) hold(host, behaviour, started)
    })
  }
}

function hold(host: Host, behaviour: Behaviour, started: (setup: HostSetup) => Promise<RunningHost>): void {
  const { name, needs = [], alone, run } = behaviour
  const setup: HostSetup = { site: 'echo', ...behaviour.setup }
  const why = host.skips?.[name] ?? needs.map((ability) => host.cannot[ability]).find((reason) => reason !== undefined)
  test(name, async ({ skip }) => {
    if (why !== undefined) skip(why)
    if (!alone) return run(await started(setup))
    const own = await host.start(setup)
    try {
      await run(own)
    } finally {
      await own.close()
    }
  })
}
