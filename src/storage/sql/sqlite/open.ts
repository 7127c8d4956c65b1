/** Chooses the driver for the runtime. No SQLite module is imported, so one bundle runs on both. */
import { openBun } from './bun-driver.ts'
import type { OpenConnection } from './driver.ts'
import { openNode } from './node-driver.ts'

// Bun has `node:sqlite` only since 1.4, `bun:sqlite` in all versions.
export const openSqlite: OpenConnection = (file, options) =>
  process.versions.bun === undefined ? openNode(file, options) : openBun(file, options)
