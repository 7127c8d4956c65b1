/**
 * A server that blocks in the middle of a batch, where the test kills it. It prints its URL and `stopped`, one word per
 * line, on standard output.
 */
import { writeSync } from 'node:fs'
import { serveNode } from '../../adapters/node.ts'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { spied } from '../support/spied-storage.ts'

const [file = '', call = '', count = '0'] = process.argv.slice(2)
let seen = 0

const print = (word: string) => writeSync(1, `${word}\n`)

const storage = spied(sqliteStorage(file), ({ name }) => {
  if (name !== call || ++seen < Number(count)) return
  print('stopped')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
const { url } = await serveNode(createSiteApi({ storage, profile: d1, url: 'https://quay.example' }), { port: 0 })
print(url)
