import { expect, test } from 'vitest'
import { createDocumentFuzz } from '../../../support/document-fuzz.ts'

test('no generated document runs a script, leaves its style sheet or fails as a whole', async () => {
  const fuzz = await createDocumentFuzz()
  try {
    expect(await fuzz.run({ seed: 11, documents: 150 })).toBeUndefined()
  } finally {
    await fuzz.dispose()
  }
})
