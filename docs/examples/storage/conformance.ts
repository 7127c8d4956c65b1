/** The conformance cases with the test runner of Node: `node --test conformance.ts`. */
import { test } from 'node:test'
import { conformanceCases, isLacking } from 'site-api/testing'
import { optionsInMap } from './options-in-map.ts'

for (const each of conformanceCases) {
  test(each.name, { skip: isLacking(optionsInMap(), each) }, async () => {
    const storage = optionsInMap()
    await storage.open?.()
    await each.run(storage)
    await storage.close?.()
  })
}
