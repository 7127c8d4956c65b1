/** Takes over the parts of a design that a kit has in files beside its settings. */
import type { Json } from '../../contract/storage.ts'
import { kitFilesOf, type ManagementContext } from '../context.ts'
import type { ReportBuilder } from './report.ts'

interface TakeOptions {
  /** The kit becomes that of the site. Otherwise the site keeps its values, and gets those that it lacks: documents name them. */
  readonly replaces: boolean
  readonly report: ReportBuilder
}

export async function takeKitFiles(
  context: ManagementContext,
  files: ReadonlyMap<string, Json>,
  { replaces, report }: TakeOptions,
): Promise<void> {
  const rules = [...kitFilesOf(context)].filter(([name]) => files.has(name))
  if (rules.length === 0) return
  const stored = await context.storage.options.read(rules.map(([, { option }]) => option))
  const now = new Date(context.app.clock()).toISOString().slice(0, 19).replace('T', ' ')
  const entries = rules.map(([name, { option, withFile }]): [string, Json] => {
    const onProblem = (id: string) => report.add('invalid-setting', id, { line: 0, what: name })
    return [option, withFile(stored[option], files.get(name) ?? null, { replaces, now, onProblem })]
  })
  await context.write(async ({ options }, queue) => {
    await options.write(Object.fromEntries(entries))
    queue('site.changed', { options: entries.map(([option]) => option) })
  })
}
