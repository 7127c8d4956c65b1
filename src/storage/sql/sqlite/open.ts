/** Picks the SQLite of the runtime. Neither is imported, so the same bundle runs on both. */
import { openBun } from './bun-driver.ts'
import type { Open } from './driver.ts'
import { openNode } from './node-driver.ts'

// Bun has a `node:sqlite` as well since 1.4; the one of its own is there in all versions.
export const openSqlite: Open = (file, options) =>
  process.versions.bun === undefined ? openNode(file, options) : openBun(file, options)
