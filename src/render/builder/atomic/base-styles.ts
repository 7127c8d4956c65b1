/** The default styles of new-generation elements: one rule per type, written when a document contains the type. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { desktop } from '../css/breakpoints.ts'
import type { Declarations } from '../css/rules.ts'
import type { Pass } from '../pass/pass.ts'

const link: Declarations = [
  ['all', 'unset'],
  ['cursor', 'pointer'],
]
const box: Declarations = [
  ['padding', '10px'],
  ['min-width', '30px'],
]

const BASE: { readonly [name: string]: Declarations } = lookupTable({
  'e-heading': [['margin', '0px']],
  'e-heading-link': link,
  'e-paragraph': [['margin', '0px']],
  'e-paragraph-link': link,
  'e-button': [
    ['background-color', '#375EFB'],
    ['display', 'inline-block'],
    ['padding', '12px 24px'],
    ['border-radius', '2px'],
    ['border-width', '0px'],
    ['text-align', 'center'],
  ],
  'e-image': [['display', 'block']],
  'e-image-link': [
    ['all', 'unset'],
    ['cursor', 'pointer'],
    ['display', 'inherit'],
    ['width', 'fit-content'],
  ],
  'e-svg': [
    ['display', 'inline-block'],
    ['width', '65px'],
    ['height', '65px'],
  ],
  'e-divider': [
    ['border-width', '0px'],
    ['border-style', 'none'],
    ['background-color', '#000'],
    ['height', '1px'],
  ],
  'e-youtube': [
    ['aspect-ratio', '16/9'],
    ['overflow', 'hidden'],
  ],
  'e-self-hosted-video': [
    ['display', 'block'],
    ['width', '100%'],
    ['aspect-ratio', '16/9'],
    ['background-color', '#000'],
  ],
  'e-div-block': [['display', 'block'], ...box],
  'e-flexbox': [
    ['display', 'flex'],
    ['flex-direction', 'row'],
    ['padding', '10px'],
  ],
  'e-grid': [
    ['display', 'grid'],
    ['padding', '10px'],
  ],
  'e-tabs': [
    ['display', 'flex'],
    ['flex-direction', 'column'],
    ['gap', '30px'],
  ],
  'e-tabs-menu': [
    ['display', 'flex'],
    ['justify-content', 'center'],
  ],
  'e-tab-content': box,
})

/** Rules for descendants of an element, and rules that apply only with a script on the page. */
const INSIDE: { readonly [name: string]: readonly (readonly [string, Declarations])[] } = lookupTable({
  'e-youtube': [
    [
      '.builder .e-youtube-base > iframe',
      [
        ['width', '100%'],
        ['height', '100%'],
        ['border', '0'],
      ],
    ],
  ],
  'e-tab-content': [['.builder-js .e-tab-content-base:not(.e--selected)', [['display', 'none']]]],
})

/** Returns the class name of the type and adds its rule to the sheet. */
export function baseClass(type: string, pass: Pass): string {
  const rules = pass.sheets.of('atomic-base')
  if (Object.hasOwn(BASE, type)) rules.add(desktop, `.builder .${type}-base`, BASE[type] ?? [])
  const inside = Object.hasOwn(INSIDE, type) ? (INSIDE[type] ?? []) : []
  for (const [selector, declarations] of inside) rules.add(desktop, selector, declarations)
  return `${type}-base`
}
