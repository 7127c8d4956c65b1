/** The remediated HTML of pages. Parser and XPath are loaded when the first page is changed. */
import { inTurn } from '../../../../core/runtime/work.ts'
import type { AppliedItem, ApplyOptions, RemediationOutcome } from './apply.ts'

export type { RemediationOutcome } from './apply.ts'

interface RemediatedPage {
  readonly html: string
  readonly outcomes: readonly RemediationOutcome[]
}

export async function remediatePage(
  source: string,
  items: readonly AppliedItem[],
  options?: ApplyOptions,
): Promise<RemediatedPage> {
  const { applyItems } = await import('./apply.ts')
  return inTurn(() => applyItems(source, items, options))
}
