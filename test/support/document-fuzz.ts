/** Renders generated documents on the storage of the environment; the gate runs a few, `npm run test:fuzz` many. */
import fc from 'fast-check'
import type { Storage } from '../../src/contract/storage.ts'
import { storeTemplate } from './documents.ts'
import { harmIn, hostileDocument } from './hostile-documents.ts'
import { createTestSite } from './site.ts'

interface Run {
  readonly seed: number
  readonly documents: number
}

export async function createDocumentFuzz() {
  let opened: Storage | undefined
  const site = await createTestSite({
    storage: (storage) => {
      opened = storage
      return storage
    },
  })
  if (!opened) throw new Error('no storage was opened')
  const storage = opened
  // A contributor may not write unfiltered HTML.
  const id = await storeTemplate(storage, 'section', [], { author: site.ids['user.contributor'] ?? 0 })
  const contexts = [
    {},
    { post: site.ids['post.tide'] },
    { place: { archive: 'search' as const }, url: 'https://quay.example/?s=%3Cb%3E&q=%22%3E%3Cscript%3E' },
  ]
  const isHarmless = fc.asyncProperty(hostileDocument, fc.nat({ max: 2 }), async (elements, at) => {
    const value = JSON.stringify(elements).replaceAll('\\u0000', '')
    await storage.meta.write('post', [{ id, key: '_builder_data', value }])
    const result = await site.api.render.document(id, contexts[at])
    if (!result) return
    const failed = result.warnings
      .filter(({ code }) => code === 'element_failed')
      .map(({ element }) => `failed ${element}`)
    const harm = [...harmIn(result), ...failed]
    if (harm.length > 0) throw new Error(harm.join('\n'))
  })
  return {
    /** Undefined, or what a document brought about and the document. */
    async run({ seed, documents }: Run): Promise<string | undefined> {
      const { failed, counterexample, errorInstance } = await fc.check(isHarmless, { seed, numRuns: documents })
      return failed ? `seed ${seed}: ${String(errorInstance)}\n${JSON.stringify(counterexample)}` : undefined
    },
    dispose: () => site.dispose(),
  }
}
