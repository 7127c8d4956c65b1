/** Deployment profile D2. */
import { profile } from '../core/declare.ts'
import { notes } from '../features/notes/index.ts'
import { inIndexOrder } from './namespaces.ts'
import { shared } from './shared.ts'
import { classicWidgets } from './widgets.ts'

export const d2 = profile({
  name: 'd2',
  gmtOffset: 'number',
  features: inIndexOrder([
    ...shared({ globalIdPattern: '[\\w]+', widgets: classicWidgets, feedbackWithCountry: false }),
    notes,
  ]),
})
