/** The check of pages before they are published: what the scan finds, as far as no remediation mends it. */
import { lookupTable } from '../../../../contract/lookup-table.ts'
import type { Json } from '../../../../contract/storage.ts'
import type { Check, CheckedSubject, Found, Severity } from '../../../integration/checks/model.ts'
import { walk } from '../../../shared/elements.ts'
import { toPageUrl } from '../args.ts'
import { judgePage, type ScanFinding, sheetsOf } from '../scanning.ts'

export const accessibilityCheck: Check = {
  code: 'accessibility',
  looksAt: 'page',
  find: async (subject) => {
    const page = await subject.page()
    if (!page || !subject.site) return []
    const texts = await Promise.all(sheetsOf(page.html, subject.settings).map((href) => subject.site?.textOf(href)))
    const scanned = { html: page.html, sheets: texts.map((text) => text ?? '') }
    const findings = await judgePage(subject, toPageUrl(page.address), scanned)
    const isOwn = await ownElements(subject)
    return findings
      .filter((finding) => !finding.isResolved && !(finding.rule === 'image-alt' && isOwn(finding)))
      .map((finding) => foundOf(finding, isOwn(finding), page.address))
  },
}

/** Whether an element is of the record: others are of its template, of the theme, or of the page as a whole. */
async function ownElements({ elements, html }: CheckedSubject): Promise<(finding: ScanFinding) => boolean> {
  if (elements.length === 0) {
    const own = await html()
    return (finding) => own.includes(finding.html.replace(/…?>?$/, ''))
  }
  const ids = new Set<unknown>([...walk(elements)].map(({ id }) => id))
  return ({ element }) => element !== undefined && ids.has(element)
}

const severityOf: { readonly [category: string]: Severity } = lookupTable({ A: 'error', AA: 'warning' })

function foundOf(finding: ScanFinding, isOwn: boolean, address: string): Found {
  const { rule, group, category, xpath, element, message, proposal } = finding
  return {
    // The parts around the content are mended once, elsewhere.
    severity: (isOwn && severityOf[category]) || 'notice',
    place: { xpath, ...(isOwn && element !== undefined ? { element } : {}) },
    about: `${rule} ${xpath}`,
    message: `${message} (${rule}${isOwn ? '' : ', around the content'})`,
    ...(proposal && {
      patch: {
        says: `Adds a remediation to the page: ${rule}.`,
        // The cast: a proposal has texts.
        remediation: { url: toPageUrl(address), rule, group, remediation: proposal as unknown as Json },
      },
    }),
  }
}
