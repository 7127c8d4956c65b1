/** Draws a band across a corner of a box. */

import { boxShadow } from '../../controls/border.ts'
import type { Control } from '../../controls/control.ts'
import { color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { type Child, filled, h, isNothing } from '../../html/nodes.ts'
import type { WidgetContext } from '../context.ts'

export function ribbon({ settings }: WidgetContext, title: Child): Child {
  if (isNothing(title)) return undefined
  const side = settings.choice('ribbon_horizontal_position', ['left', 'right'], '')
  return h(
    'div',
    { class: ['builder-ribbon', side !== '' && `builder-ribbon-${side}`] },
    filled('div', { class: ['builder-ribbon-inner'] }, title),
  )
}

const INNER = '& .builder-ribbon-inner'

export const ribbonControls: readonly Control[] = [
  color('ribbon_bg_color', INNER, 'background-color'),
  color('ribbon_text_color', INNER, 'color'),
  ...typography('ribbon_typography', INNER),
  boxShadow('box_shadow', INNER),
]

export const ribbonRules = `.builder-ribbon{position:absolute;inset-block-start:0;inset-inline-end:0;width:150px;height:150px;overflow:hidden;
z-index:1;pointer-events:none;transform:none}
.builder-ribbon-left{left:0;right:auto;transform:rotate(0)}.builder-ribbon-right{right:0;left:auto}
.builder-ribbon-inner{position:absolute;top:35px;width:200%;text-align:center;line-height:2;font-size:13px;font-weight:800;
text-transform:uppercase;background-color:#222;color:#fff;left:0;transform:translateX(-25%) translateY(0) rotate(45deg) translateX(25px)}
.builder-ribbon-left .builder-ribbon-inner{transform:translateX(-25%) rotate(-45deg) translateX(-25px)}`
