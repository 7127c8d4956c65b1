/** Writes the style sheet of all global classes, which responses with the classes link to. */
import type { Context } from '../../../core/declare/context.ts'
import type { ResponseHeaders } from '../../../core/declare/result.ts'
import { sheetHeaders } from '../../shared/atomic-styles.ts'
import { type ClassContext, type ClassList, repairOrder } from './model.ts'

const sheetKeys = { frontend: 'global-classes', preview: 'global-classes-preview' } as const

export function classSheetHeaders(
  context: Context<{ readonly context: ClassContext }>,
  classes: ClassList,
): Promise<ResponseHeaders> {
  const { items } = classes
  const styles = repairOrder(classes).map((id) => [items[id]?.label ?? '', items[id]] as const)
  return sheetHeaders(context, sheetKeys[context.args.context], [{ owner: 0, styles }])
}
