/** Deployment profile D1. */
import { profile } from '../core/declare.ts'
import { shared } from './shared.ts'

export const d1 = profile({
  name: 'd1',
  gmtOffset: 'text',
  features: shared({}),
})
