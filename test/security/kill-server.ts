/**
 * A server that stops for ever in the middle of a batch: the test kills it there. It says where it is on its standard
 * output, one word a line.
 */
import { writeSync } from 'node:fs'
import { serveNode } from '../../adapters/node.ts'
import { createSiteApi } from '../../src/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { spied } from './spied-storage.ts'

const [file = '', call = '', count = '0'] = process.argv.slice(2)
let seen = 0

const tell = (word: string) => writeSync(1, `${word}\n`)

const storage = spied(sqliteStorage(file), ({ name }) => {
  if (name !== call || ++seen < Number(count)) return
  tell('stopped')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
const { url } = await serveNode(createSiteApi({ storage, profile: d1, url: 'https://quay.example' }), { port: 0 })
tell(url)
