/** Reads the sign-in of an import over REST, and prints the table of its comparison. */
import { readFileSync } from 'node:fs'
import type { RestAccess } from '../../management/import/rest/client.ts'
import { isSame, type KindComparison } from '../../management/import/rest/index.ts'
import { CliError, type CommandLine, UsageError } from '../command.ts'

/** The password is in no argument, where other users of the machine could see it. */
export function accessOf({ options }: CommandLine): RestAccess {
  const { user, 'password-file': file, 'password-env': variable } = options
  if (user === undefined) throw new UsageError('--user is missing: a login of the site, with an application password')
  if ((file === undefined) === (variable === undefined)) {
    throw new UsageError('the application password comes from --password-file FILE or from --password-env NAME')
  }
  const password = file === undefined ? (process.env[`${variable}`] ?? '') : textOf(file)
  const place = file ?? `the variable ${variable}`
  if (password.trim() === '') throw new CliError(`${place} holds no password`)
  return { user, password: password.trim() }
}

export function withoutAccess({ options }: CommandLine): undefined {
  for (const name of ['user', 'password-file', 'password-env']) {
    if (options[name] !== undefined) throw new UsageError(`--${name} is for the address of a site, not for a file`)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(code === 'ENOENT' ? `there is no file ${file}` : `${file} can not be read: ${message}`)
  }
}

/** Writes one line for each kind; empty without a comparison. */
export function comparisonText(comparison: readonly KindComparison[]): string {
  if (comparison.length === 0) return ''
  const rows = comparison.map((one) => [
    one.kind,
    String(one.there),
    String(one.here),
    one.digestThere.slice(0, 12),
    one.digestHere.slice(0, 12),
    isSame(one) ? 'same' : `different: ${one.different.join(', ')}`,
  ])
  const table = [['kind', 'there', 'here', 'digest there', 'digest here', ''], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
