/** The posts that show what a transaction changes. */
import type { Json, Storage } from '../../../contract/storage.ts'
import type { RowChange } from '../../../core/changes/row-change.ts'
import { byId, colors, typography } from '../../builder/globals/model.ts'
import { variablesPart } from '../../builder/variables/model.ts'
import { storedPart } from '../../shared/kit.ts'
import { usageStateOption } from './model.ts'
import { reachedBy } from './read.ts'
import { classesOption, liveClasses } from './targets.ts'

/** Their ids, nearest first: the changed posts, and those that name them, also through others. */
export async function postsReached(transaction: Storage, changes: readonly RowChange[]): Promise<number[]> {
  const records = [...new Set(changes.flatMap(recordsOf))]
  // A graph that is not there yet is not made in a transaction that is rolled back.
  const { [usageStateOption]: isComplete } = await transaction.options.read([usageStateOption])
  const reached = isComplete === true ? await reachedBy(transaction, records) : []
  const all = [...records, ...reached.map(({ record }) => record)]
  return all.filter((record) => record.startsWith('post:')).map((record) => Number(record.slice('post:'.length)))
}

function recordsOf(change: RowChange): string[] {
  switch (change.store) {
    case 'posts':
      return [`post:${change.id}`]
    case 'terms':
      return [`term:${change.id}`]
    case 'users':
      return [`user:${change.id}`]
    case 'assignments':
      return [`post:${change.post}`]
    case 'meta':
      return [`${change.owner}:${change.id}`]
    case 'options':
      return [`option:${change.name}`, ...kitRecordsOf(change.name, change.before, change.after)]
    default:
      return []
  }
}

/** The classes, variables, colors and fonts that differ. */
function kitRecordsOf(option: string, before: Json, after: Json): string[] {
  const kind = kinds.find((one) => one.option === option)
  if (!kind) return []
  const [was, is] = [kind.items(before), kind.items(after)]
  const ids = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return ids.filter((id) => JSON.stringify(was[id]) !== JSON.stringify(is[id])).map((id) => `${kind.name}:${id}`)
}

interface Kind {
  readonly name: string
  readonly option: string
  readonly items: (stored: Json) => { readonly [id: string]: unknown }
}

/** Null: nothing is stored. */
const optionsWith = (option: string, stored: Json) => (stored === null ? {} : { [option]: stored })

const globalsOf = (name: string, { part }: typeof colors): Kind => ({
  ...{ name, option: part.option },
  items: (stored) => byId(storedPart(part, optionsWith(part.option, stored))),
})

const kinds: readonly Kind[] = [
  { name: 'class', option: classesOption, items: liveClasses },
  {
    ...{ name: 'variable', option: variablesPart.option },
    items: (stored) => {
      const { list } = storedPart(variablesPart, optionsWith(variablesPart.option, stored))
      return Object.fromEntries(list.map((one) => [one.id, one]))
    },
  },
  globalsOf('color', colors),
  globalsOf('typography', typography),
]
