/**
 * Counts the commits of one process on each file. Several storages of a process may have the same file open, as while a development
 * server loads a program again, and each has to see at once what the others have written.
 */

export interface FileCommits {
  /** All commits. */
  all: number
  /** Those that wrote options; a transaction that was rolled back may count too. */
  options: number
}

export const newCommits = (): FileCommits => ({ all: 0, options: 0 })

/** On the global object, because a program that is loaded again has a second copy of this module. */
const registry = Symbol.for('site-api.sqlite-commits')

/** Returns the counts of the file with this identifier, which all storages of the process share; they end with the last of these. */
export function commitsOf(file: string | undefined): FileCommits | undefined {
  if (file === undefined) return undefined
  const holder = globalThis as { [registry]?: Map<string, WeakRef<FileCommits>> }
  holder[registry] ??= new Map()
  const files = holder[registry]
  const known = files.get(file)?.deref()
  if (known) return known
  for (const [other, counts] of files) if (counts.deref() === undefined) files.delete(other)
  const counts = newCommits()
  files.set(file, new WeakRef(counts))
  return counts
}
