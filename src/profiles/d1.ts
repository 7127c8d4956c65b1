/** Deployment profile D1. */
import { profile } from '../core/declare.ts'
import { variables } from '../features/variables/index.ts'
import { inIndexOrder } from './namespaces.ts'
import { shared } from './shared.ts'
import { atomicWidgets, classicWidgets } from './widgets.ts'

export const d1 = profile({
  name: 'd1',
  gmtOffset: 'text',
  features: inIndexOrder([
    ...shared({ globalIdPattern: '[\\w-]+', widgets: [...classicWidgets, ...atomicWidgets] }),
    variables,
  ]),
})
