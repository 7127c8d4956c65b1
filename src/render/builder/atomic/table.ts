/** Lists the new-generation elements by name: containers, tabs, widgets, components. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { ElementType } from '../pass/pass.ts'
import { component } from './component.ts'
import { divBlock, flexbox, grid } from './containers.ts'
import { divider, hostedVideo, image, svg, youtube } from './media.ts'
import { tab, tabContent, tabs, tabsContentArea, tabsMenu } from './tabs.ts'
import { button, heading, paragraph } from './texts.ts'

export const atomicElements: { readonly [name: string]: ElementType } = lookupTable({
  'e-div-block': divBlock,
  'e-flexbox': flexbox,
  'e-grid': grid,
  'e-tabs': tabs,
  'e-tabs-menu': tabsMenu,
  'e-tab': tab,
  'e-tabs-content-area': tabsContentArea,
  'e-tab-content': tabContent,
  'e-heading': heading,
  'e-paragraph': paragraph,
  'e-button': button,
  'e-image': image,
  'e-svg': svg,
  'e-divider': divider,
  'e-youtube': youtube,
  'e-self-hosted-video': hostedVideo,
  'e-component': component,
})
