/** A process that makes random edits, one for each message: `edit-process.ts sqlite:FILE SEED BEGIN`. */
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { createEditor, type EditRequest } from './editor.ts'
import { openPostgres } from './postgres.ts'

const [place = '', seed, begin] = process.argv.slice(2)
const [kind, name = ''] = place.split(/:(.*)/)
const storage = kind === 'sqlite' ? sqliteStorage(name) : (await openPostgres({ schema: name })).storage
const editor = await createEditor(storage, Number(seed), Number(begin))
process.on('message', async (request: EditRequest) => {
  if (request !== 'close') return void process.send?.(await editor.edit(request.turn, request.now))
  await editor.close()
  process.disconnect()
})
process.send?.({ ids: editor.ids, edited: editor.edited })
