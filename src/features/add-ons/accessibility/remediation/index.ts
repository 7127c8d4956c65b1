/** The remediated HTML of pages. Parser and XPath are loaded when the first page is changed. */
import type { AppliedItem, RemediationOutcome } from './apply.ts'

export type { RemediationOutcome } from './apply.ts'

interface RemediatedPage {
  readonly html: string
  readonly outcomes: readonly RemediationOutcome[]
}

export async function remediatePage(source: string, items: readonly AppliedItem[]): Promise<RemediatedPage> {
  const { applyItems } = await import('./apply.ts')
  return applyItems(source, items)
}
