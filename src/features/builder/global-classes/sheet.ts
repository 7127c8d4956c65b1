/** Writes the style sheet of all global classes, which responses with the classes link to. */
import type { Context } from '../../../core/declare/context.ts'
import type { ResponseHeaders } from '../../../core/declare/result.ts'
import { rulesOf, sheetHeaders } from '../../shared/atomic-styles.ts'
import { readKit } from '../../shared/kit.ts'
import { valuesOf, variablesPart } from '../variables/model.ts'
import { type ClassContext, type ClassList, type GlobalClass, repairOrder } from './model.ts'

const sheetKeys = { frontend: 'global-classes', preview: 'global-classes-preview' } as const

export async function classSheetHeaders(
  context: Context<{ readonly context: ClassContext }>,
  classes: ClassList,
): Promise<ResponseHeaders> {
  const variable = valuesOf(await readKit(context.storage, variablesPart))
  return sheetHeaders(context, sheetKeys[context.args.context], (css) =>
    repairOrder(classes).flatMap((id) =>
      // The cast: the order has ids of items alone.
      rulesOf(css, classes.items[id] as GlobalClass, classes.items[id]?.label ?? '', variable),
    ),
  )
}
