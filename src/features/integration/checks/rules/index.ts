/** The table of checks. A new one is one entry here, or a contribution of the feature that has its rules. */
import type { Check } from '../model.ts'
import { deadLinks, deadOutsideLinks, movedLinks } from './links.ts'
import { missingAlternatives, pictureWeight } from './pictures.ts'
import { outsideScripts, pageWeight } from './scripts.ts'
import { missingDescription, missingExcerpt, missingTitle } from './texts.ts'

export const ownChecks: readonly Check[] = [
  missingTitle,
  missingExcerpt,
  missingDescription,
  deadLinks,
  movedLinks,
  deadOutsideLinks,
  missingAlternatives,
  pictureWeight,
  outsideScripts,
  pageWeight,
]
