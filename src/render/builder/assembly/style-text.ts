/** Writes styles that editors link besides those of a page: of all components, of all global classes. */

import { blankPost } from '../../../contract/fields/blank.ts'
import { inTurn } from '../../../core/runtime/work.ts'
import { writeStyle } from '../atomic/styles/style.ts'
import { StyleValues } from '../atomic/styles/values.ts'
import { limits } from '../document/limits.ts'
import { isObject, nameOf } from '../document/values.ts'
import { Kit } from '../kit/kit.ts'
import { Pass } from '../pass/pass.ts'
import { withoutElements } from '../records/documents.ts'
import { kitKeys } from '../records/keys.ts'
import { options } from '../records/kinds.ts'
import { Records } from '../records/records.ts'
import { withVariables } from './kit-sheet.ts'
import type { RenderRequest } from './render.ts'

/** The styles of a document by class name. */
export interface StyleGroup {
  /** The id of the document; 0: the kit, whose styles only its editors write. */
  readonly owner: number
  readonly styles: readonly (readonly [name: string, style: unknown])[]
}

/** Returns the rules that a page with all these classes would have, and the variables that they read. */
export async function writeStyles(request: RenderRequest, groups: readonly StyleGroup[]): Promise<string> {
  const { source, tables, context, now, work, mayRead } = request
  const records = new Records(source)
  for (const name of kitKeys) records.want(options, name)
  await records.load()
  const kit = new Kit((name) => records.get(options, name), context)
  for (let round = 1; ; round++) {
    const missed = records.missed
    const pass = new Pass({ records, tables, kit, context, now, units: work.ofRecord, mayRead })
    await inTurn(() => {
      for (const group of groups) writeGroup(group, pass)
    })
    if (records.missed === missed || round === limits.rounds) return textOf(pass)
    await records.load()
  }
}

const ofKit = withoutElements({
  ...blankPost,
  ...{ id: 0, version: 1, type: '', status: 'publish', slug: '', author: 0 },
  ...{ date: '', dateGmt: null, modified: '', modifiedGmt: '' },
})

function writeGroup({ owner, styles }: StyleGroup, pass: Pass): void {
  const document = owner === 0 ? ofKit : pass.document(owner)
  if (!document) return
  const isTrusted = () => owner === 0 || pass.isTrusted(document)
  const scope = { document, post: 0, stack: [owner], depth: 0, loops: 0 }
  const rules = pass.sheets.of('local')
  for (const [key, style] of styles) {
    const name = nameOf(key)
    if (name === '' || name !== key || !isObject(style)) continue
    writeStyle(style, { rules, prefix: '', name, values: new StyleValues({ pass, scope }), isTrusted })
  }
}

const textOf = (pass: Pass): string =>
  withVariables(pass.sheets.toList(), pass)
    .map(({ css }) => css)
    .join('')
