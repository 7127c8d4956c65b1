/** Runs checks against one site, says which passed, and leaves the exit code. */
import { type Check, openSite } from './site.ts'

export async function runChecks(
  folder: string,
  clients: readonly (readonly [name: string, checks: readonly Check[]])[],
): Promise<void> {
  const site = await openSite(folder)
  try {
    for (const [client, checks] of clients) {
      console.log(client)
      for (const { name, run } of checks) {
        try {
          await run(site)
          console.log(`  passed  ${name}`)
        } catch (error) {
          console.log(`  FAILED  ${name}`)
          console.error(error)
          process.exitCode = 1
        }
      }
    }
  } finally {
    site.close()
  }
}
