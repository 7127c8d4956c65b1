/** The script of pages: everything is readable without it. It adds what needs a hand, and marks the page with a class. */
import { startAccordions } from './accordions.ts'
import { startCarousels } from './carousels.ts'
import { startForms } from './forms.ts'
import { startSmallParts } from './small-parts.ts'
import { startTabs } from './tabs.ts'

document.documentElement.classList.add('builder-js')
startTabs()
startAccordions()
startCarousels()
startSmallParts()
startForms()
